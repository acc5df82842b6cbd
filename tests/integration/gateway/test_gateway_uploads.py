"""The form that carries a file: ours alone, small enough, and whatever else is sent refused."""

from typing import Any

import httpx2
import pytest

from tests.integration.gateway.people import PAGE, Gateway, Person

HERE = "/timetable"
FILE = {"file": ("课表.json", b'{"kbList": []}', "application/json")}


def _form(person: Person, running: Gateway, **more: str) -> dict[str, str]:
    return {"csrf_token": person.csrf(running), "format": "auto", **more}


async def test_our_own_upload_gets_as_far_as_the_service(running: Gateway, person: Person) -> None:
    answer = await person.http.post(HERE, data=_form(person, running), files=FILE)
    assert answer.status_code == 503
    assert "服务暂时没有回应" in answer.text


@pytest.mark.parametrize("token", [{}, {"csrf_token": ""}, {"csrf_token": "x" * 43}])
async def test_an_upload_without_our_token_is_refused(
    person: Person, token: dict[str, str]
) -> None:
    answer = await person.http.post(HERE, data=token, files=FILE)
    assert answer.status_code == 403
    assert "text/html" in answer.headers["content-type"]


async def test_an_upload_from_another_site_is_refused(running: Gateway, person: Person) -> None:
    answer = await person.http.post(
        HERE,
        data=_form(person, running),
        files=FILE,
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 403


async def test_who_is_not_signed_in_is_led_to_sign_in(http: httpx2.AsyncClient) -> None:
    answer = await http.post(HERE, files=FILE, headers={"Referer": "http://x/timetable"})
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/sign-in?next=%2Ftimetable",
    )


async def test_a_file_that_is_too_large_is_refused_in_words(
    running: Gateway, person: Person
) -> None:
    large = {"file": ("课表.json", b"x" * (2 * 1024 * 1024 + 1), "application/json")}
    answer = await person.http.post(HERE, data=_form(person, running), files=large)
    assert answer.status_code == 413
    assert "最多 2 MiB" in answer.text


@pytest.mark.parametrize(
    "files",
    [
        [("file", ("a", b"{}")), ("file", ("b", b"{}"))],
        [("file", ("a", b"{}")), ("other", ("b", b"{}"))],
        [(f"field{n}", (None, b"x")) for n in range(40)],
        [("text", (None, b"a")), ("text", (None, b"b"))],
    ],
    ids=["one file twice", "two files", "many fields", "a field twice"],
)
async def test_a_form_that_no_page_of_ours_sends_is_refused(
    running: Gateway, http: httpx2.AsyncClient, files: Any
) -> None:
    headers = {**running.bearer(7), **PAGE}
    answer = await http.post(HERE, files=files, headers=headers)
    assert answer.status_code == 400


@pytest.mark.parametrize("path", [HERE, f"{HERE}/write", f"{HERE}/semester"])
@pytest.mark.parametrize("kind", ["application/json", "text/plain", ""])
async def test_other_kinds_of_bodies_are_not_read(
    running: Gateway, http: httpx2.AsyncClient, path: str, kind: str
) -> None:
    headers = {**running.bearer(7), "Content-Type": kind}
    answer = await http.post(path, content=b"{}", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
