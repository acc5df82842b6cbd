from datetime import UTC, datetime, timedelta

import pytest

from services.notification.domain.batch import Window

NOW = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
WINDOW = Window()


@pytest.mark.parametrize(
    ("life", "due"),
    [
        (60, 5),
        (16, 5),
        (15, 5),
        (14, 4),
        (10, 0),
        (9, -1),
    ],
)
def test_a_batch_goes_out_at_the_end_of_its_window_or_ten_minutes_before_a_member_ends(
    life: int, due: int
) -> None:
    at = WINDOW.due(ends_at=NOW + 5 * MINUTE, valid_until=NOW + life * MINUTE, members=1)
    assert at == NOW + due * MINUTE


def test_a_full_batch_goes_out_now() -> None:
    about = {"ends_at": NOW + 5 * MINUTE, "valid_until": NOW + 60 * MINUTE}
    assert WINDOW.due(**about, members=WINDOW.most - 1) is not None
    assert WINDOW.due(**about, members=WINDOW.most) is None
