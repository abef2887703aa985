"""One real proxy for the whole run, with a guardrail for each action, and the scripted model behind it."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else the import fetches a price list

from adapters.litellm.loopback import Proxy, ScriptedModel


def pytest_configure(config: pytest.Config) -> None:
    """The host's warnings are the host's."""
    config.addinivalue_line("filterwarnings", "ignore")


GUARDRAIL = "agent_polygraph.adapters.litellm.PolygraphGuardrail"
ACTIONS = ("audit", "annotate", "replace", "block")
ROUTES = ("/v1/chat/completions", "/v1/messages", "/v1/responses")

MODELS = """
model_list:
  - model_name: fake-x
    litellm_params: {{model: openai/gpt-4.1, api_base: "{base}/v1", api_key: none}}
  - model_name: claude-x
    litellm_params: {{model: anthropic/claude-sonnet-4-5, api_base: "{base}", api_key: none}}
  - model_name: other
    litellm_params: {{model: openai/gpt-4.1-mini, api_base: "{base}/v1", api_key: none}}
router_settings:
  num_retries: 2
  fallbacks: [{{"fake-x": ["other"]}}, {{"claude-x": ["other"]}}]
litellm_settings:
  telemetry: false
  callbacks: [recorder.handler]
guardrails:
"""
# What litellm logs of each call, one JSON object a line.
RECORDER = """
import json
from litellm.integrations.custom_logger import CustomLogger

class Recorder(CustomLogger):
    def _write(self, kwargs):
        logged = kwargs.get("standard_logging_object") or {}
        row = {"call": kwargs["litellm_call_id"], "rows": logged.get("guardrail_information")}
        with open("recorded.jsonl", "a") as out:
            out.write(json.dumps(row, default=str) + "\\n")
    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        self._write(kwargs)
    async def async_log_failure_event(self, kwargs, response_obj, start_time, end_time):
        self._write(kwargs)

handler = Recorder()
"""
# A guardrail of the user's own, beside the config.
SUBCLASS = """
from agent_polygraph.adapters.litellm import PolygraphGuardrail

class Bare(PolygraphGuardrail):
    pass

class Own(PolygraphGuardrail):
    async def apply_guardrail(self, inputs, request_data, input_type, logging_obj=None):
        return await super().apply_guardrail(
            inputs=inputs, request_data=request_data, input_type=input_type, logging_obj=logging_obj
        )
"""


def guard(name: str, kind: str = GUARDRAIL, **params: Any) -> str:
    """A guardrail's entry in config.yaml."""
    given = {"guardrail": kind, "mode": "post_call", **params}
    return f"  - guardrail_name: {name}\n    litellm_params: {json.dumps(given)}\n"


@dataclass
class Host:
    """The proxy, the model behind it, and what the proxy logged."""

    proxy: Proxy
    model: ScriptedModel
    last: str = ""  # the call id of the last request

    def post(self, route: str, body: dict[str, Any], *guards: str, **extra: Any) -> httpx.Response:
        """One request; metadata goes where the route has it, other keywords into the body."""
        bucket = "metadata" if route == ROUTES[0] else "litellm_metadata"
        sent = {**body, "guardrails": list(guards), bucket: extra.pop("metadata", {}), **extra}
        with self.client() as client:
            return client.post(route, json=sent)

    def client(self) -> httpx.Client:
        """An HTTP client whose requests bear a call id of their own."""
        self.last = str(uuid.uuid4())
        headers = {"authorization": f"Bearer {self.proxy.key}", "x-litellm-call-id": self.last}
        return httpx.Client(base_url=self.proxy.base, headers=headers, timeout=60, trust_env=False)

    def rows(self, guard: str) -> list[dict[str, Any]]:
        """What the guardrail logged of the last request, once litellm has written its log.

        litellm logs a stream that was held back twice, as a call that worked and as one that failed,
        and copies the row of the one into the other: a row is what has a time of its own.
        """
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            rows = [row for line in self._lines() for row in line if row["guardrail_name"] == guard]
            if rows:
                return list({row["start_time"]: row for row in rows}.values())
            time.sleep(0.05)
        raise AssertionError(f"litellm logged nothing of {guard}")

    def silent(self, *guards: str) -> bool:
        """True where litellm has logged the last request, and nothing of these guardrails."""
        deadline = time.monotonic() + 20
        while not self._lines() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.2)
        lines = self._lines()
        return bool(lines) and not any(
            r["guardrail_name"] in guards for line in lines for r in line
        )

    def _lines(self) -> list[list[dict[str, Any]]]:
        return [line["rows"] or [] for line in self.written()]

    def written(self) -> list[dict[str, Any]]:
        """What the recorder wrote of the last request so far."""
        path = Path(self.proxy.log).with_name("recorded.jsonl")
        lines = path.read_text().splitlines() if path.exists() else []
        return [line for line in map(json.loads, lines) if line["call"] == self.last]


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    guards = [guard(action, polygraph_action=action) for action in ACTIONS]
    guards += [
        guard("logged", mode="logging_only", logging_only_scope="output"),
        guard("bare", "own.Bare", polygraph_action="block"),
        guard("own", "own.Own", polygraph_action="block"),
        guard("chosen", polygraph_action="block", polygraph_block_on=["phantom_action"]),
    ]
    with ScriptedModel() as model:
        config = MODELS.format(base=model.base) + "".join(guards)
        with Proxy(config, {"recorder.py": RECORDER, "own.py": SUBCLASS}) as proxy:
            yield Host(proxy, model)
