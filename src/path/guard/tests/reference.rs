//! The published rules once more, written down as they are published and not as they are fast.

use super::super::Refusal;

fn any(text: &str, listed: &[(char, char)]) -> bool {
    text.chars().any(|c| listed.iter().any(|&(start, end)| (start..=end).contains(&c)))
}

fn encoded(text: &str) -> bool {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    (0..text.len()).any(|i| {
        let at = |n: usize| text.get(i + n).copied().unwrap_or('\0');
        let pair: String = [at(1), at(2)].iter().collect();
        let high = matches!(at(1), '8' | '9' | 'a'..='f') && at(2).is_ascii_hexdigit();
        let wide = at(1) == 'u' && (2..6).all(|n| at(n).is_ascii_hexdigit());
        at(0) == '%' && (["00", "25", "2e", "2f", "5c"].contains(&&*pair) || high || wide)
    })
}

fn short_name(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let extension = match *parts {
        [_] => true,
        [_, extension] => (1..=3).contains(&extension.chars().count()),
        _ => false,
    };
    let stem: Vec<char> = parts[0].chars().collect();
    let digits = stem.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    // Digits may also stand before the tilde, so every split is tried.
    extension
        && (1..=digits.min(4)).any(|n| {
            let before = &stem[..stem.len() - n];
            before.last() == Some(&'~') && (2..=7).contains(&before.len())
        })
}

const DEVICES: &str = "CON PRN AUX NUL CLOCK$ CONIN$ CONOUT$ COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 LPT0 LPT1 \
                       LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9 COM¹ COM² COM³ LPT¹ LPT² LPT³";

/// The published answer: the normal form or the code.
pub(super) fn judge(raw: &[u8]) -> Result<String, Refusal> {
    if raw.is_empty() {
        return Err(Refusal::Empty);
    }
    if raw.len() > 1024 {
        return Err(Refusal::TooLong);
    }
    if raw.contains(&0) {
        return Err(Refusal::NullByte);
    }
    let Ok(text) = std::str::from_utf8(raw) else { return Err(Refusal::NotUtf8) };
    let invisible = [
        ('\u{AD}', '\u{AD}'),
        ('\u{61C}', '\u{61C}'),
        ('\u{200B}', '\u{200F}'),
        ('\u{202A}', '\u{202E}'),
        ('\u{2060}', '\u{2064}'),
        ('\u{2066}', '\u{2069}'),
        ('\u{FEFF}', '\u{FEFF}'),
    ];
    if any(text, &invisible) {
        return Err(Refusal::InvisibleCharacter);
    }
    if text.chars().any(|c| "\u{2044}\u{2215}\u{29F5}\u{29F8}\u{FE68}\u{FF0F}\u{FF3C}".contains(c)) {
        return Err(Refusal::SeparatorHomoglyph);
    }
    if any(text, &[('\u{1}', '\u{1F}'), ('\u{7F}', '\u{7F}')]) {
        return Err(Refusal::ControlCharacter);
    }
    if encoded(text) {
        return Err(Refusal::EncodedSeparator);
    }
    if text.starts_with("\\\\") || text.starts_with("//") {
        return Err(Refusal::UncOrDevice);
    }
    if text.len() > 1 && text.as_bytes()[0].is_ascii_alphabetic() && text.as_bytes()[1] == b':' {
        return Err(Refusal::Absolute);
    }
    let text = text.replace('\\', "/");
    if text.starts_with('/') {
        return Err(Refusal::Absolute);
    }
    let mut kept: Vec<&str> = Vec::new();
    for name in text.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name.starts_with("..") {
            return Err(Refusal::TraversesOutside);
        }
        if name.contains(':') {
            return Err(Refusal::AlternateDataStream);
        }
        if name.ends_with('.') || name.ends_with(' ') || name.starts_with(' ') {
            return Err(Refusal::EdgeDotOrSpace);
        }
        let user = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if kept.is_empty() && name.starts_with('~') && name[1..].chars().all(user) {
            return Err(Refusal::HomeExpansion);
        }
        if short_name(name) {
            return Err(Refusal::ShortNameAlias);
        }
        let stem = name.split('.').next().unwrap_or_default().to_uppercase();
        if DEVICES.split(' ').any(|device| device == stem) {
            return Err(Refusal::ReservedDeviceName);
        }
        if name.len() > 255 {
            return Err(Refusal::SegmentTooLong);
        }
        kept.push(name);
    }
    if kept.is_empty() { Err(Refusal::Empty) } else { Ok(kept.join("/")) }
}
