"""How each agent host names its tools, shapes the arguments and words the results.

A `Dialect` turns an abstract step (shell, read, edit ...) into (tool name, arguments, result, bit).
The shapes follow public documentation and captures of the hosts; the texts are our own.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

from .script import Op

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
    "was a file edit, the new_string was NOT written to the file). STOP what you are doing and "
    "wait for the user to tell you how to proceed."
)
NOT_READ = (
    "<tool_use_error>File has not been read yet. Read it first before writing to it."
    "</tool_use_error>"
)
SIBLING = "<tool_use_error>Sibling tool call errored</tool_use_error>"
INTERRUPTED = "[Request interrupted by user for tool use]"
TODO_OK = (
    "Todos have been modified successfully. Ensure that you continue to use the todo list to track "
    "your progress. Please proceed with the current tasks if applicable"
)


@dataclass(slots=True)
class Step:
    """One call with its result, ready to be written as events; `result` None means it dangles."""

    name: str
    arguments: Any
    result: Any
    is_error: bool | None
    truncated: bool = False


def gutter(text: str, first: int = 1, style: str = "old") -> str:
    """Numbered lines as a Read result shows them."""
    rows = text.split("\n")
    if style == "old":
        return "\n".join(f"{n:>6}→{row}" for n, row in enumerate(rows, first))
    return "\n".join(f"{n}\t{row}" for n, row in enumerate(rows, first))


def snippet(text: str, new: str, style: str) -> str:
    """The numbered surroundings of an edit, four lines on either side."""
    rows = text.split("\n")
    head = text.split(new, 1)[0].count("\n") if new and new in text else 0
    first = max(0, head - 4)
    last = min(len(rows), head + new.count("\n") + 5)
    return gutter("\n".join(rows[first:last]), first + 1, style)


def _patch(path: str, old: str, new: str) -> str:
    body = [f"-{row}" for row in old.split("\n")] if old else []
    body += [f"+{row}" for row in new.split("\n")] if new else []
    return "\n".join(["*** Begin Patch", f"*** Update File: {path}", "@@", *body, "*** End Patch"])


def _add_patch(path: str, text: str) -> str:
    body = [f"+{row}" for row in text.split("\n")]
    return "\n".join(["*** Begin Patch", f"*** Add File: {path}", *body, "*** End Patch"])


class Dialect:
    """Claude Code; the other hosts override what differs."""

    def __init__(self, root: str, style: str) -> None:
        self.root = root
        self.style = style

    def path(self, path: str) -> str:
        """The path as this host passes it: absolute unless it already is."""
        return path if path.startswith(("/", "~")) else f"{self.root}/{path}"

    def shell(self, op: Op, out: str, code: int, background: bool) -> Step:
        arguments: dict[str, Any] = {"command": op.rest}
        if op.mods.get("desc"):
            arguments["description"] = op.mods["desc"]
        if op.mods.get("timeout"):
            arguments["timeout"] = int(op.mods["timeout"])
        if background:
            arguments["run_in_background"] = True
            job = op.mods.get("job", "bash_1")
            return Step("Bash", arguments, f"Command running in background with ID: {job}", False)
        if code:
            return Step("Bash", arguments, f"Exit code {code}\n{out}".rstrip("\n"), True)
        if self.style == "structured":
            result = {"stdout": out, "stderr": "", "interrupted": False, "isImage": False}
            return Step("Bash", arguments, result, False)
        if not out:
            out = "(Bash completed with no output)" if self.style == "new" else ""
        return Step("Bash", arguments, out, False)

    def read(self, path: str, text: str, first: int) -> Step:
        arguments: dict[str, Any] = {"file_path": self.path(path)}
        if first > 1:
            arguments |= {"offset": first, "limit": text.count("\n") + 1}
        return Step("Read", arguments, gutter(text, first, self.style), None)

    def edit(self, path: str, old: str, new: str, after: str) -> Step:
        where = self.path(path)
        arguments = {"file_path": where, "old_string": old, "new_string": new}
        if self.style == "structured":
            rows = [f"-{row}" for row in old.split("\n")] + [f"+{row}" for row in new.split("\n")]
            hunk = {
                "oldStart": 1 + after.split(new, 1)[0].count("\n"),
                "oldLines": old.count("\n") + 1,
                "newLines": new.count("\n") + 1,
                "lines": rows,
            }
            result: Any = {
                "filePath": where,
                "oldString": old,
                "newString": new,
                "structuredPatch": [hunk],
                "userModified": False,
                "replaceAll": False,
            }
        elif self.style == "new":
            result = f"The file {where} has been updated successfully."
        else:
            result = (
                f"The file {where} has been updated. Here's the result of running `cat -n` on a "
                f"snippet of the edited file:\n{snippet(after, new, 'old')}"
            )
        return Step("Edit", arguments, result, None)

    def write(self, path: str, text: str, exists: bool) -> Step:
        where = self.path(path)
        arguments = {"file_path": where, "content": text}
        if exists:
            return Step("Write", arguments, f"The file {where} has been updated.", None)
        return Step("Write", arguments, f"File created successfully at: {where}", None)

    def grep(self, pattern: str, path: str, out: str) -> Step:
        arguments: dict[str, Any] = {"pattern": pattern}
        if path:
            arguments["path"] = self.path(path)
        lines = out.split("\n") if out else []
        if not lines:
            return Step("Grep", arguments, "No files found", None)
        if all(":" not in row for row in lines):
            arguments["output_mode"] = "files_with_matches"
            out = f"Found {len(lines)} files\n{out}"
        else:
            arguments |= {"output_mode": "content", "-n": True}
        return Step("Grep", arguments, out, None)

    def glob(self, pattern: str, out: str) -> Step:
        rows = [self.path(row) for row in out.split("\n")] if out else ["No files found"]
        return Step("Glob", {"pattern": pattern}, "\n".join(rows), None)

    def todo(self, items: list[tuple[str, str]]) -> Step:
        todos = [{"content": text, "status": status, "activeForm": text} for status, text in items]
        return Step("TodoWrite", {"todos": todos}, TODO_OK, None)

    def web(self, url: str, out: str) -> Step:
        arguments = {"url": url, "prompt": "Summarise what this page says about the question"}
        return Step("WebFetch", arguments, out, None)

    def task(self, title: str, prompt: str, out: str) -> Step:
        arguments = {
            "description": title,
            "prompt": prompt or title,
            "subagent_type": "general-purpose",
        }
        return Step("Task", arguments, [{"type": "text", "text": out}], None)


class Codex(Dialect):
    """Codex CLI: everything through `shell` and `apply_patch`, output as JSON with an exit code."""

    def path(self, path: str) -> str:
        return path

    def _run(self, command: str, out: str, code: int) -> Step:
        arguments = {"command": ["bash", "-lc", command], "workdir": self.root}
        if self.style == "new":
            took = round(0.1 + len(out) % 37 / 10, 1)
            result = f"Exit code: {code}\nWall time: {took} seconds\nOutput:\n{out}"
        else:
            meta = {"exit_code": code, "duration_seconds": round(0.1 + len(out) % 37 / 10, 1)}
            result = json.dumps({"output": out, "metadata": meta}, ensure_ascii=False)
        return Step("shell", arguments, result, None)

    def shell(self, op: Op, out: str, code: int, background: bool) -> Step:
        return self._run(op.rest, out, code)

    def read(self, path: str, text: str, first: int) -> Step:
        last = first + text.count("\n")
        return self._run(f"sed -n '{first},{last}p' {path}", text, 0)

    def _applied(self, patch: str, letter: str, path: str) -> Step:
        out = f"Success. Updated the following files:\n{letter} {path}\n"
        meta = {"exit_code": 0, "duration_seconds": 0.0}
        result = json.dumps({"output": out, "metadata": meta}, ensure_ascii=False)
        return Step("apply_patch", {"input": patch}, result, None)

    def edit(self, path: str, old: str, new: str, after: str) -> Step:
        return self._applied(_patch(path, old, new), "M", path)

    def write(self, path: str, text: str, exists: bool) -> Step:
        return self._applied(_add_patch(path, text), "M" if exists else "A", path)

    def grep(self, pattern: str, path: str, out: str) -> Step:
        where = f" {path}" if path else ""
        return self._run(f"rg -n {shlex.quote(pattern)}{where}", out, 0 if out else 1)

    def glob(self, pattern: str, out: str) -> Step:
        return self._run(f"rg --files -g {shlex.quote(pattern)}", out, 0 if out else 1)

    def todo(self, items: list[tuple[str, str]]) -> Step:
        plan = [{"step": text, "status": status} for status, text in items]
        return Step("update_plan", {"plan": plan}, "Plan updated", None)

    def web(self, url: str, out: str) -> Step:
        return self._run(f"curl -sL {url}", out, 0)


class Gemini(Dialect):
    """Gemini CLI."""

    def shell(self, op: Op, out: str, code: int, background: bool) -> Step:
        arguments = {"command": op.rest, "description": op.mods.get("desc", "Runs the command.")}
        error = "(none)" if not code else f"Command exited with code: {code}"
        result = "\n".join(
            [
                f"Command: {op.rest}",
                "Directory: (root)",
                f"Output: {out or '(empty)'}",
                f"Error: {error}",
                f"Exit Code: {code}",
                "Signal: (none)",
                "Background PIDs: (none)",
                "Process Group PGID: 48121",
            ]
        )
        return Step("run_shell_command", arguments, result, None)

    def read(self, path: str, text: str, first: int) -> Step:
        arguments: dict[str, Any] = {"absolute_path": self.path(path)}
        if first > 1:
            arguments |= {"offset": first - 1, "limit": text.count("\n") + 1}
        return Step("read_file", arguments, text, None)

    def edit(self, path: str, old: str, new: str, after: str) -> Step:
        where = self.path(path)
        arguments = {
            "file_path": where,
            "old_string": old,
            "new_string": new,
            "instruction": "Apply the change.",
        }
        result = f"Successfully modified file: {where} (1 replacements)."
        return Step("replace", arguments, result, None)

    def write(self, path: str, text: str, exists: bool) -> Step:
        where = self.path(path)
        word = "overwrote file" if exists else "created and wrote to new file"
        arguments = {"file_path": where, "content": text}
        return Step("write_file", arguments, f"Successfully {word}: {where}.", None)

    def grep(self, pattern: str, path: str, out: str) -> Step:
        arguments = {"pattern": pattern} | ({"path": self.path(path)} if path else {})
        if not out:
            result = f'No matches found for pattern "{pattern}" in the workspace directory.'
        else:
            count = out.count("\n") + 1
            result = f'Found {count} matches for pattern "{pattern}":\n---\n{out}\n---'
        return Step("search_file_content", arguments, result, None)

    def glob(self, pattern: str, out: str) -> Step:
        rows = [self.path(row) for row in out.split("\n")] if out else []
        result = f'Found {len(rows)} file(s) matching "{pattern}":\n' + "\n".join(rows)
        return Step("glob", {"pattern": pattern}, result, None)

    def todo(self, items: list[tuple[str, str]]) -> Step:
        todos = [{"description": text, "status": status} for status, text in items]
        rows = "\n".join(f"{n}. [{status}] {text}" for n, (status, text) in enumerate(items, 1))
        result = f"Successfully updated the todo list. The current list is now:\n{rows}"
        return Step("write_todos", {"todos": todos}, result, None)

    def web(self, url: str, out: str) -> Step:
        return Step("web_fetch", {"prompt": f"Read {url}"}, out, None)


class OpenHands(Dialect):
    """OpenHands: `execute_bash` and `str_replace_editor`."""

    def shell(self, op: Op, out: str, code: int, background: bool) -> Step:
        arguments = {"command": op.rest, "security_risk": "LOW"}
        tail = (
            f"[The command completed with exit code {code}.]\n"
            f"[Current working directory: {self.root}]\n"
            "[Python interpreter: /usr/local/bin/python]\n"
            f"[Command finished with exit code {code}]"
        )
        return Step("execute_bash", arguments, f"{out}\n{tail}" if out else tail, None)

    def read(self, path: str, text: str, first: int) -> Step:
        where = self.path(path)
        arguments: dict[str, Any] = {"command": "view", "path": where}
        if first > 1:
            arguments["view_range"] = [first, first + text.count("\n")]
        body = gutter(text, first, "new")
        head = f"Here's the result of running `cat -n` on {where}:\n"
        return Step("str_replace_editor", arguments, head + body, None)

    def edit(self, path: str, old: str, new: str, after: str) -> Step:
        where = self.path(path)
        arguments = {"command": "str_replace", "path": where, "old_str": old, "new_str": new}
        result = (
            f"The file {where} has been edited. Here's the result of running `cat -n` on a snippet "
            f"of {where}:\n{snippet(after, new, 'new')}\nReview the changes and make sure they are "
            "as expected. Edit the file again if necessary."
        )
        return Step("str_replace_editor", arguments, result, None)

    def write(self, path: str, text: str, exists: bool) -> Step:
        where = self.path(path)
        arguments = {"command": "create", "path": where, "file_text": text}
        return Step("str_replace_editor", arguments, f"File created successfully at: {where}", None)

    def grep(self, pattern: str, path: str, out: str) -> Step:
        command = f"grep -rn {shlex.quote(pattern)} {path or '.'}"
        return self.shell(Op("$", command), out, 0 if out else 1, False)

    def glob(self, pattern: str, out: str) -> Step:
        command = f"find . -path {shlex.quote(pattern)}"
        return self.shell(Op("$", command), out, 0, False)

    def todo(self, items: list[tuple[str, str]]) -> Step:
        tasks = [{"id": str(n), "title": t, "status": s} for n, (s, t) in enumerate(items, 1)]
        arguments = {"command": "plan", "task_list": tasks}
        result = f"Task list has been updated with {len(tasks)} item(s)."
        return Step("task_tracker", arguments, result, None)

    def web(self, url: str, out: str) -> Step:
        return Step("fetch", {"url": url}, f"Contents of {url}:\n{out}", None)


class Cursor(Dialect):
    """Cursor-like editors."""

    def path(self, path: str) -> str:
        return path

    def shell(self, op: Op, out: str, code: int, background: bool) -> Step:
        arguments = {
            "command": op.rest,
            "is_background": background,
            "explanation": op.mods.get("desc", ""),
        }
        result = f"Exit code: {code}\n\nCommand output:\n\n```\n{out}\n```\n\nCommand completed."
        return Step("run_terminal_cmd", arguments, result, None)

    def read(self, path: str, text: str, first: int) -> Step:
        last = first + text.count("\n")
        arguments = {
            "target_file": path,
            "should_read_entire_file": first == 1,
            "start_line_one_indexed": first,
            "end_line_one_indexed_inclusive": last,
        }
        head = f"Contents of {path}, lines {first}-{last}:\n"
        return Step("read_file", arguments, f"{head}```\n{text}\n```", None)

    def edit(self, path: str, old: str, new: str, after: str) -> Step:
        arguments = {
            "target_file": path,
            "instructions": "Apply the change below.",
            "code_edit": f"// ... existing code ...\n{new}\n// ... existing code ...",
        }
        rows = [f"-{row}" for row in old.split("\n")] + [f"+{row}" for row in new.split("\n")]
        result = (
            "The apply model made the following changes to the file:\n\n```diff\n"
            + "\n".join(rows)
            + "\n```"
        )
        return Step("edit_file", arguments, result, None)

    def write(self, path: str, text: str, exists: bool) -> Step:
        arguments = {
            "target_file": path,
            "instructions": "Write the whole file.",
            "code_edit": text,
        }
        word = "updated" if exists else "created"
        return Step("edit_file", arguments, f"The file {path} was {word}.", None)

    def grep(self, pattern: str, path: str, out: str) -> Step:
        arguments = {"query": pattern, "include_pattern": path, "case_sensitive": True}
        return Step("grep_search", arguments, out or "No matches found.", None)

    def glob(self, pattern: str, out: str) -> Step:
        arguments = {"query": pattern, "explanation": "Find the files."}
        return Step("file_search", arguments, out or "No files found.", None)

    def todo(self, items: list[tuple[str, str]]) -> Step:
        todos = [{"id": str(n), "content": t, "status": s} for n, (s, t) in enumerate(items, 1)]
        arguments = {"merge": False, "todos": todos}
        return Step("todo_write", arguments, "Successfully updated TODOs.", None)

    def web(self, url: str, out: str) -> Step:
        return Step("web_search", {"search_term": url}, out, None)


class Smol(Dialect):
    """smolagents: every act is a Python snippet whose log and last value come back."""

    def _run(self, code: str, out: str, last: str = "None") -> Step:
        result = f"Execution logs:\n{out}\nLast output from code snippet:\n{last}"
        return Step("python_interpreter", {"code": code}, result, None)

    def shell(self, op: Op, out: str, code: int, background: bool) -> Step:
        run = (
            "import subprocess\n"
            f"r = subprocess.run({op.rest!r}, shell=True, capture_output=True, text=True)\n"
            "print(r.stdout + r.stderr)\nr.returncode"
        )
        return self._run(run, out, str(code))

    def read(self, path: str, text: str, first: int) -> Step:
        if first == 1:
            return self._run(f"print(open({path!r}).read())", text)
        part = f"[{first - 1}:{first + text.count(chr(10))}]"
        return self._run(f"print(''.join(open({path!r}).readlines(){part}))", text)

    def edit(self, path: str, old: str, new: str, after: str) -> Step:
        run = (
            f"p = {path!r}\ns = open(p).read()\nassert {old!r} in s\n"
            f"open(p, 'w').write(s.replace({old!r}, {new!r}, 1))"
        )
        return self._run(run, "", str(len(after)))

    def write(self, path: str, text: str, exists: bool) -> Step:
        return self._run(f"open({path!r}, 'w').write({text!r})", "", str(len(text)))

    def grep(self, pattern: str, path: str, out: str) -> Step:
        command = f"grep -rn {shlex.quote(pattern)} {path or '.'}"
        return self.shell(Op("$", command), out, 0 if out else 1, False)

    def glob(self, pattern: str, out: str) -> Step:
        run = f"import glob\nfor p in sorted(glob.glob({pattern!r}, recursive=True)): print(p)"
        return self._run(run, out)

    def todo(self, items: list[tuple[str, str]]) -> Step:
        rows = "\n".join(f"# [{status}] {text}" for status, text in items)
        return self._run(f"plan = '''{rows}'''\nprint(len(plan.splitlines()))", str(len(items)))

    def web(self, url: str, out: str) -> Step:
        return Step("visit_webpage", {"url": url}, out, None)


DIALECTS: dict[str, type[Dialect]] = {
    "claude": Dialect,
    "codex": Codex,
    "gemini": Gemini,
    "openhands": OpenHands,
    "cursor": Cursor,
    "smol": Smol,
}
