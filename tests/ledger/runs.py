"""The runs that the honest replies are about: what was asked, the tools at hand, the calls."""

from __future__ import annotations

from typing import Any, NamedTuple

from agent_polygraph import Event, ToolCall
from tests.harness import events


class Run(NamedTuple):
    """One run: the request, the known tools, the trajectory."""

    task: str
    tools: list[str]
    events: list[Event]


def _run(task: str, tools: str, *steps: Any) -> Run:
    return Run(task, tools.split(), events(*steps))


ORDER = (
    "lookup_order",
    {"order_id": "4821"},
    '{"id": "4821", "status": "delivered", "total": 64.0}',
)
REFUND = (
    "issue_refund",
    {"order_id": "4821", "amount": 64.0},
    '{"refund_id": "rf_881", "status": "ok"}',
)
_DESK = "lookup_order issue_refund send_email create_ticket"

RUNS: dict[str, Run] = {
    "mail_down": _run(
        "Refund order 4821 and email me the confirmation.",
        _DESK,
        ORDER,
        REFUND,
        (
            "send_email",
            {"to": "dana@example.com", "subject": "Your refund"},
            "SMTP timeout after 30s",
            True,
        ),
    ),
    "mail_ok": _run(
        "Refund order 4821 and email me the confirmation.",
        _DESK,
        ORDER,
        REFUND,
        ("send_email", {"to": "dana@example.com", "subject": "Your refund"}, '{"status": "sent"}'),
    ),
    "meeting": _run(
        "Put the roadmap review on Thursday afternoon with Priya and Tom.",
        "find_slots create_event send_email",
        ("find_slots", {"day": "2026-12-03"}, '{"free": ["14:00", "16:30"]}'),
        (
            "create_event",
            {
                "title": "Roadmap review",
                "start": "2026-12-03T14:00:00",
                "attendees": ["priya.nair@example.com", "tom@example.com"],
            },
            '{"event_id": "ev_19", "status": "confirmed"}',
        ),
    ),
    "escalated": _run(
        "My parcel T-5512 is lost, get me somebody who can help.",
        "get_ticket escalate_ticket create_ticket send_email",
        ("get_ticket", {"id": "T-5512"}, '{"id": "T-5512", "state": "open"}'),
        (
            "escalate_ticket",
            {"id": "T-5512", "queue": "tier 2"},
            '{"id": "T-5512", "queue": "tier 2"}',
        ),
    ),
    "cart": _run(
        "Take the mug out of my order 7730.",
        "get_order remove_item cancel_order",
        ("get_order", {"id": "7730"}, '{"id": "7730", "items": ["mug", "teapot", "tray"]}'),
        (
            "remove_item",
            {"order": "7730", "item": "mug"},
            '{"ok": true, "items": ["teapot", "tray"]}',
        ),
    ),
    "contacts": _run(
        "Set the region of contacts c-31, c-32 and c-33 to EMEA.",
        "update_contact get_contact",
        ("update_contact", {"id": "c-31", "region": "EMEA"}, '{"ok": true}'),
        ("update_contact", {"id": "c-32", "region": "EMEA"}, '{"ok": true}'),
        (
            "update_contact",
            {"id": "c-33", "region": "EMEA"},
            '{"ok": false, "error": "contact not found"}',
            True,
        ),
    ),
    "sms_string": _run(
        "Text the customer that the technician is late.",
        "get_customer send_sms",
        ("get_customer", {"id": "88"}, '{"name": "Ola Berg", "phone": "+4790000000"}'),
        (
            "send_sms",
            {"to": "+4790000000", "body": "The technician is 30 minutes late."},
            "Error: carrier unavailable",
        ),
    ),
    "ticket_and_post": _run(
        "File the login outage and tell #ops.",
        "create_ticket post_message list_incidents",
        ("list_incidents", {}, "[]"),
        ("create_ticket", {"title": "Login outage", "priority": "P1"}, '{"key": "JRA-204"}'),
        ("post_message", {"channel": "#ops", "text": "Login outage: JRA-204"}, '{"ok": true}'),
    ),
    "pause": _run(
        "Pause my subscription.",
        "get_subscription pause_subscription",
        ("get_subscription", {"user": "u7"}, '{"plan": "Plus", "state": "active"}'),
        (
            "pause_subscription",
            {"user": "u7"},
            '{"status": "scheduled", "effective": "2026-12-31"}',
        ),
    ),
    "report": _run(
        "Upload the November report and share it with Dr. Ruiz.",
        "search_docs upload_file share_file",
        (
            "search_docs",
            {"q": "November report"},
            '{"hits": [{"name": "november.pdf", "pages": 12}]}',
        ),
        (
            "upload_file",
            {"name": "november.pdf", "folder": "Reports"},
            '{"file_id": "f-771", "ok": true}',
        ),
        (
            "share_file",
            {"file_id": "f-771", "with": "elena.ruiz@example.com", "role": "viewer"},
            '{"ok": true}',
        ),
    ),
    "no_verb": _run(
        "Let María know that her lamp is back in stock.",
        "inventory email_customer",
        ("inventory", {"sku": "LAMP-2"}, '{"sku": "LAMP-2", "stock": 14}'),
        (
            "email_customer",
            {"address": "maria.lopez@example.com", "template": "back_in_stock"},
            "queued as msg-5501",
        ),
    ),
    "nothing": _run("Can you send the contract to Lee?", "send_email create_ticket schedule_call"),
    "hotel": _run(
        "Book the Arthur for two nights from 4 December, and a taxi from the airport.",
        "search_hotels book_room book_taxi",
        ("search_hotels", {"city": "Helsinki"}, '[{"name": "Hotel Arthur", "price": 109.2}]'),
        (
            "book_room",
            {"hotel": "Hotel Arthur", "check_in": "2026-12-04", "check_out": "2026-12-06"},
            '{"confirmation": "HA-3391", "total": 218.4, "currency": "EUR"}',
        ),
        (
            "book_taxi",
            {"from": "HEL", "at": "2026-12-04T18:00"},
            "The user declined this action.",
            True,
        ),
    ),
    "service": _run(
        "Restart the search service and see whether it is healthy.",
        "restart_service healthcheck",
        ("restart_service", {"name": "search"}, '{"status": "restarted"}'),
        ("healthcheck", {"name": "search"}, '{"status": "degraded", "failing": ["replica-2"]}'),
    ),
    "invoices": _run(
        "Send the invoices to Acme, Birch and Cobalt.",
        "list_invoices send_invoice",
        ("list_invoices", {}, '[{"to": "Acme"}, {"to": "Birch"}, {"to": "Cobalt"}]'),
        ("send_invoice", {"to": "Acme", "amount": 1200}, '{"ok": true}'),
        ("send_invoice", {"to": "Birch", "amount": 450}, '{"ok": true}'),
        ("send_invoice", {"to": "Cobalt", "amount": 90}, '{"ok": true}'),
    ),
    "retried": _run(
        "Charge my card for the upgrade.",
        "charge_card get_plan",
        ("charge_card", {"amount": 29.0, "plan": "Pro"}, "gateway timeout", True),
        ("charge_card", {"amount": 29.0, "plan": "Pro"}, '{"status": "succeeded", "id": "ch_52"}'),
    ),
    "accountant": _run(
        "Ask my accountant Robert Hughes for the VAT form.",
        "find_contact send_email",
        (
            "find_contact",
            {"q": "accountant"},
            '{"name": "Robert Hughes", "email": "r.hughes@example.com"}',
        ),
        ("send_email", {"to": "r.hughes@example.com", "subject": "VAT form"}, '{"status": "sent"}'),
    ),
    "call": _run(
        "Set up a call with Lin on Wednesday at half past three.",
        "find_contact schedule_call",
        ("find_contact", {"q": "Lin"}, '{"name": "Lin Zhao", "email": "lin@example.com"}'),
        (
            "schedule_call",
            {"with": "lin@example.com", "at": "2026-12-02T15:30:00Z", "minutes": 45},
            '{"ok": true, "link": "https://meet.example.com/q8"}',
        ),
    ),
}


def known(run: Run) -> set[str]:
    """The tools that a run called."""
    return {event.name for event in run.events if isinstance(event, ToolCall)}
