//! A line of a text with a part of it underlined.

use super::output::{DIM, WARN, paint};
use crate::shell::Span;

/// Columns of the text that are shown at most.
const WIDTH: usize = 96;

/// The line that `span` starts on with the span underlined and `note` after the underline. Long lines are cut
/// around the span. Nothing where the span names nothing.
pub fn excerpt(text: &str, span: Span, note: &str) -> String {
    let (start, end) = (span.start as usize, (span.end as usize).min(text.len()));
    let (Some(before), Some(marked)) = (text.get(..start), text.get(start..end)) else {
        return String::new();
    };
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = text[end..].split('\n').next().unwrap_or_default();
    let marked = marked.split('\n').next().unwrap_or_default();
    let after = if text[start..end].contains('\n') { "" } else { after };
    let marked = clip_end(marked, WIDTH);
    let before = clip_start(before, WIDTH.saturating_sub(width(&marked)).max(WIDTH / 3) / 2 + WIDTH / 4);
    let after = clip_end(after, WIDTH.saturating_sub(width(&before) + width(&marked)));
    let carets = "^".repeat(width(&marked).max(1));
    let gap = " ".repeat(width(&before));
    let note = if note.is_empty() { String::new() } else { format!(" {note}") };
    let line = format!("   {before}{marked}{after}");
    format!("{}\n   {gap}{}{}\n", line.trim_end(), paint(WARN, carets), paint(DIM, note))
}

/// The end of `text`, at most `columns` wide, without control characters.
fn clip_start(text: &str, columns: usize) -> String {
    let clean = clean(text);
    if width(&clean) <= columns {
        return clean;
    }
    let mut kept: Vec<char> = Vec::new();
    let mut used = 1;
    for c in clean.chars().rev() {
        used += char_width(c);
        if used > columns {
            break;
        }
        kept.push(c);
    }
    std::iter::once('…').chain(kept.into_iter().rev()).collect()
}

/// The start of `text`, at most `columns` wide, without control characters.
fn clip_end(text: &str, columns: usize) -> String {
    let clean = clean(text);
    if width(&clean) <= columns {
        return clean;
    }
    let mut used = 1;
    let mut kept: String = clean
        .chars()
        .take_while(|c| {
            used += char_width(*c);
            used <= columns
        })
        .collect();
    kept.push('…');
    kept
}

/// A terminal must not act on a command's control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Columns of a character: two for those that East Asian terminals draw wide.
const fn char_width(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0x303e
        | 0x3041..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, part: &str) -> String {
        let start = text.find(part).unwrap_or_default();
        let span = Span {
            start: u32::try_from(start).unwrap_or_default(),
            end: u32::try_from(start + part.len()).unwrap_or_default(),
        };
        anstream::adapter::strip_str(&excerpt(text, span, "x")).to_string()
    }

    #[test]
    fn the_part_is_underlined() {
        let check = |text: &str, part: &str, want: &str| assert_eq!(plain(text, part), want);
        check("mkdir /a /b", "/b", "   mkdir /a /b\n            ^^ x\n");
        check("echo\ncat > /b\nls", "/b", "   cat > /b\n         ^^ x\n");
        check("echo\ta", "a", "   echo a\n        ^ x\n");
        check("cp 檔案 /b", "/b", "   cp 檔案 /b\n           ^^ x\n");
        check("a \u{1b}[31m", "a", "   a  [31m\n   ^ x\n");
    }

    #[test]
    fn long_lines_are_cut_around_it() {
        let text = format!("{} /target {}", "a".repeat(5000), "b".repeat(5000));
        let shown = plain(&text, "/target");
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].chars().count() < WIDTH + 8 && lines[0].contains("/target"), "{shown}");
        let at = lines[0].chars().collect::<String>().find("/target").map(|i| lines[0][..i].chars().count());
        assert_eq!(at, lines[1].find('^'), "{shown}");
    }

    #[test]
    fn spans_that_do_not_fit_show_nothing() {
        assert_eq!(excerpt("é", Span { start: 1, end: 2 }, ""), "");
        assert_eq!(excerpt("a", Span { start: 5, end: 9 }, ""), "");
    }
}
