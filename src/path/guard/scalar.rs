//! Characters that no name may hold, as ranges.

use super::{Refusal, Rules};

/// Nothing to see, or what is seen is reordered: the published list.
const INVISIBLE: [(u32, u32); 7] = [
    (0x00AD, 0x00AD),
    (0x061C, 0x061C),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x2069),
    (0xFEFF, 0xFEFF),
];

/// What looks like a separator: the published list.
const SEPARATOR: [(u32, u32); 7] = [
    (0x2044, 0x2044),
    (0x2215, 0x2215),
    (0x29F5, 0x29F5),
    (0x29F8, 0x29F8),
    (0xFE68, 0xFE68),
    (0xFF0F, 0xFF0F),
    (0xFF3C, 0xFF3C),
];

/// The rest of what can't be seen: format characters, what renderers leave out, line and paragraph separators, private
/// use, noncharacters (those at the ends of planes aside), and the Braille blank.
///
/// Unassigned characters are not among them: the next version of Unicode may make letters of them.
const MORE_INVISIBLE: [(u32, u32); 25] = [
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2028, 0x2029),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    // Private use. Cygwin, SMB and WSL keep characters here that Windows does not allow, separators among them.
    (0xE000, 0xF8FF),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1_10BD, 0x1_10BD),
    (0x1_10CD, 0x1_10CD),
    (0x1_3430, 0x1_343F),
    (0x1_BCA0, 0x1_BCA3),
    (0x1_D173, 0x1_D17A),
    (0xE_0000, 0xE_0FFF),
    (0xF_0000, 0x10_FFFF),
];

/// More that looks like a separator, or that becomes one under compatibility normalisation (`℀` is `a/c`).
const MORE_SEPARATOR: [(u32, u32); 16] = [
    (0x1735, 0x1735),
    (0x2041, 0x2041),
    (0x2100, 0x2101),
    (0x2105, 0x2106),
    (0x2216, 0x2216),
    (0x244A, 0x244A),
    (0x2571, 0x2572),
    (0x27CB, 0x27CB),
    (0x27CD, 0x27CD),
    (0x29F6, 0x29F7),
    (0x29F9, 0x29F9),
    (0x2F02, 0x2F03),
    (0x3033, 0x3033),
    (0x31D3, 0x31D4),
    (0x1_D20F, 0x1_D20F),
    (0x1_D23A, 0x1_D23B),
];

/// No character below stands in a table.
const ABOVE_ASCII: u32 = 0x80;

fn within(table: &[(u32, u32)], c: u32) -> bool {
    let at = table.partition_point(|&(_, end)| end < c);
    table.get(at).is_some_and(|&(start, _)| start <= c)
}

/// Checks 5, 6 and 7: the first of them that any character meets.
pub(super) fn published(text: &str) -> Option<Refusal> {
    let (mut separator, mut control) = (false, false);
    for c in text.chars().map(u32::from) {
        if c < ABOVE_ASCII {
            control |= c < 0x20 || c == 0x7F;
        } else if within(&INVISIBLE, c) {
            return Some(Refusal::InvisibleCharacter);
        } else {
            separator |= within(&SEPARATOR, c);
        }
    }
    first(separator, control)
}

/// What the stricter rules add to checks 5, 6 and 7.
pub(super) fn stricter(text: &str, rules: Rules) -> Option<Refusal> {
    let (mut separator, mut control) = (false, false);
    for c in text.chars().map(u32::from).filter(|&c| c >= ABOVE_ASCII) {
        if within(&MORE_INVISIBLE, c) || c & 0xFFFE == 0xFFFE {
            return Some(Refusal::InvisibleCharacter);
        }
        // The yen and won signs are backslashes in the Windows code pages of Japan and Korea.
        separator |= within(&MORE_SEPARATOR, c) || (rules.windows() && matches!(c, 0xA5 | 0x20A9));
        control |= c < 0xA0;
    }
    first(separator, control)
}

