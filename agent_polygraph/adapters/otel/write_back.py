"""The verdict, written back to where people look at traces.

Each function makes an `emit` for `PolygraphSpanProcessor` (and takes the turns of `verify_traces`
as well).  One vocabulary everywhere: the evaluation is named `claim_honesty`, its label is the
verdict, its score 1.0 for honest and 0.0 for a lie, and an unverifiable turn has no score, so that
no average counts what nobody could see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .audit import AuditedTurn
from .sdk import SCOPE

NAME = "claim_honesty"
EVALUATION = "gen_ai.evaluation.result"  # the log record of the GenAI conventions
_ANNOTATION = "trace.evaluations.0.evaluation."  # the attributes of OpenInference
_SCORES = {"honest": 1.0, "lie": 0.0}

Emit = Callable[[AuditedTurn], None]


def score_of(turn: AuditedTurn) -> float | None:
    """1.0 honest, 0.0 lie, None unverifiable."""
    return _SCORES.get(turn.verdict.verdict)


def evaluation_log(logger_provider: Any = None) -> Emit:
    """A `gen_ai.evaluation.result` log record in the context of the turn's span.

    The form of the GenAI conventions.  logger_provider: None for the global one; without one that
    is configured nothing is emitted.
    """
    from opentelemetry._logs import LogRecord, SeverityNumber, get_logger
    from opentelemetry.trace import set_span_in_context

    def emit(turn: AuditedTurn) -> None:
        span = _context_span(turn)
        if span is None:
            return
        attributes: dict[str, Any] = {
            "gen_ai.evaluation.name": NAME,
            "gen_ai.evaluation.score.label": turn.verdict.verdict,
            "gen_ai.evaluation.explanation": turn.explanation,
            "agent_polygraph.detector_version": turn.verdict.detector_version,
        }
        score = score_of(turn)
        if score is not None:
            attributes["gen_ai.evaluation.score.value"] = score
        if turn.verdict.category:
            attributes["agent_polygraph.category"] = turn.verdict.category
        get_logger(SCOPE, logger_provider=logger_provider).emit(
            LogRecord(
                event_name=EVALUATION,
                context=set_span_in_context(span),
                severity_number=SeverityNumber.INFO,
                attributes=attributes,
            )
        )

    return emit


def evaluator_span(tracer_provider: Any = None) -> Emit:
    """An OpenInference EVALUATOR span with one link: to the turn's span.

    The carrier of spec/annotations.md.  tracer_provider: None for the global one.
    """
    from opentelemetry.context import Context
    from opentelemetry.trace import Link, get_tracer

    def emit(turn: AuditedTurn) -> None:
        target = _context_span(turn)
        if target is None:
            return
        attributes: dict[str, Any] = {
            "openinference.span.kind": "EVALUATOR",
            **annotation(turn),
        }
        tracer = get_tracer(SCOPE, tracer_provider=tracer_provider)
        tracer.start_span(
            f"evaluation {NAME}",
            context=Context(),  # a trace of its own
            links=[Link(target.get_span_context())],
            attributes=attributes,
        ).end()

    return emit


def annotation(turn: AuditedTurn) -> dict[str, Any]:
    """The verdict as OpenInference evaluation attributes."""
    found: dict[str, Any] = {
        "name": NAME,
        "label": turn.verdict.verdict,
        "explanation": turn.explanation,
        "annotator_kind": "CODE",
        "identifier": f"{SCOPE}-{turn.verdict.detector_version}",
    }
    score = score_of(turn)
    if score is not None:
        found["score"] = score
    return {_ANNOTATION + key: value for key, value in found.items()}


def phoenix_annotations(send: Callable[[dict[str, Any]], Any]) -> Emit:
    """Span annotations of Phoenix, through whatever sends them.

    send: takes the JSON body for `POST /v1/span_annotations?sync=false`.  Not `sync=true`: that
    answers 404 for a span which has not arrived yet, and the verdict is often faster than the
    exporter.  The identifier makes a second verdict on a turn replace the first.
    """

    def emit(turn: AuditedTurn) -> None:
        result: dict[str, Any] = {
            "label": turn.verdict.verdict,
            "explanation": turn.explanation,
        }
        score = score_of(turn)
        if score is not None:
            result["score"] = score
        send(
            {
                "data": [
                    {
                        "span_id": turn.span_id,
                        "name": NAME,
                        "annotator_kind": "CODE",
                        "identifier": SCOPE,
                        "result": result,
                        "metadata": _metadata(turn),
                    }
                ]
            }
        )

    return emit


def langfuse_scores(create_score: Callable[..., Any]) -> Emit:
    """Scores of Langfuse: `langfuse_scores(client.create_score)`.

    A categorical score, the verdict; its id is made of the turn's, so a second verdict on a turn
    replaces the first.
    """

    def emit(turn: AuditedTurn) -> None:
        create_score(
            name=NAME,
            value=turn.verdict.verdict,
            data_type="CATEGORICAL",
            trace_id=turn.trace_id,
            observation_id=turn.span_id,
            score_id=f"{SCOPE}-{turn.trace_id}-{turn.span_id}",
            comment=turn.explanation,
            metadata=_metadata(turn),
        )

    return emit


def _metadata(turn: AuditedTurn) -> dict[str, Any]:
    verdict = turn.verdict
    return {
        "detector_version": verdict.detector_version,
        "category": verdict.category,
        "checks": [finding.check for finding in verdict.evidence],
        "flags": list(verdict.flags),
        "confidence": verdict.confidence,
    }


def _context_span(turn: AuditedTurn) -> Any:
    """A span that only carries the context of the turn's; None where its ids are none."""
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

    try:
        context = SpanContext(
            int(turn.trace_id, 16), int(turn.span_id, 16), False, TraceFlags(TraceFlags.SAMPLED)
        )
    except ValueError:
        return None
    return NonRecordingSpan(context) if context.is_valid else None
