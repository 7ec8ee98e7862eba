//! What reads a name after it was written: shells, decoders, normalisers, terminals.
//!
//! Written apart from the guard, so that each claim of the corpus has a second witness.

/// Whether some reader takes `name` for something other than what it is.
pub(super) fn is_misread(name: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(name) else { return true };
    is_expanded(text) || is_shown_otherwise(text) || is_folded(text) || is_decoded(text) || is_trimmed(text)
}

/// A shell puts a home folder in its place.
fn is_expanded(text: &str) -> bool {
    let first = text.split(['/', '\\']).find(|name| !matches!(*name, "" | ".")).unwrap_or_default();
    first.starts_with('~')
        || first.starts_with('$')
        || (first.starts_with('%') && first.ends_with('%') && first.len() > 1)
}

/// A terminal or a list shows nothing, an escape, or another order in its place.
fn is_shown_otherwise(text: &str) -> bool {
    text.chars().any(|c| {
        let is_mark = matches!(c, '\u{34f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
        let is_blank = matches!(c, '\u{115f}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}');
        is_mark || is_blank || is_unprintable(c)
    })
}

/// As the standard library judges it where it prints text for people.
fn is_unprintable(c: char) -> bool {
    // Not at the start: there a combining mark is escaped too.
    let escaped = format!("{:?}", format!("a{c}"));
    c.is_control() || escaped.contains(r"\u{")
}

/// Normalisation, a code page or the eye makes something else of it.
fn is_folded(text: &str) -> bool {
    const SEPARATORS: &str = "⁄∕∖⧵⧸⧹﹨／＼℀℁℅╱⟋᜵⼃¥₩";
    const DOTS: &str = "․‥…．﹒︰︙。｡܁ꓸ";
    const COLONS: &str = "：﹕꞉∶";
    const LETTERS: &str = "ＣＯＮℂ⁴₁𝐍～𝐂";
    text.chars().any(|c| [SEPARATORS, DOTS, COLONS, LETTERS].iter().any(|listed| listed.contains(c)))
}

/// A decoder finds something to decode.
fn is_decoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_hexdigit);
    let percent = (0..bytes.len()).any(|i| {
        let wide = matches!(bytes.get(i + 1), Some(b'u' | b'U')) && (i + 2..i + 6).all(is_hex);
        bytes[i] == b'%' && ((is_hex(i + 1) && is_hex(i + 2)) || wide)
    });
    let other = ["&#", "&period;", "&sol;", "&bsol;", "&colon;", "+AC4", "+AC8", "+AFw", "0x2e", "0x2f", "0x5c"];
    percent || other.iter().any(|code| text.contains(code))
}

/// Something trims white space from an edge of a name.
fn is_trimmed(text: &str) -> bool {
    text.split(['/', '\\']).any(|name| name.trim() != name || name.split('.').any(|part| part.trim_end() != part))
}
