"""install and uninstall: the hook goes in and out of settings.json, and nothing else changes."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_polygraph.cli import main
from agent_polygraph.hooks import registration

ROOT = Path(__file__).resolve().parent.parent
HOOK = registration.handler("project", "audit")
BLOCK = registration.handler("project", "block")

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=8)})
GROUP = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, min_size=1, max_size=2)})
GROUPS = st.lists(
    GROUP | VALUES.filter(lambda value: value not in ({}, [])), min_size=1, max_size=3
)
SETTINGS = st.dictionaries(
    st.text(max_size=6).filter(lambda key: key != "hooks"), VALUES, max_size=4
)
HOOKS = st.dictionaries(
    st.sampled_from(["Stop", "SubagentStop", "PreToolUse", "Notification"]), GROUPS, min_size=1, max_size=4
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(SETTINGS, st.none() | HOOKS, st.sampled_from([None, 0, 1, 2, 4, "\t"]), st.booleans())
def test_in_and_out_again_is_the_same_text(
    table: dict[str, Any], hooks: Any, indent: Any, ascii_only: bool
) -> None:
    if hooks is not None:
        table = {**table, "hooks": hooks}
    text = json.dumps(table, indent=indent, ensure_ascii=ascii_only)
    there = registration.installed(text, HOOK)
    value = json.loads(there)
    for event in registration.EVENTS:
        before = (hooks or {}).get(event, [])
        assert value["hooks"][event] == [*before, {"hooks": [HOOK]}]
    rest = {k: v for k, v in value.items() if k != "hooks"}
    assert rest == {k: v for k, v in table.items() if k != "hooks"}
    assert registration.installed(there, HOOK) == there
    other = registration.installed(there, BLOCK)
    assert (
        registration.installed(other, HOOK) == there
        or json.loads(registration.installed(other, HOOK)) == value
    )
    gone = registration.uninstalled(there)
    assert gone == text or json.loads(gone) == json.loads(text)
    if table:
        assert gone == text


LAID_OUT = """\
{
\t"permissions": { "allow": ["Bash(ls:*)",   "Edit"] },
\t"model": "opus", "number": 1.0e2, "name": "\\u00e9",
\t"hooks": {"Stop": [ {"hooks": [{"type": "command", "command": "afplay x"}]} ]}
}
"""


def test_the_layout_of_the_rest_stays() -> None:
    there = registration.installed(LAID_OUT, HOOK)
    for line in LAID_OUT.split("\n")[:3]:
        assert line in there.split("\n")
    assert '\n\t\t\t{\n\t\t\t\t"hooks"' in there
    assert registration.uninstalled(there) == LAID_OUT


def test_line_ends_of_windows_stay() -> None:
    text = LAID_OUT.replace("\n", "\r\n")
    there = registration.installed(text, HOOK)
    assert there.count("\n") == there.count("\r\n")
    assert registration.uninstalled(there) == text


def test_a_hook_beside_others_in_one_group() -> None:
    own, other = {**HOOK, "timeout": 5}, {"type": "command", "command": "afplay x"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [own, other]}, {"hooks": [own]}]}})
    there = json.loads(registration.installed(text, BLOCK))
    assert there["hooks"]["Stop"] == [{"hooks": [BLOCK, other]}]
    gone = json.loads(registration.uninstalled(text))
    assert gone == {"hooks": {"Stop": [{"hooks": [other]}]}}


@pytest.mark.parametrize(
    "command",
    [
        {"command": "agent-polygraph", "args": ["hook", "claude-code"]},
        {"command": "/home/x/.local/bin/agent-polygraph", "args": ["hook", "claude-code"]},
        {"command": "python3 -m agent_polygraph hook claude-code --mode block"},
        {"command": "agent-polygraph hook --mode block claude-code"},
        {"command": "C:\\tools\\agent-polygraph.exe", "args": ["hook", "claude-code"]},
    ],
)
def test_the_hook_is_known_however_it_is_spelled(command: dict[str, Any]) -> None:
    assert registration.is_own({"type": "command", **command})


@pytest.mark.parametrize(
    "hook",
    [None, 5, [], {}, {"type": "command"}, {"type": "prompt", "prompt": "agent-polygraph hook"},
     {"type": "command", "command": "agent-polygraph check x"}, {"type": "command", "args": 5}],
)  # fmt: skip
def test_other_hooks_are_left_alone(hook: Any) -> None:
    assert not registration.is_own(hook)
    text = json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}})
    assert registration.uninstalled(text) == text


# --- the commands ---------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home"))
    return tmp_path / ".claude" / "settings.json"


def test_a_project_without_settings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "claude-code", "--mode", "block"]) == 0
    assert json.loads(file.read_text())["hooks"]["Stop"] == [{"hooks": [BLOCK]}]
    assert '+        "hooks": [' in capsys.readouterr().out
    before = file.read_text()
    assert main(["install", "claude-code", "--mode", "block"]) == 0
    assert file.read_text() == before
    assert "already installed" in capsys.readouterr().out
    assert main(["uninstall", "claude-code"]) == 0
    assert json.loads(file.read_text()) == {}
    assert main(["uninstall", "claude-code"]) == 0
    assert "not in" in capsys.readouterr().out


def test_the_users_settings(file: Path, tmp_path: Path) -> None:
    assert main(["install", "claude-code", "--user"]) == 0
    assert not file.exists()
    (group,) = json.loads((tmp_path / "home" / "settings.json").read_text())["hooks"]["Stop"]
    (hook,) = group["hooks"]
    assert os.path.isabs(hook["command"]) and os.path.exists(hook["command"])
    assert hook["args"][-2:] == ["hook", "claude-code"]
    assert registration.is_own(hook)


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_dry_run_writes_nothing(
    command: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command == "uninstall":
        main(["install", "claude-code"])
    before = file.read_bytes() if file.exists() else None
    capsys.readouterr()
    assert main([command, "claude-code", "--dry-run"]) == 0
    assert (file.read_bytes() if file.exists() else None) == before
    out = capsys.readouterr().out
    assert "nothing was written" in out and "settings.json" in out and "agent-polygraph" in out


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "5", "// a remark\n{}", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "[" * 100_000],
)
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_what_is_no_settings_file_is_left_as_it_is(
    command: str, text: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main([command, "claude-code"])
    assert ended.value.code == 2
    assert file.read_text() == text
    assert "left as it is" in capsys.readouterr().err


def test_a_link_stays_one_and_the_mode_stays(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"model": "opus"}')
    real.chmod(0o600)
    file.parent.mkdir()
    file.symlink_to(real)
    assert main(["install", "claude-code"]) == 0
    assert file.is_symlink()
    assert json.loads(real.read_text())["model"] == "opus"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert sorted(each.name for each in real.parent.iterdir()) == ["claude.json"]


# --- the plugin -----------------------------------------------------------------------------------

PLUGIN = ROOT / "adapters" / "claude_code"


def test_the_plugin_runs_the_command_in_audit_mode() -> None:
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(hooks) == set(registration.EVENTS)
    for event in registration.EVENTS:
        assert hooks[event] == [{"hooks": [registration.handler("project", "audit")]}]


def test_the_plugin_is_of_this_version_and_has_its_papers() -> None:
    from agent_polygraph import __version__

    plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    market = json.loads((PLUGIN / ".claude-plugin" / "marketplace.json").read_text())
    assert plugin["version"] == __version__
    assert [each["name"] for each in market["plugins"]] == [plugin["name"]] == ["agent-polygraph"]
    assert (PLUGIN / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert len((PLUGIN / "README.md").read_text().split()) >= 40


def test_no_shell_is_needed() -> None:
    assert HOOK["command"] == "agent-polygraph" and HOOK["args"] == ["hook", "claude-code"]
    assert sys.executable  # the fallback of the user's settings
