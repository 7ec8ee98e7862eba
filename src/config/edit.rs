//! Changing one setting in the text of a file, every other byte kept.
//!
//! The spans of the parsed text are replaced: an editing parser would rewrite line ends, a byte order mark and
//! the comment behind the value.

use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Problem, position};
use super::settings::Key;
use super::value::expected;

/// One line `name = value` of the file.
struct Entry {
    name: String,
    key: Option<Key>,
    at: Range<usize>,
    value: Range<usize>,
    is_table: bool,
}

/// `text` with `key` set to the TOML text `value`: in its line where it has one, else in a new last line.
///
/// The text must be TOML, or it is refused; values of other settings may be wrong.
pub fn with_value(path: &Path, text: &str, key: Key, value: &str) -> Result<String, ConfigError> {
    let entries = entries(path, text)?;
    let mut same = entries.iter().filter(|e| e.key == Some(key));
    let Some(entry) = same.next() else { return append(path, text, &entries, key, value) };
    if let Some(second) = same.next() {
        let first_line = position(text, entry.at.start).0;
        let problem = Problem::Duplicate { key: second.name.clone(), name: key.name(), first_line };
        return Err(ConfigError::at(path, text, second.at.start, problem));
    }
    refuse_table(path, text, entry, key)?;
    let mut out = text.to_owned();
    out.replace_range(entry.value.clone(), value);
    Ok(out)
}

/// `text` without the lines that set `key`; `None` where there is none.
pub fn without(path: &Path, text: &str, key: Key) -> Result<Option<String>, ConfigError> {
    let entries = entries(path, text)?;
    let mut out = text.to_owned();
    // From the end, so that the spans before stay right.
    for entry in entries.iter().rev().filter(|e| e.key == Some(key)) {
        refuse_table(path, text, entry, key)?;
        let start = out[..entry.at.start].rfind('\n').map_or(0, |i| i + 1);
        // A byte order mark in front belongs to the file, not to the line.
        let start = if out[start..].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
        let end = out[entry.value.end..].find('\n').map_or(out.len(), |i| entry.value.end + i + 1);
        out.replace_range(start..end, "");
    }
    Ok((out != text).then_some(out))
}

fn entries(path: &Path, text: &str) -> Result<Vec<Entry>, ConfigError> {
    let table = DeTable::parse(text).map_err(|e| {
        let problem = Problem::Syntax { message: e.message().to_owned() };
        ConfigError::at(path, text, e.span().map_or(0, |span| span.start), problem)
    })?;
    let mut entries: Vec<Entry> = table
        .get_ref()
        .iter()
        .map(|(name, value)| Entry {
            name: name.get_ref().to_string(),
            key: Key::find(name.get_ref()),
            at: name.span(),
            value: value.span(),
            is_table: holds_table(value.get_ref()),
        })
        .collect();
    entries.sort_unstable_by_key(|e| e.at.start);
    Ok(entries)
}

/// Whether it may have been written with a `[header]`, in one piece or in many.
fn holds_table(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Table(_) => true,
        DeValue::Array(items) => items.iter().any(|item| matches!(item.get_ref(), DeValue::Table(_))),
        _ => false,
    }
}

fn refuse_table(path: &Path, text: &str, entry: &Entry, key: Key) -> Result<(), ConfigError> {
    if !entry.is_table {
        return Ok(());
    }
    let problem = Problem::Type { key: entry.name.clone(), expected: expected(key.kind()), found: "a table" };
    Err(ConfigError::at(path, text, entry.at.start, problem))
}

