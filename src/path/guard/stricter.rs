//! What is refused beyond the published rules, in the order of the published steps that each check extends.

use std::borrow::Cow;

use super::published::{kept, names_drive};
use super::word::{is_device, is_home, split_alias};
use super::{Refusal, Rules, decode, scalar};

/// All stricter checks on a text that the published ones admit.
pub(super) fn judge(text: &str, rules: Rules) -> Result<(), Refusal> {
    if let Some(refusal) = scalar::stricter(text, rules) {
        return Err(refusal); // 5, 6, 7
    }
    if decode::hides(text, rules) {
        return Err(Refusal::EncodedSeparator); // 8
    }
    names(text, rules)
}

/// The same without another look behind encodings.
pub(super) fn decoded(text: &str, rules: Rules) -> Result<(), Refusal> {
    match scalar::stricter(text, rules) {
        Some(refusal) => Err(refusal),
        None => names(text, rules),
    }
}

fn names(text: &str, rules: Rules) -> Result<(), Refusal> {
    if reads_as_drive(text) {
        return Err(Refusal::Absolute); // 10
    }
    let mut leading = true;
    for name in kept(text) {
        segment(name, leading, rules)?;
        leading = false;
    }
    Ok(())
}

/// A drive once `.` and `/` are gone from the start, or in characters that only look like `C:`.
fn reads_as_drive(text: &str) -> bool {
    let Some(first) = kept(text).next() else { return false };
    let mut chars = first.chars();
    let (letter, colon) = (chars.next().map(scalar::ascii), chars.next());
    let looks = letter.is_some_and(|c| c.is_ascii_alphabetic()) && colon.is_some_and(scalar::is_colon);
    // With more behind the colon it is a title (`Q：why`).
    names_drive(first) || (looks && chars.next().is_none())
}

fn segment(name: &str, leading: bool, rules: Rules) -> Result<(), Refusal> {
    let windows = rules.windows();
    if reads_as_dots(name.trim_start()) {
        return Err(Refusal::TraversesOutside); // 12
    }
    if windows && has_edge(name) {
        return Err(Refusal::EdgeDotOrSpace); // 14
    }
    if windows && name.contains(['<', '>', '"', '|', '?', '*']) {
        return Err(Refusal::IllegalCharacter); // after 14
    }
    if leading && names_home(name) {
        return Err(Refusal::HomeExpansion); // 15
    }
    if windows && is_alias(name) {
        return Err(Refusal::ShortNameAlias); // 16
    }
    if windows && is_device(plain(name).as_bytes()) {
        return Err(Refusal::ReservedDeviceName); // 17
    }
    Ok(())
}

/// Two dots or more at the start in any spelling, or nothing but what normalises to `.`.
fn reads_as_dots(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().map_or(0, scalar::dots);
    if first == 0 {
        return false;
    }
    match chars.next() {
        None => first > 1 || name.starts_with(scalar::becomes_dot),
        Some(c) => first + scalar::dots(c) > 1,
    }
}

/// White space of any kind at an edge, or what normalises to a dot at the end.
fn has_edge(name: &str) -> bool {
    name.starts_with(char::is_whitespace) || name.ends_with(|c: char| c.is_whitespace() || scalar::becomes_dot(c))
}

/// Home folders in other spellings: `~+`, `~ünal`, `$HOME`, `%USERPROFILE%`.
fn names_home(name: &str) -> bool {
    let plain = plain(name);
    if let Some(user) = plain.strip_prefix('~') {
        return is_home(&plain)
            || user.strip_prefix(['+', '-']).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
            || (name.starts_with('~') && user.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-')));
    }
    let variable = ["$HOME", "${HOME}", "$USERPROFILE", "${USERPROFILE}", "$env:"];
    if variable.iter().any(|v| plain.eq_ignore_ascii_case(v)) {
        return true;
    }
    let inner = plain.strip_prefix('%').and_then(|rest| rest.strip_suffix('%'));
    inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// Short names with more digits: Windows never makes one whose stem is longer than eight characters.
fn is_alias(name: &str) -> bool {
    split_alias(name).is_some_and(|(head, tail)| {
        let head = head.chars().count();
        (1..=6).contains(&head) && (1..=6).contains(&tail.len()) && head + 1 + tail.len() <= 8
    })
}

/// The name as compatibility normalisation spells its ASCII characters.
fn plain(name: &str) -> Cow<'_, str> {
    if name.is_ascii() { Cow::Borrowed(name) } else { Cow::Owned(name.chars().map(scalar::ascii).collect()) }
}
