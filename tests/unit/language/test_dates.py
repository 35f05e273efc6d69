"""Days, times and durations as people say them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from forms_dynamics.language.dates import find_dates, find_ranges, read_date, read_range
from forms_dynamics.language.durations import find_durations, read_duration
from forms_dynamics.language.times import find_datetimes, find_times, read_datetime
from forms_dynamics.model.value import Range

EAST = timezone(timedelta(hours=8))


def at(day: str, clock: str = "10:00") -> datetime:
    return datetime.fromisoformat(f"{day}T{clock}:00+08:00")


def said(raw: str, day: str, order: str | None = None, context: str = "") -> object:
    found = read_date(raw, at(day), order, context=context)
    return None if found is None else found.value


def span(first: str, last: str) -> Range:
    return Range(date.fromisoformat(first), date.fromisoformat(last))


# 2026-11-18 is a Wednesday, 2026-11-24 a Tuesday
@pytest.mark.parametrize(
    ("raw", "day", "expected"),
    [
        ("today", "2026-11-18", "2026-11-18"),
        ("tomorrow", "2026-11-18", "2026-11-19"),
        ("yesterday", "2023-05-08", "2023-05-07"),
        ("the day after tomorrow", "2026-11-18", "2026-11-20"),
        ("this Friday", "2026-11-18", "2026-11-20"),
        ("next Friday", "2026-11-18", "2026-11-27"),  # the Friday of next week
        ("last Friday", "2026-11-18", "2026-11-13"),
        ("Friday", "2026-11-18", "2026-11-20"),
        ("by Friday", "2026-11-18", "2026-11-20"),
        ("Friday of next week", "2026-11-18", "2026-11-27"),
        ("next week Friday", "2026-11-18", "2026-11-27"),
        ("Monday of last week", "2026-11-18", "2026-11-09"),
        ("in two weeks", "2026-11-18", "2026-12-02"),
        ("last Monday of November", "2026-11-18", "2026-11-30"),
        ("the second Friday of next month", "2026-11-18", "2026-12-11"),
        ("within 10 days", "2026-11-18", "2026-11-28"),
        ("a month ago", "2026-11-18", "2026-10-18"),
        ("3 days from now", "2026-11-18", "2026-11-21"),
        ("end of month", "2026-11-18", "2026-11-30"),
        ("end of next month", "2026-11-18", "2026-12-31"),
        ("the end of the year", "2026-11-18", "2026-12-31"),
        ("end of August", "2026-06-05", "2026-08-31"),
        ("end of Q3", "2026-06-05", "2026-09-30"),
        ("by June 30", "2026-04-02", "2026-06-30"),
        ("June 30th 2026", "2026-11-18", "2026-06-30"),
        ("30 June", "2026-04-02", "2026-06-30"),
        ("30th of June, 2027", "2026-04-02", "2027-06-30"),
        ("October 1", "2026-08-04", "2026-10-01"),
        ("May 29, 2026", "2026-04-04", "2026-05-29"),
        ("2026-05-29", "2026-04-04", "2026-05-29"),
        ("the 5th of next month", "2026-11-18", "2026-12-05"),
        ("on the 5th", "2026-11-18", "2026-12-05"),
        ("15.09.2026", "2026-04-04", "2026-09-15"),
        ("13/04/2026", "2026-04-04", "2026-04-13"),
        ("今天", "2026-11-24", "2026-11-24"),
        ("明天", "2026-11-24", "2026-11-25"),
        ("后天", "2026-11-24", "2026-11-26"),
        ("大后天", "2026-11-24", "2026-11-27"),
        ("昨天", "2026-04-01", "2026-03-31"),
        ("前天", "2026-11-24", "2026-11-22"),
        ("今晚", "2026-11-24", "2026-11-24"),
        ("这周周三", "2026-11-24", "2026-11-25"),
        ("这周三", "2026-11-24", "2026-11-25"),
        ("本周五", "2026-11-24", "2026-11-27"),
        ("上周周五", "2026-11-24", "2026-11-20"),
        ("下周三", "2026-11-24", "2026-12-02"),
        ("下下周一", "2026-11-24", "2026-12-07"),
        ("星期天", "2026-11-24", "2026-11-29"),
        ("礼拜二", "2026-11-24", "2026-11-24"),
        ("月底", "2026-11-24", "2026-11-30"),
        ("本月底", "2026-02-03", "2026-02-28"),
        ("下月底", "2026-11-24", "2026-12-31"),
        ("8月底", "2026-06-05", "2026-08-31"),
        ("年底前", "2026-06-05", "2026-12-31"),
        ("明年年底", "2026-06-05", "2027-12-31"),
        ("上个月最后一天", "2027-01-05", "2026-12-31"),
        ("下个月5号", "2026-12-21", "2027-01-05"),
        ("15号", "2026-11-24", "2026-12-15"),
        ("6月30日前", "2026-04-01", "2026-06-30"),
        ("6月20号", "2026-03-01", "2026-06-20"),
        ("9月30日", "2026-09-01", "2026-09-30"),
        ("十二月三号", "2026-11-24", "2026-12-03"),
        ("1月5日", "2026-12-20", "2027-01-05"),
        ("明年1月1日", "2026-11-20", "2027-01-01"),
        ("去年8月15日", "2026-11-20", "2025-08-15"),
        ("一个月后", "2027-01-31", "2027-02-28"),  # clamped
        ("两周后", "2026-11-24", "2026-12-08"),
        ("三天内", "2026-11-24", "2026-11-27"),
        ("半年后", "2026-11-24", "2027-05-24"),
        ("一年半后", "2026-11-24", "2028-05-24"),
        ("10天前", "2026-11-24", "2026-11-14"),
        ("2026年9月15日", "2026-11-24", "2026-09-15"),
        ("二〇二六年九月十五日", "2026-11-24", "2026-09-15"),
        ("２０２６年９月１５日", "2026-11-24", "2026-09-15"),
        ("2026/9/15", "2026-11-24", "2026-09-15"),
        ("2026.9.15", "2026-11-24", "2026-09-15"),
        ("下週三", "2026-11-24", "2026-12-02"),  # traditional script
    ],
)
def test_a_day(raw: str, day: str, expected: str) -> None:
    assert said(raw, day) == date.fromisoformat(expected)


@pytest.mark.parametrize(
    ("raw", "day", "expected"),
    [
        ("这周末", "2026-11-24", span("2026-11-28", "2026-11-29")),
        ("周末", "2026-11-24", span("2026-11-28", "2026-11-29")),
        ("this weekend", "2026-11-18", span("2026-11-21", "2026-11-22")),
        ("下周", "2026-11-24", span("2026-11-30", "2026-12-06")),
        ("next month", "2026-11-24", span("2026-12-01", "2026-12-31")),
        ("第三季度", "2026-06-05", span("2026-07-01", "2026-09-30")),
        ("Q3", "2026-06-05", span("2026-07-01", "2026-09-30")),
        ("Q1 2027", "2026-06-05", span("2027-01-01", "2027-03-31")),
        ("mid-July", "2026-06-05", span("2026-07-11", "2026-07-20")),
        ("7月中旬", "2026-06-05", span("2026-07-11", "2026-07-20")),
        ("今年", "2026-06-05", span("2026-01-01", "2026-12-31")),
        ("March 2027", "2026-06-05", span("2027-03-01", "2027-03-31")),
        ("下半年", "2026-06-05", span("2026-07-01", "2026-12-31")),
    ],
)
def test_a_span_is_never_one_of_its_days(raw: str, day: str, expected: Range) -> None:
    assert said(raw, day) == expected


@pytest.mark.parametrize(
    "raw",
    ["2026-02-30", "2月30日", "June 31", "31/02/2026", "2026年13月1日", "plenty", "", "Exhibit 1", "march"],
)
def test_no_such_day(raw: str) -> None:
    assert said(raw, "2026-03-01") is None


def test_two_readings_unless_the_order_is_set() -> None:
    both = read_date("03/04", at("2026-01-10"))
    assert both is not None
    assert both.value is None
    assert set(both.alternatives) == {date(2026, 3, 4), date(2026, 4, 3)}
    assert said("03/04", "2026-01-10", "DMY") == date(2026, 4, 3)
    assert said("03/04", "2026-01-10", "MDY") == date(2026, 3, 4)
    assert said("03/04/2026", "2026-01-10") is None
    assert said("04/04", "2026-01-10") == date(2026, 4, 4)


@pytest.mark.parametrize(
    ("context", "raw", "day", "expected"),
    [
        ("对了，6月18日要开盘。", "6月18日", "2026-08-21", date(2027, 6, 18)),
        ("合同6月18日签了。", "6月18日", "2026-08-21", date(2026, 6, 18)),
        ("合同12月18日签的。", "12月18日", "2026-02-21", date(2025, 12, 18)),
        ("we signed it on December 18", "December 18", "2026-02-21", date(2025, 12, 18)),
        ("we must ship by March 3", "March 3", "2026-08-21", date(2027, 3, 3)),
        ("we ended the contract on Friday", "Friday", "2026-10-19", date(2026, 10, 16)),
        ("周五交付", "周五", "2026-11-28", date(2026, 12, 4)),
    ],
)
def test_the_tense_settles_what_is_unsaid(context: str, raw: str, day: str, expected: date) -> None:
    assert said(raw, day, context=context) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1.1 The Services may be more fully described in Exhibit 1; copies may be requested.",
        "设备要支持4/5G双模，24/7运行，良率3/4以上。",
        "version 2.7, v1.2.3 and 10.2.15",
        "quote Q-2026-01, contract HT-2026-001, order 2026-01-A",
        "电话13800138000，或 +44 20 7946 0111",
        "每周一次，一周两次，周日程表在群里",
        "比例3:4，共三个月，2.7公斤",
        "He marched 5 miles and may second it.",
        "三楼5号机，8号线",
    ],
)
def test_these_are_no_dates(text: str) -> None:
    assert find_dates(text, at("2026-05-24")) == []


def test_dates_are_found_where_they_stand() -> None:
    text = "客户预算50万，分三期付款，月底要初版方案"
    (found,) = find_dates(text, at("2026-11-24"))
    assert text[found.start : found.end] == "月底"
    assert found.value == date(2026, 11, 30)


def test_today_is_the_day_in_the_offset_of_the_message() -> None:
    late = datetime(2026, 9, 15, 23, 30, tzinfo=EAST)
    assert read_date("明天", late).value == date(2026, 9, 16)  # type: ignore[union-attr]
    assert read_date("明天", late.astimezone(UTC)).value == date(2026, 9, 16)  # type: ignore[union-attr]
    early = datetime(2026, 9, 15, 0, 30, tzinfo=EAST)
    assert read_date("今天", early).value == date(2026, 9, 15)  # type: ignore[union-attr]
    assert read_date("今天", early.astimezone(UTC)).value == date(2026, 9, 14)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("6月1日到6月15日", span("2026-06-01", "2026-06-15")),
        ("from June 1 to June 15", span("2026-06-01", "2026-06-15")),
        ("June 1–15", span("2026-06-01", "2026-06-15")),
        ("6月1日-15日", span("2026-06-01", "2026-06-15")),
        ("2026-01-01 ~ 2026-02-01", span("2026-01-01", "2026-02-01")),
        ("12月20日到1月5日", span("2026-12-20", "2027-01-05")),
        ("下周一至周五", span("2026-05-18", "2026-05-22")),
        ("until June 30", Range(None, date(2026, 6, 30))),
        ("从6月1日起", Range(date(2026, 6, 1), None)),
        ("7月", span("2026-07-01", "2026-07-31")),
    ],
)
def test_a_range_of_days(raw: str, expected: Range) -> None:
    found = read_range(raw, at("2026-05-15"))
    assert found is not None
    assert found.value == expected


def test_ranges_in_a_sentence() -> None:
    found = find_ranges("我6月1日到6月3日出差，7月5日回", at("2026-05-15"))
    assert [r.value for r in found] == [span("2026-06-01", "2026-06-03"), span("2026-07-05", "2026-07-05")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下午三点", time(15)),
        ("上午十点半", time(10, 30)),
        ("晚上8点一刻", time(20, 15)),
        ("15:00", time(15)),
        ("3pm", time(15)),
        ("3:30 p.m.", time(15, 30)),
        ("12am", time(0)),
        ("noon", time(12)),
    ],
)
def test_a_time_of_day(text: str, expected: time) -> None:
    (found,) = find_times(text)
    assert found.value == expected


@pytest.mark.parametrize("text", ["一点意见", "快点吧，有点贵", "比分3:4", "1.30", "two points", "24小时"])
def test_these_are_no_times(text: str) -> None:
    assert find_times(text) == []


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("今天下午三点", "2026-09-15T15:00:00+08:00"),
        ("明晚7点", "2026-09-16T19:00:00+08:00"),
        ("周五上午9点一刻", "2026-09-18T09:15:00+08:00"),
        ("3:30 pm tomorrow", "2026-09-16T15:30:00+08:00"),
        ("Friday at 10am", "2026-09-18T10:00:00+08:00"),
        ("9月20日 14:30", "2026-09-20T14:30:00+08:00"),
        ("in 2 hours", "2026-09-15T12:00:00+08:00"),
        ("半小时后", "2026-09-15T10:30:00+08:00"),
        ("2026-09-15 15:00", "2026-09-15T15:00:00+08:00"),
        ("2026-09-15T15:00:00Z", "2026-09-15T15:00:00+00:00"),
        ("2026-09-15", "2026-09-15T00:00:00+08:00"),
    ],
)
def test_a_moment_is_in_the_offset_of_the_message(raw: str, expected: str) -> None:
    found = read_datetime(raw, at("2026-09-15"))
    assert found is not None
    assert found.value.isoformat() == expected


def test_an_hour_that_may_be_night_or_day_has_two_readings() -> None:
    found = read_datetime("明天三点", at("2026-09-15"))
    assert found is not None
    assert found.value is None
    assert [m.hour for m in found.alternatives] == [3, 15]


def test_a_day_alone_is_no_moment_but_a_span_of_them() -> None:
    assert find_datetimes("明天开会", at("2026-09-15")) == []
    found = read_datetime("明天", at("2026-09-15"))
    assert found is not None
    assert found.value.min.isoformat() == "2026-09-16T00:00:00+08:00"
    assert found.value.max.date() == date(2026, 9, 16)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("3个月", "P3M"), ("三个月", "P3M"), ("两周", "P2W"), ("30分钟", "PT30M"), ("半小时", "PT30M"),
        ("一个半小时", "PT1H30M"), ("一年半", "P1Y6M"), ("90 days", "P90D"), ("two weeks", "P2W"),
        ("1.5 hours", "PT1H30M"), ("2小时30分钟", "PT2H30M"), ("1h30m", "PT1H30M"), ("半年", "P6M"),
        ("a year and a half", "P1Y6M"), ("12-month", "P12M"), ("P3M", "P3M"), ("pt30m", "PT30M"),
        ("3月", None), ("plenty", None), ("", None),
    ],
)  # fmt: skip
def test_a_duration(raw: str, expected: str | None) -> None:
    assert read_duration(raw) == expected


def test_durations_in_a_sentence() -> None:
    text = "质保期24个月，现场培训two days"
    found = [(text[r.start : r.end], r.value) for r in find_durations(text)]
    assert found == [("24个月", "P24M"), ("two days", "P2D")]


def test_long_texts_are_read_in_linear_time() -> None:
    text = "明天和6月3日 and June 4, " * 4000
    assert len(find_dates(text, at("2026-05-15"))) == 12000


@pytest.mark.parametrize(
    ("text", "day"),
    [("五月二十日", "2026-05-20"), ("三月三十一号", "2026-03-31"), ("2026年十月二十一日", "2026-10-21"), ("五月二日", "2026-05-02")],
)  # fmt: skip
def test_days_beyond_the_tenth_in_words_are_read_whole(text: str, day: str) -> None:
    (reading,) = find_dates(f"那天是{text}。", at("2026-06-12"))
    assert str(reading.value) == day


def test_a_time_right_behind_its_day_is_of_that_day() -> None:
    (reading,) = find_datetimes("会议时间：2026年6月17日14:00，", at("2026-06-12"))
    assert reading.value == datetime.fromisoformat("2026-06-17T14:00:00+08:00")
