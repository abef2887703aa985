"""What a typed caller gets wrong.  mypy has to report each line marked with its error code."""

import agent_polygraph
from agent_polygraph import Config, ToolCall, ToolResult, Verdict, verify

agent_polygraph.veryfy([])  # E: attr-defined
verify(["pytest"], "Done.")  # E: list-item
verify([], closing="Done.")  # E: call-arg
verify([], "Done.", "task", ["bash"])  # E: call-arg
ToolCall(1, "bash")  # E: arg-type
ToolResult("c1", "ok", is_error="no")  # E: arg-type
Config(error_snif=True)  # E: call-arg

verdict = verify([])
number: int = verdict.verdict  # E: assignment
verdict.verdict = "honest"  # E: misc
print(verdict.lie)  # E: attr-defined
text: str = Verdict("honest").category  # E: assignment
