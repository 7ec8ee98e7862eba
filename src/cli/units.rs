//! Sizes and ages, for people and from them.

/// `bytes` with one digit: `1.5 MiB`.
pub fn bytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let scaled = |unit: u32| bytes as f64 / f64::from(1_u32 << unit);
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", scaled(10)),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", scaled(20)),
        _ => format!("{:.1} GiB", scaled(30)),
    }
}

/// `ms` milliseconds in the largest unit that fits: `3d`, `5h`, `2m`, `7s`.
pub fn age(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Reads `1500`, `10K`, `1.5MiB`, `2g`: units are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is no size: write 1500, 10K, 1.5M or 2G");
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let shift = match unit.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    let scaled = number * (1_u64 << shift) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is not negative")]
    Ok(scaled as u64)
}

/// `text` on one line, at most `columns` characters: it may hold anything.
pub fn one_line(text: &str, columns: usize) -> String {
    let text = text.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"");
    if text.chars().count() <= columns {
        return text;
    }
    text.chars().take(columns.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{age, bytes, one_line, parse_bytes};

    #[test]
    fn shown_and_read() {
        assert_eq!([bytes(0), bytes(1023), bytes(1536), bytes(3 << 30)], ["0 B", "1023 B", "1.5 KiB", "3.0 GiB"]);
        assert_eq!([age(999), age(61_000), age(3_600_000), age(90_000_000)], ["0s", "1m", "1h", "1d"]);
        for (text, want) in [("0", 0), ("1500", 1500), ("1k", 1024), ("1.5MiB", 3 << 19), ("2 gb", 2 << 30)] {
            assert_eq!(parse_bytes(text), Ok(want), "{text}");
        }
        for text in ["", "x", "-1", "1x", "1..2", "k"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
        assert_eq!(one_line("it's\n\"x\"\u{1b}", 20), "it's\\n\"x\"\\u{1b}");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}
