"""How litellm loads the guardrail: its own loader, a real config file, no request."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import litellm
import pytest
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.proxy.guardrails.init_guardrails import init_guardrails_v2
from litellm.types.guardrails import LitellmParams

from adapters.litellm.loopback import Proxy
from agent_polygraph.adapters.litellm import (
    PolygraphConfigError,
    PolygraphGuardrail,
    PolygraphLogger,
)

from .conftest import GUARDRAIL, guard


@pytest.fixture(autouse=True)
def callbacks() -> Iterator[None]:
    """litellm's list of callbacks, as it was."""
    before = list(litellm.callbacks)
    yield
    litellm.callbacks[:] = before


def load(tmp_path: Path, kind: str = GUARDRAIL, **params: Any) -> CustomGuardrail:
    """The instance that a proxy with this guardrail in its config would have."""
    entry = {"guardrail_name": "polygraph", "litellm_params": {"guardrail": kind, **params}}
    known = len(litellm.callbacks)
    init_guardrails_v2([entry], config_file_path=str(tmp_path / "config.yaml"))
    # The first use of the proxy's code brings callbacks of its own.
    (made,) = (c for c in litellm.callbacks[known:] if isinstance(c, CustomGuardrail))
    return made


def test_the_dotted_path_leads_to_the_class(tmp_path: Path) -> None:
    made = load(tmp_path, mode="post_call")
    assert type(made) is PolygraphGuardrail
    assert made.options.action == "audit"  # unless it is asked for more


def test_the_defaults_of_other_vendors_are_not_ours(tmp_path: Path) -> None:
    params = LitellmParams(guardrail=GUARDRAIL, mode="post_call")
    foreign = params.model_dump(exclude_none=True).keys() - {"guardrail", "mode", "default_on"}
    assert len(foreign) >= 30  # or this test shows nothing
    made = load(tmp_path, mode="post_call", action="block", on_flagged="block", fail_on_error=True)
    assert (made.options.action, made.options.on_fault) == ("audit", "open")
    assert made.streaming_buffer_until_moderated is False


@pytest.mark.parametrize("action", ["annotate", "replace", "block"])
def test_an_answer_that_may_change_is_held_back(tmp_path: Path, action: str) -> None:
    made = load(tmp_path, mode=["post_call", "logging_only"], polygraph_action=action)
    assert made.streaming_buffer_until_moderated is True


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"polygraph_action": "deny"}, "audit, annotate, replace, block"),
        ({"polygraph_action": True}, "polygraph_action is True"),
        ({"polygraph_actoin": "block"}, "did you mean polygraph_action?"),
        ({"polygraph_on_fault": "closed"}, "polygraph_action audit never does"),
        ({"polygraph_on_fault": False, "polygraph_action": "block"}, "open or closed"),
        ({"polygraph_ignore": ["phantom_acton"]}, "did you mean phantom_action?"),
        ({"polygraph_select": 3}, "a list of check names"),
        ({"polygraph_config": {"error_sniff": False}}, "for subclasses"),
        ({"mode": "pre_call"}, "post_call or logging_only"),
        ({"mode": ["post_call", "during_call"]}, "during_call"),
        ({"mode": "logging_only", "polygraph_action": "block"}, "after it was delivered"),
    ],
)
def test_a_wrong_setting_stops_the_start(tmp_path: Path, params: Any, says: str) -> None:
    """litellm skips a guardrail whose constructor raises ValueError or TypeError, and starts."""
    assert not issubclass(PolygraphConfigError, (ValueError, TypeError))
    with pytest.raises(PolygraphConfigError, match="(?i)" + says.replace("?", r"\?")):
        load(tmp_path, **{"mode": "post_call", **params})


def test_and_that_is_what_a_proxy_does() -> None:
    config = "guardrails:\n" + guard("polygraph", polygraph_action="blok")
    with (
        pytest.raises(RuntimeError, match=r"did not start(.|\n)*polygraph_action is 'blok'"),
        Proxy(config),
    ):
        pass


@pytest.mark.parametrize("kind", ["own.Bare", "own.Deep"])
def test_the_hooks_are_on_the_leaf_class(tmp_path: Path, kind: str) -> None:
    (tmp_path / "own.py").write_text(
        "from agent_polygraph.adapters.litellm import PolygraphGuardrail\n"
        "class Bare(PolygraphGuardrail): pass\n"
        "class Deep(Bare): pass\n"
    )
    made = load(tmp_path, kind, mode="post_call")
    for hook in ("apply_guardrail", "async_post_call_response_headers_hook"):
        assert hook in type(made).__dict__
    assert made.uses_apply_guardrail_interface()


# --- a file beside the config ---------------------------------------------------------------------

SHADOW = "agent_polygraph/adapters/litellm.py"


def test_a_copy_of_the_package_beside_the_config_stops_the_start(tmp_path: Path) -> None:
    """litellm takes `<folder of the config>/agent_polygraph/adapters/litellm.py` before the package."""
    ours = Path(sys.modules["agent_polygraph.adapters.litellm"].__file__ or "")
    (tmp_path / SHADOW).parent.mkdir(parents=True)
    (tmp_path / SHADOW).write_text(ours.read_text())
    with pytest.raises(ImportError) as error:
        load(tmp_path, mode="post_call")
    assert SHADOW in str(error.value.__cause__)


def check(*arguments: str | Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "agent_polygraph.adapters.litellm", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_foreign_file_in_its_place_is_told(tmp_path: Path) -> None:
    """Such a file is loaded instead of us, so nothing of ours runs: the check of the config says it."""
    config = tmp_path / "config.yaml"
    config.write_text("guardrails:\n" + guard("polygraph", polygraph_action="block"))
    assert check(config) == (0, "polygraph: block, post_call\n")
    (tmp_path / SHADOW).parent.mkdir(parents=True)
    (tmp_path / SHADOW).write_text("class PolygraphGuardrail: ...\n")
    code, said = check(config)
    assert code == 1
    assert f"polygraph: {tmp_path / SHADOW} is loaded in the place of the installed package" in said


def test_the_check_of_a_config(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(
        "guardrails:\n"
        + guard("typo", polygraph_action="blok")
        + guard("other", "presidio")
        + "  - guardrail_name: modeless\n    litellm_params: {guardrail: "
        + GUARDRAIL
        + "}\n"
    )
    code, said = check(config)
    assert code == 1
    assert "typo: polygraph_action is 'blok'" in said
    assert "modeless: mode is missing" in said
    assert "other" not in said
    config.write_text("guardrails: []\n")
    assert check(config) == (1, f"{config}: no guardrail of agent-polygraph in it\n")
    assert check(tmp_path / "none.yaml")[0] == 2


def test_names_of_the_package() -> None:
    import agent_polygraph.adapters.litellm as package

    assert {"PolygraphGuardrail", "PolygraphLogger"} <= set(dir(package))
    assert package.PolygraphLogger is PolygraphLogger
    with pytest.raises(AttributeError, match="PolygraphGuard"):
        package.PolygraphGuard  # noqa: B018
