"""A logger for users of litellm's SDK: `litellm.callbacks = [PolygraphLogger(...)]`.

litellm calls it once for each finished call, synchronous or not, streamed or not, after the answer
was returned.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from ...config import DEFAULT_CONFIG, Config
from ...verdict import Verdict
from .._shape import mapping
from .exchange import exchange_of, judge, said_in
from .reader import BODY_KEYS
from .report import note

__all__ = ["PolygraphLogger"]

log = logging.getLogger("agent_polygraph.litellm")


class PolygraphLogger(CustomLogger):  # type: ignore[misc]  # Any where litellm is absent
    """Judges each final answer against the tool results in its own request.

    on_verdict: called with the Verdict and litellm's own keyword arguments of the call, for honest
    answers too; what it raises is logged and goes no further.  Without it a lie is logged as a
    warning of the logger `agent_polygraph.litellm`.  Answers that call tools are not judged.
    """

    def __init__(
        self,
        on_verdict: Callable[[Verdict, Mapping[str, Any]], object] | None = None,
        *,
        config: Config = DEFAULT_CONFIG,
    ) -> None:
        super().__init__()
        self.on_verdict = on_verdict
        self.config = config

    def log_success_event(
        self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """litellm's hook after a synchronous call."""
        try:
            self._judge(mapping(kwargs), response_obj)
        except Exception:
            log.exception("agent-polygraph could not judge an answer")

    async def async_log_success_event(
        self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """litellm's hook after an asynchronous call."""
        self.log_success_event(kwargs, response_obj, start_time, end_time)

    def _judge(self, kwargs: Mapping[str, Any], response: Any) -> None:
        options = mapping(kwargs.get("optional_params"))
        body = {key: value for key, value in options.items() if key in BODY_KEYS}
        body["messages"] = kwargs.get("messages") or kwargs.get("input")
        data = {**body, "response": response}
        exchange = exchange_of(said_in(response), data, logged=True)
        for verdict in judge(exchange, [], self.config) if exchange else ():
            if self.on_verdict is not None:
                self.on_verdict(verdict, kwargs)
            elif verdict.is_lie:
                log.warning("%s: %s", kwargs.get("litellm_call_id"), note(verdict, "audit"))
