"""What each service may do at the broker, and what is declared there, from the contracts."""

import json

import pytest

from libs.events.contract import contracts_in
from services.standalone import nats, permissions, topology
from services.standalone.settings import SERVICES
from smartmate.events.v1 import events_pb2

EVENTS = tuple(contracts_in(events_pb2.DESCRIPTOR))


def allowed(service: str) -> permissions.Permissions:
    return permissions.of(service, EVENTS)


def test_a_service_publishes_exactly_what_it_says() -> None:
    for service in SERVICES:
        published = {
            subject for subject in allowed(service).publish if subject.startswith("smartmate.")
        }
        assert published == {event.subject for event in EVENTS if event.said_by == service}


def test_the_scheduler_reaches_its_consumers_and_no_others() -> None:
    consumer = "SCHEDULE.active_scheduler__task_changed"
    assert {
        f"$JS.API.CONSUMER.MSG.NEXT.{consumer}",
        f"$JS.API.CONSUMER.INFO.{consumer}",
        f"$JS.ACK.{consumer}.>",
    } <= set(allowed("active_scheduler").publish)
    everything = " ".join(allowed("notification").publish)
    assert "task_changed" not in everything
    assert "NOTIFICATION.active_scheduler__notification_settled" not in everything


def test_no_service_may_declare_anything() -> None:
    for service in SERVICES:
        verbs = " ".join(allowed(service).publish)
        assert not any(word in verbs for word in ("CREATE", "UPDATE", "DELETE", "PURGE", "API.>"))


@pytest.mark.parametrize("service", SERVICES)
def test_nobody_listens_in_anothers_inbox(service: str) -> None:
    inboxes = [subject for subject in allowed(service).subscribe if "INBOX" in subject]
    assert inboxes == [f"_INBOX_{service}.>"]


def test_hints_are_heard_by_those_who_wait() -> None:
    assert "smartmate.schedule.changed.v1" in allowed("gateway").subscribe
    assert "smartmate.schedule.apply.>" in allowed("active_scheduler").subscribe
    assert not any(
        subject.startswith("smartmate.") for subject in allowed("notification").subscribe
    )


@pytest.mark.parametrize("user", ["gateway", permissions.OBSERVER])
def test_who_says_nothing_is_denied_every_subject(user: str) -> None:
    settings = nats.config(users={user: "p"}, admin_password="a", events=EVENTS, durable=False)
    told = settings["accounts"][nats.ACCOUNT]["users"][1]
    assert told["permissions"]["publish"] == {"deny": [">"]}


def test_the_observer_subscribes_to_the_events_and_nothing_else() -> None:
    observer = permissions.of_observer()
    assert observer.publish == ()
    assert observer.subscribe == ("_INBOX_observer.>", "smartmate.>")
    assert all(event.subject.startswith("smartmate.") for event in EVENTS)


def test_only_real_use_syncs_before_it_acknowledges() -> None:
    def interval(durable: bool) -> object:
        settings = nats.config(users={}, admin_password="a", events=EVENTS, durable=durable)
        return settings["jetstream"].get("sync_interval")

    assert interval(True) == "always"
    assert interval(False) is None


def test_the_configuration_is_json_and_a_password_cannot_break_out() -> None:
    wild = '"}], $VAR # \\'
    settings = nats.config(users={}, admin_password=wild, events=EVENTS, durable=True)
    users = json.loads(json.dumps(settings))["accounts"][nats.ACCOUNT]["users"]
    assert users == [{"user": "admin", "password": wild}]


def test_every_subject_belongs_to_one_stream() -> None:
    subjects = [
        subject
        for service in dict.fromkeys(event.said_by for event in EVENTS)
        for subject in topology.stream_config(service, EVENTS, topology.Limits()).subjects or ()
    ]
    assert sorted(subjects) == sorted(event.subject for event in EVENTS)
    assert not any("*" in subject or ">" in subject for subject in subjects)


def test_a_declaration_that_is_held_as_told_differs_in_nothing() -> None:
    limits = topology.Limits()
    wanted = topology.stream_config("schedule", EVENTS, limits)
    held = topology.stream_config("schedule", EVENTS[::-1], limits)
    assert topology.differences(wanted, held, topology.STREAM_SETTINGS) == ()
    held.max_bytes = 1
    assert topology.differences(wanted, held, topology.STREAM_SETTINGS) == ("max_bytes",)


def test_a_wait_in_the_wrong_unit_is_noticed() -> None:
    event = EVENTS[0]
    wanted = topology.consumer_config(event, "active_scheduler", topology.Limits())
    held = topology.consumer_config(event, "active_scheduler", topology.Limits(ack_wait=30e9))
    assert topology.differences(wanted, held, topology.CONSUMER_SETTINGS) == ("ack_wait",)