/// A new last line. Behind a `[header]` it would belong to that table; no setting is one, so that is the mistake.
fn append(path: &Path, text: &str, entries: &[Entry], key: Key, value: &str) -> Result<String, ConfigError> {
    if let Some(entry) = entries.iter().find(|e| e.is_table) {
        if let Some(other) = entry.key {
            refuse_table(path, text, entry, other)?;
        }
        let problem = Problem::unknown_key(&entry.name);
        return Err(ConfigError::at(path, text, entry.at.start, problem));
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = text.to_owned();
    if !matches!(text.chars().next_back(), None | Some('\n' | '\u{feff}')) {
        out.push_str(line_end);
    }
    for part in [key.name(), " = ", value, line_end] {
        out.push_str(part);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use proptest::prelude::*;

    use super::*;

    fn set(text: &str, key: Key, value: &str) -> Result<String, &'static str> {
        with_value(Path::new("config.toml"), text, key, value).map_err(|e| e.code())
    }

    fn unset(text: &str, key: Key) -> Result<Option<String>, &'static str> {
        without(Path::new("config.toml"), text, key).map_err(|e| e.code())
    }

    #[test]
    fn values_are_replaced_in_place() {
        let check = |text: &str, want: &str| assert_eq!(set(text, Key::Gate, "false").as_deref(), Ok(want), "{text:?}");
        check("", "gate = false\n");
        check("gate = true", "gate = false");
        check("# a\n\n  gate   =\ttrue   # why\n# b\n", "# a\n\n  gate   =\tfalse   # why\n# b\n");
        check("\u{feff}gate = 'on'\r\n# b\r\n", "\u{feff}gate = false\r\n# b\r\n");
        check("'gate' = \"\"\"\non\"\"\" # c", "'gate' = false # c");
        check("gate = [ # 1\n 1, # 2\n] # 3\nprompt = true\n", "gate = false # 3\nprompt = true\n");
        check("# only a header\n", "# only a header\ngate = false\n");
        check("# no line end", "# no line end\ngate = false\n");
        check("prompt = true\r\n", "prompt = true\r\ngate = false\r\n");
        check("\u{feff}", "\u{feff}gate = false\n");
        check("nope = 1\n", "nope = 1\ngate = false\n");
    }

    #[test]
    fn the_spelling_of_the_file_stays() {
        assert_eq!(set("scanDepth = 1\n", Key::ScanDepth, "2").as_deref(), Ok("scanDepth = 2\n"));
        assert_eq!(set("scanDepth = 1\nscan_depth = 1\n", Key::ScanDepth, "2"), Err("config_duplicate"));
    }

    #[test]
    fn what_is_no_flat_file_is_refused() {
        let check = |text: &str, code: &'static str| assert_eq!(set(text, Key::Gate, "true"), Err(code), "{text:?}");
        check("gate = ", "config_syntax");
        check("[gate]\n", "config_type");
        check("gate.x = 1\n", "config_type");
        check("[[gate]]\n", "config_type");
        check("[other]\nx = 1\n", "config_unknown_key");
        check("[[other]]\nx = 1\n", "config_unknown_key");
        check("[shell]\n", "config_type");
        assert_eq!(unset("[gate]\n", Key::Gate), Err("config_type"));
        assert_eq!(unset("gate", Key::Gate), Err("config_syntax"));
    }

    #[test]
    fn lines_are_removed_whole() {
        let check = |text: &str, want: Option<&str>| {
            assert_eq!(unset(text, Key::AllowRoots).unwrap().as_deref(), want, "{text:?}");
        };
        check("", None);
        check("# allow_roots = []\n", None);
        check("a = 1\nallow_roots = [] # c\n# d\n", Some("a = 1\n# d\n"));
        check("\u{feff}allow_roots = [\r\n '/a', # x\r\n]\r\nb = 1", Some("\u{feff}b = 1"));
        check("allow_roots = []\nallowRoots = []", Some(""));
        check("  allow_roots = []", Some(""));
    }

    proptest! {
        #[test]
        fn any_text_is_edited_or_refused(text in "[a-z_=\\[\\]'\"# \\r\\n{}.,1]{0,60}", flag in any::<bool>()) {
            let value = flag.to_string();
            if let Ok(edited) = set(&text, Key::Prompt, &value) {
                let table = DeTable::parse(&edited).unwrap();
                prop_assert_eq!(table.get_ref().get("prompt").unwrap().get_ref().as_bool(), Some(flag));
                if DeTable::parse(&text).unwrap().get_ref().get("prompt").is_none() {
                    let back = unset(&edited, Key::Prompt).unwrap().unwrap();
                    prop_assert_eq!(back.trim_end(), text.trim_end());
                }
            }
        }
    }
}
