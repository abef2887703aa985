"""The guardrail's own settings, read from what litellm hands a guardrail.

litellm passes every field of its own parameter model, with the defaults of three dozen vendors among
them (`action="block"`, `on_flagged="block"`, `version=2`), so ours begin with `polygraph_` and nothing
else is looked at.  A setting that is wrong is an error: litellm starts the proxy *without* a guardrail
whose constructor raises ValueError or TypeError, which is why `PolygraphConfigError` is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from ...checks import all_checks
from ...config import DEFAULT_CONFIG, Config
from .._shape import field_of

PREFIX = "polygraph_"
ACTIONS = ("audit", "annotate", "replace", "block")
MODES = ("post_call", "logging_only")
_CHECK_LISTS = ("select", "ignore", "block_on")
_OPTIONS = tuple(f"{PREFIX}{name}" for name in ("action", "on_fault", "block_loose", *_CHECK_LISTS))


class PolygraphConfigError(Exception):
    """A setting of the guardrail is wrong.  The proxy does not start."""


@dataclass(frozen=True, slots=True)
class Options:
    """action: what to do about a lie.  on_fault: whether an answer that a fault in here left unjudged
    passes ("open") or is held back too ("closed").  config: the settings of the verdicts."""

    action: str = "audit"
    on_fault: str = "open"
    config: Config = DEFAULT_CONFIG


def options_of(given: Mapping[str, Any], mode: Any, config: Config = DEFAULT_CONFIG) -> Options:
    """The settings among a guardrail's keyword arguments.

    given: the arguments; those that do not begin with `polygraph_` are others'.  mode: the
    guardrail's `mode`.  PolygraphConfigError for a setting that does not exist, for a value that it
    can't have, and for an action that `mode` leaves no room for.
    """
    if not isinstance(config, Config):
        raise PolygraphConfigError(
            "polygraph_config is for subclasses, which pass a Config; in config.yaml there are "
            + ", ".join(_OPTIONS)
        )
    own = {name: value for name, value in given.items() if name.startswith(PREFIX)}
    for name in own:
        if name not in _OPTIONS:
            near = get_close_matches(name, _OPTIONS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_OPTIONS)}"
            raise PolygraphConfigError(f"{name} is no setting; {hint}")
    action = own.get("polygraph_action", "audit")
    if action not in ACTIONS:
        raise PolygraphConfigError(
            f"polygraph_action is {action!r}; it has to be one of {', '.join(ACTIONS)}"
        )
    modes = modes_of(mode)
    strange = [name for name in modes if name not in MODES]
    if strange or not modes:
        raise PolygraphConfigError(
            f"mode is {', '.join(strange) or 'missing'}; it has to be {' or '.join(MODES)}"
        )
    if action != "audit" and "post_call" not in modes:
        raise PolygraphConfigError(
            f"polygraph_action is {action!r} and mode is logging_only, which sees an answer after it "
            "was delivered; use mode post_call, or action audit"
        )
    fault = own.get("polygraph_on_fault", "open")
    if fault not in ("open", "closed"):
        raise PolygraphConfigError(f"polygraph_on_fault is {fault!r}; it has to be open or closed")
    if fault == "closed" and action not in ("replace", "block"):
        raise PolygraphConfigError(
            f"polygraph_on_fault: closed holds answers back, and polygraph_action {action} never does"
        )
    named: dict[str, Any] = {
        name: _checks(name, own[PREFIX + name]) for name in _CHECK_LISTS if PREFIX + name in own
    }
    loose = own.get("polygraph_block_loose", config.block_loose)
    if not isinstance(loose, bool):
        raise PolygraphConfigError(
            f"polygraph_block_loose is {loose!r}; it has to be true or false"
        )
    return Options(action, fault, replace(config, block_loose=loose, **named))


def modes_of(mode: Any) -> list[str]:
    """The names in a guardrail's `mode`: a name, a list of them, or litellm's table by tags.

    The table as config.yaml has it, or as litellm's object.
    """
    if mode is None:
        return []
    if isinstance(mode, str):
        return [str(getattr(mode, "value", mode))]
    if isinstance(mode, (list, tuple)):
        return [name for each in mode for name in modes_of(each)]
    tags = field_of(mode, "tags")
    named = [*(tags.values() if isinstance(tags, Mapping) else ()), field_of(mode, "default")]
    return [name for each in named for name in modes_of(each)]


def _checks(name: str, given: Any) -> tuple[str, ...]:
    ids = [given] if isinstance(given, str) else given
    known = {name: check.id for check in all_checks() for name in (check.id, check.code)}
    if not isinstance(ids, (list, tuple)) or not all(isinstance(each, str) for each in ids):
        raise PolygraphConfigError(
            f"{PREFIX}{name} is {given!r}; it has to be a list of check names"
        )
    for each in ids:
        if each not in known:
            near = get_close_matches(each, known, 1)
            hint = f"did you mean {near[0]}?" if near else "`agent-polygraph checks` lists them"
            raise PolygraphConfigError(f"{PREFIX}{name} names {each!r}, which is no check; {hint}")
    return tuple(known[each] for each in ids)
