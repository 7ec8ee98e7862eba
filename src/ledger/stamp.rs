//! Times as they are stored: UTC, RFC 3339 with milliseconds (`2026-01-31T12:00:00.000Z`).

use std::time::{SystemTime, UNIX_EPOCH};

const DAY_MS: u64 = 86_400_000;
/// The last moment with a four-digit year.
const MAX_MS: u64 = 253_402_300_799_999;

/// Milliseconds since 1970 of `time`; 0 for a time before.
pub fn to_ms(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    to_ms(SystemTime::now())
}

/// `ms` milliseconds since 1970 as text; later than the year 9999 is written as its last moment.
pub fn format_utc(ms: u64) -> String {
    let ms = ms.min(MAX_MS);
    let (year, month, day) = civil(ms / DAY_MS);
    let (h, m, s, milli) = (ms / 3_600_000 % 24, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{milli:03}Z")
}

/// Reads what [`format_utc`] writes; the fraction may be missing. `None` for anything else.
pub fn parse_utc(text: &str) -> Option<u64> {
    let b = text.strip_suffix('Z')?.as_bytes();
    let (whole, milli) = match b.len() {
        19 => (b, 0),
        23 if b[19] == b'.' => (&b[..19], number(&b[20..])?),
        _ => return None,
    };
    let seps = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if seps.iter().any(|&(i, c)| whole[i] != c) {
        return None;
    }
    let (year, month, day) = (number(&whole[..4])?, number(&whole[5..7])?, number(&whole[8..10])?);
    let (h, m, s) = (number(&whole[11..13])?, number(&whole[14..16])?, number(&whole[17..19])?);
    if year < 1970 || h > 23 || m > 59 || s > 59 {
        return None;
    }
    let days = days(year, month, day)?;
    Some(days * DAY_MS + h * 3_600_000 + m * 60_000 + s * 1000 + milli)
}

fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |n, b| b.is_ascii_digit().then(|| n * 10 + u64::from(b - b'0')))
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn month_days(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of a day number since 1970.
fn civil(mut day: u64) -> (u64, u64, u64) {
    // Whole 400-year cycles have one length, so only a few years are walked.
    let cycle = 146_097;
    let mut year = 1970 + day / cycle * 400;
    day %= cycle;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            break;
        }
        day -= length;
        year += 1;
    }
    let mut month = 1;
    while day >= month_days(year, month) {
        day -= month_days(year, month);
        month += 1;
    }
    (year, month, day + 1)
}

/// Days since 1970 of a date; `None` where there is no such day.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if !(1..=12).contains(&month) || day == 0 || day > month_days(year, month) {
        return None;
    }
    let before = (1970..year).map(|y| if is_leap(y) { 366 } else { 365 }).sum::<u64>();
    Some(before + (1..month).map(|m| month_days(year, m)).sum::<u64>() + day - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MAX_MS, format_utc, parse_utc};

    #[test]
    fn known_times() {
        let check = |ms: u64, text: &str| {
            assert_eq!(format_utc(ms), text);
            assert_eq!(parse_utc(text), Some(ms));
        };
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_000_000_000_123, "2001-09-09T01:46:40.123Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
        check(MAX_MS, "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn refuses_what_is_no_time() {
        for text in
            ["", "Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T24:00:00Z"]
        {
            assert_eq!(parse_utc(text), None, "{text}");
        }
        assert_eq!(parse_utc("2026-01-01T00:00:00Z"), parse_utc("2026-01-01T00:00:00.000Z"));
    }

    proptest! {
        #[test]
        fn round_trip(ms in 0..=MAX_MS) {
            prop_assert_eq!(parse_utc(&format_utc(ms)), Some(ms));
        }

        #[test]
        fn any_text_is_survived(text in any::<String>()) {
            let _any: Option<u64> = parse_utc(&text);
        }
    }
}
