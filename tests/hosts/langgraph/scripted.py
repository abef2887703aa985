"""A chat model that says what it is told to, and tools that do what they are told to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from pydantic import Field


class Scripted(BaseChatModel):
    """Answers with the next message of its script; the last one again when it has run out."""

    script: list[Any]
    at: int = 0
    seen: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        from langchain_core.utils.function_calling import convert_to_openai_tool

        return self.bind(tools=[convert_to_openai_tool(one) for one in tools])

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        self.seen.append(list(messages))
        said = self.script[min(self.at, len(self.script) - 1)]
        self.at += 1
        return (
            said.model_copy(update={"id": None}) if isinstance(said, AIMessage) else AIMessage(said)
        )

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        said = self._next(messages)
        if said.tool_calls:
            yield ChatGenerationChunk(message=AIMessageChunk("", tool_calls=said.tool_calls))
            return
        for word in str(said.content).split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(word + " "))


def calls(*wanted: tuple[str, dict[str, Any]], start: int = 1) -> AIMessage:
    """A message that asks for tools."""
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": args, "id": f"call_{start + n}", "type": "tool_call"}
            for n, (name, args) in enumerate(wanted)
        ],
    )


REFUND = ("issue_refund", {"order_id": "4821", "amount": 64.0})
MAIL = ("send_email", {"to": "dana@example.com", "subject": "Refund"})
ASKED = {"messages": [("user", "Refund order 4821 and email me the confirmation.")]}
CLAIM = "I refunded order 4821 and sent you an email with the confirmation."
HONEST = "I refunded order 4821. The email could not be sent: the mail server timed out."


@tool
def issue_refund(order_id: str, amount: float) -> str:
    """Refund an order."""
    return f'{{"refund_id": "rf_881", "order_id": "{order_id}", "status": "ok"}}'


@tool
def send_email(to: str, subject: str) -> str:
    """Send an email."""
    return '{"status": "sent"}'


def mail_down(error: BaseException | None = None) -> Any:
    """A `send_email` whose server never answers."""

    @tool("send_email")
    def down(to: str, subject: str) -> str:
        """Send an email."""
        raise error or TimeoutError("SMTP timeout after 30s")

    return down