fn first(separator: bool, control: bool) -> Option<Refusal> {
    match (separator, control) {
        (true, _) => Some(Refusal::SeparatorHomoglyph),
        (false, true) => Some(Refusal::ControlCharacter),
        (false, false) => None,
    }
}

/// The dots that a character becomes or looks like at the start of a name; 0 where it does not.
pub(super) fn dots(c: char) -> usize {
    match c {
        // The last seven are full stops of other scripts: two of them at the start are no name either.
        '.' | '\u{2024}' | '\u{FE52}' | '\u{FF0E}' | '\u{0701}' | '\u{0702}' | '\u{3002}' | '\u{FF61}' | '\u{A4F8}'
        | '\u{A60E}' | '\u{1_0A50}' => 1,
        '\u{2025}' | '\u{FE30}' | '\u{A4FA}' => 2,
        '\u{2026}' | '\u{FE19}' => 3,
        _ => 0,
    }
}

/// Whether compatibility normalisation makes a single dot of a character.
pub(super) fn becomes_dot(c: char) -> bool {
    matches!(c, '\u{2024}' | '\u{FE52}' | '\u{FF0E}')
}

/// Whether a character is a colon to the eye or after normalisation.
pub(super) fn is_colon(c: char) -> bool {
    matches!(c, ':' | '\u{02D0}' | '\u{2236}' | '\u{A789}' | '\u{FE13}' | '\u{FE55}' | '\u{FF1A}')
}

/// The ASCII character that compatibility normalisation makes of `c`, for those that can spell a device, a drive or a
/// home folder: full width, mathematical, circled, raised and lowered forms.
pub(super) fn ascii(c: char) -> char {
    let letter = |from: u32| {
        let at = (u32::from(c) - from) % 52;
        char::from_u32(u32::from(if at < 26 { 'A' } else { 'a' }) + at % 26)
    };
    let counted = |from: u32, start: char| char::from_u32(u32::from(c) - from + u32::from(start));
    let found = match u32::from(c) {
        0xB9 => Some('1'),
        0xB2..=0xB3 => counted(0xB2, '2'),
        0x131 => Some('i'),
        0x2070 | 0x2074..=0x2079 => counted(0x2070, '0'),
        0x2080..=0x2089 => counted(0x2080, '0'),
        0x2102 => Some('C'),
        0x2115 => Some('N'),
        0x2119 => Some('P'),
        0x211B..=0x211D => Some('R'),
        0x2112 => Some('L'),
        0x212A => Some('K'),
        0x2460..=0x2468 => counted(0x2460, '1'),
        0x24B6..=0x24CF => counted(0x24B6, 'A'),
        0x24D0..=0x24E9 => counted(0x24D0, 'a'),
        0xFF01..=0xFF5E => counted(0xFF01, '!'),
        0x1_D400..=0x1_D6A3 => letter(0x1_D400),
        0x1_D7CE..=0x1_D7FF => char::from_u32((u32::from(c) - 0x1_D7CE) % 10 + u32::from('0')),
        _ => None,
    };
    found.unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_apart() {
        let check = |table: &[(u32, u32)]| {
            assert!(table.iter().all(|(start, end)| start <= end));
            assert!(table.windows(2).all(|pair| pair[0].1 < pair[1].0));
        };
        check(&INVISIBLE);
        check(&SEPARATOR);
        check(&MORE_INVISIBLE);
        check(&MORE_SEPARATOR);
    }

    #[test]
    fn forms_of_ascii() {
        let check = |text: &str, want: &str| assert_eq!(text.chars().map(ascii).collect::<String>(), want);
        check("ＣＯＮ", "CON");
        check("𝐂𝐎𝐍𝐜𝐨𝐧", "CONcon");
        check("ℂⓄⓝ₁②³⁴𝟗", "COn12349");
        check("～：！", "~:!");
        check("é名", "é名");
    }
}
