import pytest

from standins.feishu.faults import Fault, Script, read_script
from standins.feishu.rates import Limits, Rates
from standins.serving.fields import ScriptError
from standins.serving.script import MAX_QUEUED


def test_a_single_fault_and_a_list_are_read() -> None:
    assert read_script({"code": 19024, "http": 200}) == ("", ((Fault(code=19024, http=200), 1),))
    token, faults = read_script(
        {
            "token": "t1",
            "faults": [
                {"http": 429, "headers": {"x-ogw-ratelimit-reset": "3"}, "times": 2},
                {"delay_ms": 5, "hold": True},
                {"body": "{}", "accepted": True},
                {"reset": True, "times": "always"},
                {"accept_then_drop": True},
                {"code": 230020, "http": 400, "msg": "频率"},
            ],
        }
    )
    assert token == "t1"
    assert faults == (
        (Fault(http=429, headers=(("x-ogw-ratelimit-reset", "3"),)), 2),
        (Fault(delay_ms=5, hold=True), 1),
        (Fault(body="{}", accepted=True), 1),
        (Fault(reset=True), None),
        (Fault(accept_then_drop=True), 1),
        (Fault(code=230020, http=400, msg="频率"), 1),
    )


@pytest.mark.parametrize(
    "script",
    [
        None,
        [],
        {},
        {"token": 3, "code": 1},
        {"faults": []},
        {"faults": {}},
        {"faults": [{}]},
        {"faults": [{"explode": True}]},
        {"code": "1"},
        {"code": True},
        {"http": 99},
        {"http": 600},
        {"body": 3},
        {"headers": [], "http": 200},
        {"headers": {"a": "b\r\nc: d"}, "http": 200},
        {"headers": {"a": 3}, "http": 200},
        {"delay_ms": -1},
        {"delay_ms": 10**9},
        {"hold": 1},
        {"times": 0, "reset": True},
        {"code": 1, "body": "{}"},
        {"reset": True, "accept_then_drop": True},
    ],
)
def test_a_script_that_cannot_be_read_is_refused(script: object) -> None:
    with pytest.raises(ScriptError):
        read_script(script)


def test_faults_are_taken_in_order_the_tokens_own_first() -> None:
    script = Script()
    script.add("", ((Fault(code=1), 1),))
    script.add("t1", ((Fault(code=2), 2), (Fault(code=3), 1)))
    taken = [script.take("t1") for _ in range(5)]
    assert [fault.code if fault else None for fault in taken] == [2, 2, 3, 1, None]


def test_a_fault_for_another_token_is_left_alone() -> None:
    script = Script()
    script.add("t2", ((Fault(code=2), 1),))
    assert script.take("t1") is None
    assert script.take("t2") == Fault(code=2)


def test_a_lasting_fault_ends_when_cleared() -> None:
    script = Script()
    script.add("", ((Fault(http=500), None),))
    assert [script.take("t") for _ in range(3)] == [Fault(http=500)] * 3
    assert list(script.waiting()) == [("", "http 500", "always")]
    script.clear()
    assert script.take("t") is None


def test_the_line_of_faults_is_bounded() -> None:
    script = Script()
    script.add("", ((Fault(code=1), 1),) * MAX_QUEUED)
    with pytest.raises(ScriptError):
        script.add("", ((Fault(code=1), 1),))


def test_five_a_second_pass_and_the_sixth_does_not() -> None:
    rates = Rates(Limits(5, 100))
    assert [rates.admit("t", now=10.0 + i / 100) for i in range(6)] == [True] * 5 + [False]
    assert rates.admit("other", now=10.05)
    assert rates.admit("t", now=11.0)


def test_a_hundred_a_minute_pass_however_spread() -> None:
    rates = Rates(Limits(5, 100))
    passed = [rates.admit("t", now=i * 0.5) for i in range(119)]
    assert passed == [True] * 100 + [False] * 19
    assert rates.admit("t", now=60.1)


def test_refused_requests_use_up_nothing() -> None:
    rates = Rates(Limits(1, 0))
    assert [rates.admit("t", now=0.0 + i / 10) for i in range(10)] == [True] + [False] * 9
    assert rates.admit("t", now=1.05)


def test_limits_of_zero_are_none() -> None:
    rates = Rates(Limits(0, 0))
    assert all(rates.admit("t", now=0.0) for _ in range(1000))
