"""Clients of model APIs, no framework: `python raw_client_runs.py openai|anthropic openinference|genai`.

A real client talks to a scripted server on loopback; there are no tool spans.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CLIENT, DIALECT = sys.argv[1:3]
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from _capture import TASK, TOOLS, Recorder, Script

recorder = Recorder(f"{CLIENT}_{DIALECT}")
if (CLIENT, DIALECT) == ("openai", "openinference"):
    from openinference.instrumentation.openai import OpenAIInstrumentor as Instrumentor
elif CLIENT == "openai":
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor as Instrumentor
elif DIALECT == "openinference":
    from openinference.instrumentation.anthropic import AnthropicInstrumentor as Instrumentor
else:
    from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor as Instrumentor
Instrumentor().instrument(tracer_provider=recorder.tracer_provider)

current: list[Script] = []


def openai_answer(turn: Any) -> dict[str, Any]:
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for call in (turn if isinstance(turn, list) else [])
    ]
    message: dict[str, Any] = {"role": "assistant", "content": None if calls else turn}
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}  # fmt: skip


def anthropic_answer(turn: Any) -> dict[str, Any]:
    if isinstance(turn, str):
        content: list[Any] = [{"type": "text", "text": turn}]
    else:
        content = [
            {"type": "tool_use", "id": c["id"], "name": c["name"], "input": c["args"]} for c in turn
        ]
    return {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": content,
            "stop_reason": "end_turn" if isinstance(turn, str) else "tool_use", "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip


class Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        turn = current[-1].turn()
        body = json.dumps(
            (openai_answer if CLIENT == "openai" else anthropic_answer)(turn)
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given: Any) -> None: ...


server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
functions = {tool.__name__: tool for tool in TOOLS}


def call(name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    try:
        result = functions[name](**arguments)
        return result if isinstance(result, str) else json.dumps(result), False
    except RuntimeError as error:
        return f"RuntimeError: {error}", True


def with_openai() -> None:
    import openai

    client = openai.OpenAI(api_key="none", base_url=base)
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        message = (
            client.chat.completions.create(model="scripted", messages=messages).choices[0].message
        )
        if not message.tool_calls:
            return
        messages.append(message.model_dump(exclude_none=True))
        for asked in message.tool_calls:
            content, _ = call(asked.function.name, json.loads(asked.function.arguments))
            messages.append({"role": "tool", "tool_call_id": asked.id, "content": content})


def with_anthropic() -> None:
    import anthropic

    client = anthropic.Anthropic(api_key="none", base_url=base)
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        answer = client.messages.create(model="scripted", max_tokens=99, messages=messages)
        uses = [block for block in answer.content if block.type == "tool_use"]
        if not uses:
            return
        messages.append(
            {"role": "assistant", "content": [use.model_dump(exclude_none=True) for use in uses]}
        )
        results = []
        for use in uses:
            content, failed = call(use.name, use.input)
            results.append(
                {
                    "type": "tool_result",
                    "tool_use_id": use.id,
                    "content": content,
                    "is_error": failed,
                }
            )
        messages.append({"role": "user", "content": results})


def run(script: Script) -> None:
    current.append(script)
    with recorder.tracer_provider.get_tracer("app").start_as_current_span("handle request"):
        (with_openai if CLIENT == "openai" else with_anthropic)()


recorder.play(run)
server.shutdown()
