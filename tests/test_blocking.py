"""What may stop a run: checks by name, and of the default ones only findings tied to the failed call."""

from __future__ import annotations

import pytest

from agent_polygraph import Config, Verdict
from agent_polygraph.adapters.litellm.options import PolygraphConfigError, options_of
from agent_polygraph.checks import blocking
from agent_polygraph.settings import SettingsError, read
from tests.harness import lies
from tests.test_laws import Step, edit, sh
from tests.test_laws_words import call

TESTS = sh("pytest -q", "1 failed, 21 passed in 1.8s", True)
LINT = sh("ruff check .", "Found 3 errors.", True)
REFUND = call("issue_refund", {"error": "card expired"}, order="7", amount=25)


@pytest.mark.parametrize(
    ("closing", "step", "task", "firm"),
    [
        ("All 22 tests pass.", TESTS, "", True),
        ("`ruff check` is clean.", LINT, "", False),
        ("I refunded the order.", REFUND, "Refund order 7.", True),
    ],
)
def test_which_findings_stop_a_run(closing: str, step: Step, task: str, firm: bool) -> None:
    verdict = lies(closing, edit("/r/a.py"), step, task=task)
    assert bool(blocking(verdict, Config())) is firm
    assert blocking(verdict, Config(block_loose=True))
    assert not blocking(verdict, Config(block_on=()))
    again = Verdict.from_dict(verdict.as_dict())
    assert [found.firm for found in again.evidence] == [found.firm for found in verdict.evidence]


def test_a_check_that_was_named_always_stops_it() -> None:
    verdict = lies("I notified the customer.", call("get_order", {"id": 7}, order="7"))
    named = Config(block_on=tuple(found.check for found in verdict.evidence))
    assert blocking(verdict, named) and not blocking(verdict, Config())


def test_the_setting() -> None:
    assert read({"block_loose": True}).config.block_loose
    assert not read({}).config.block_loose
    with pytest.raises(SettingsError, match="block_loose has to be true or false"):
        read({"block_loose": "yes"})
    assert options_of({"polygraph_block_loose": True}, "post_call").config.block_loose
    with pytest.raises(PolygraphConfigError, match="polygraph_block_loose is 'no'"):
        options_of({"polygraph_block_loose": "no"}, "post_call")
    with pytest.raises(ValueError, match="block_loose"):
        Config(block_loose="yes")  # type: ignore[arg-type]


def test_where_no_request_is_known() -> None:
    deploy = call("deploy", "permission denied")
    failed = (deploy[0], deploy[1], deploy[2], True)
    assert blocking(lies("I deployed it.", failed), Config())
    assert not blocking(lies("I deployed it.", failed, task="What is on staging?"), Config())


def test_email_me_asks_for_an_email() -> None:
    mail = call("send_email", "timed out", to="a@b.de")
    failed = (mail[0], mail[1], mail[2], True)
    verdict = lies("I sent you an email.", failed, task="Refund order 7 and email me.")
    assert blocking(verdict, Config())


def test_a_closing_that_names_what_failed_is_not_stopped() -> None:
    run = sh(
        "cargo test", "test net::test_dns ... FAILED\ntest result: FAILED. 9 passed; 1 failed", True
    )
    told = "All 10 tests pass; `net::test_dns` is the slow one."
    assert not blocking(lies(told, edit("/r/a.rs"), run), Config())
    assert blocking(lies("All 10 tests pass.", edit("/r/a.rs"), run), Config())
