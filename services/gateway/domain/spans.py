"""How long something took, in words: the two largest units that say something."""

from datetime import timedelta

from services.gateway.domain.locale import Locale

_UNITS = ((86_400, "天", "d"), (3_600, "小时", "h"), (60, "分", "min"), (1, "秒", "s"))
_TENTHS_BELOW = 10


def span(locale: Locale, took: timedelta) -> str:
    """3.5 秒, 41 秒, 15 分 7 秒, 2 小时, 3 天 4 小时; nothing is negative."""
    seconds = max(0.0, took.total_seconds())
    if seconds < _TENTHS_BELOW:
        return _join(locale, ((f"{seconds:.1f}", 3),))
    whole, found = round(seconds), []
    for index, (size, _, _) in enumerate(_UNITS):
        count, whole = divmod(whole, size)
        if count:
            found.append((str(count), index))
    first = found[0]
    beside = [one for one in found[1:2] if one[1] == first[1] + 1]
    return _join(locale, (first, *beside))


def _join(locale: Locale, parts: tuple[tuple[str, int], ...]) -> str:
    is_english = locale is Locale.EN
    return " ".join(f"{count} {_UNITS[index][1 + is_english]}" for count, index in parts)
