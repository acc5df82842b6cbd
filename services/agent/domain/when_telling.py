"""Moments in words: with the weekday, in both languages, the year where it is another one."""

from datetime import date, datetime

from services.agent.domain.text import Text
from services.agent.domain.when import Standpoint

DAYS_ZH = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
DAYS_EN = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def moment(instant: datetime, at: Standpoint) -> Text:
    """12月13日 周日 23:59."""
    local = instant.astimezone(at.zone)
    told = day(local.date(), at)
    return Text(f"{told.zh} {local:%H:%M}", f"{told.en} {local:%H:%M}")


def day(on: date, at: Standpoint) -> Text:
    """12月13日 周日."""
    zh = f"{on.month}月{on.day}日 {DAYS_ZH[on.weekday()]}"
    en = f"{DAYS_EN[on.weekday()]} {on:%m-%d}"
    if on.year == at.today.year:
        return Text(zh, en)
    return Text(f"{on.year}年{zh}", f"{DAYS_EN[on.weekday()]} {on:%Y-%m-%d}")


def days(first: date, last: date, at: Standpoint) -> Text:
    """One day, or the first and the last."""
    begins, ends = day(first, at), day(last, at)
    if first == last:
        return begins
    return Text(f"{begins.zh} 到 {ends.zh}", f"{begins.en} to {ends.en}")
