"""Google ADK: `python google_adk_runs.py`."""

from __future__ import annotations

import asyncio
import os
from typing import Any

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from _capture import TASK, TOOLS, Recorder, Script
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import InMemoryRunner
from google.genai import types

recorder = Recorder("google_adk")


class Scripted(BaseLlm):
    script: Any = None

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
        turn = self.script.turn()
        parts = (
            [types.Part(text=turn)]
            if isinstance(turn, str)
            else [
                types.Part(
                    function_call=types.FunctionCall(id=c["id"], name=c["name"], args=c["args"])
                )
                for c in turn
            ]
        )
        yield LlmResponse(content=types.Content(role="model", parts=parts))


class Told(BasePlugin):
    """A tool that raises is told to the model."""

    def __init__(self) -> None:
        super().__init__(name="told")

    async def on_tool_error_callback(self, *, error: Exception, **more: Any) -> dict[str, Any]:
        return {"error": str(error)}


def run(script: Script) -> None:
    async def go() -> None:
        agent = LlmAgent(
            name="refunds", model=Scripted(model="scripted", script=script), tools=TOOLS
        )
        runner = InMemoryRunner(agent=agent, app_name="capture", plugins=[Told()])
        session = await runner.session_service.create_session(app_name="capture", user_id="u")
        message = types.Content(role="user", parts=[types.Part(text=TASK)])
        async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=message):
            pass

    asyncio.run(go())


recorder.play(run)
