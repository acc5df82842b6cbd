"""The pages say what the code says."""

from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from prometheus_client import CollectorRegistry, Counter
from pydantic import Field
from pydantic_settings import BaseSettings

from libs.events import envelope
from scripts import decision_table_doc, events_doc, metrics_doc, settings_doc, tools_doc
from smartmate.events.v1 import events_pb2
from tests.contract import doc_rules, tracked

ROOT = tracked.ROOT


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [events_doc, settings_doc, metrics_doc, tools_doc, decision_table_doc],
    ids=["events", "settings", "metrics", "tools", "decisions"],
)
def test_a_generated_page_is_current(page: ModuleType) -> None:
    written = page.PAGE.read_text(encoding="utf-8")

    assert written == page.render(), "generate it again by  make docs"


def test_the_page_of_events_names_every_header_that_an_event_carries() -> None:
    headers = envelope.headers_for(
        events_pb2.TaskChanged(user_id=1),
        event_id=envelope.uuid7(),
        user_id=1,
        at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    table = text("docs/events.md").partition("## Headers")[2].partition("\n## ")[0]

    assert [name for name in headers if f"| `{name}` |" not in table] == []


def test_the_listener_on_the_page_of_events_is_a_program_of_at_most_twenty_lines() -> None:
    program = events_doc.example(text("docs/events.md"))

    compile(program, "listener", "exec")
    assert len(program.splitlines()) <= 20


def test_a_page_without_a_listener_is_noticed() -> None:
    with pytest.raises(ValueError, match="shows no Python program"):
        events_doc.example("# Events\n")


def test_a_setting_without_a_description_is_noticed() -> None:
    class Silent(BaseSettings):
        said: int = Field(1, description="Something")
        unsaid: int = 2

    with pytest.raises(LookupError, match="unsaid has no description"):
        list(settings_doc.of(Silent))


def test_a_variable_has_one_default_whichever_service_reads_it() -> None:
    assert settings_doc.conflicts(settings_doc.by_service()) == []


def test_a_variable_with_two_defaults_is_noticed() -> None:
    one = settings_doc.Setting("SMARTMATE_X", "number", "`1`", "This.")
    other = settings_doc.Setting("SMARTMATE_X", "number", "`2`", "That.")

    assert settings_doc.conflicts({"a": [one], "b": [one]}) == []
    assert settings_doc.conflicts({"a": [one], "b": [other]}) == ["SMARTMATE_X: `1` in a, `2` in b"]


def module_with(metric: Counter) -> ModuleType:
    module = ModuleType("counting")
    module.__dict__["METRIC"] = metric
    return module


def test_a_metric_is_told_by_the_name_under_which_it_is_scraped() -> None:
    metric = Counter("smartmate_x", "Seen.", ["kind"], registry=CollectorRegistry())

    (figure,) = metrics_doc.of(module_with(metric))

    assert figure == metrics_doc.Figure("smartmate_x_total", "counter", ("kind",), "Seen.")
    page = f"## `y`\n\n{figure.row()}\n"
    assert metrics_doc.names(page) == {"y": ["smartmate_x_total"]}


@pytest.mark.parametrize(
    ("name", "meaning", "complaint"),
    [("x", "Seen.", "does not begin with smartmate_"), ("smartmate_x", "", "no description")],
)
def test_a_metric_that_is_foreign_or_silent_is_noticed(
    name: str, meaning: str, complaint: str
) -> None:
    metric = Counter(name, meaning, registry=CollectorRegistry())

    with pytest.raises(LookupError, match=complaint):
        list(metrics_doc.of(module_with(metric)))


def test_every_link_leads_somewhere() -> None:
    assert list(doc_rules.broken_links(ROOT, tracked.files())) == []


@pytest.mark.parametrize(
    ("link", "complaint"),
    [("gone.md", "is not there"), ("#nowhere", "no such heading"), ("a.md#there", "no such")],
)
def test_a_link_that_leads_nowhere_is_noticed(link: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"# Here\n[x]({link}) [y](#here)\n", encoding="utf-8")

    (found,) = doc_rules.broken_links(tmp_path, ["a.md"])

    assert complaint in found


def test_both_readmes_say_the_same() -> None:
    assert doc_rules.differences(text("README.md"), text("README.zh-CN.md")) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## Two", ""),
        ("make test", "make tests"),
        ("| a | b |", ""),
        ("(docs/x.md)", "(docs/y.md)"),
    ],
)
def test_a_readme_that_lags_behind_is_noticed(before: str, after: str) -> None:
    page = "# One\n## Two\n```sh\nmake test  # all\n```\n| a | b |\n[x](docs/x.md)\n"

    assert doc_rules.differences(page, page.replace("all", "全部")) == []
    assert doc_rules.differences(page, page.replace(before, after)) != []


def test_every_dependency_has_a_reason_on_record() -> None:
    names = doc_rules.requirements(text("requirements.in"))
    records = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/adr/*.md"))

    assert len(names) > 20
    assert doc_rules.without_reason(names, records) == []


def test_a_dependency_without_a_reason_is_noticed() -> None:
    names = doc_rules.requirements("# why\n-r other.txt\nfastapi\nsqlalchemy[asyncio]>=2\n")

    assert doc_rules.without_reason(names, "`fastapi` is the edge") == ["sqlalchemy"]


def test_every_decision_record_is_whole() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("*.md"))

    assert len(records) >= 4
    assert [
        line
        for path in records
        for line in doc_rules.unfinished(path.name, path.read_text(encoding="utf-8"))
    ] == []


def test_a_decision_record_that_lacks_a_part_is_noticed() -> None:
    record = "# 0007. Title\n\nDate: 2026-11-30\n\n## Status\n\n## Context\n\n## Decision\n"

    assert list(doc_rules.unfinished("0007-title.md", record)) == [
        "0007-title.md: has no Consequences"
    ]
    assert list(doc_rules.unfinished("0008-title.md", record + "\n## Consequences\n")) == [
        "0008-title.md: does not begin with its number and title"
    ]
