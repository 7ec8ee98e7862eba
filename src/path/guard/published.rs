//! The published checks in their published order. Their codes and places are a contract.

use super::word::{has_encoded, is_device, is_home, is_short_name};
use super::{Refusal, Rules, scalar};
use crate::limits::{MAX_GUARDED_BYTES, MAX_GUARDED_SEGMENT_BYTES};

/// Checks 1 to 18 on the raw path; the path as text where none applies.
///
/// The numbers are those of `docs/REFUSALS.md`.
pub(super) fn judge(raw: &[u8], rules: Rules) -> Result<&str, Refusal> {
    if raw.is_empty() {
        return Err(Refusal::Empty); // 1
    }
    if raw.len() > MAX_GUARDED_BYTES {
        return Err(Refusal::TooLong); // 2
    }
    if raw.contains(&0) {
        return Err(Refusal::NullByte); // 3
    }
    let text = std::str::from_utf8(raw).map_err(|_| Refusal::NotUtf8)?; // 4
    whole(text)?;
    segments(text, rules)?;
    Ok(text)
}

/// Checks 5 to 11 on a text without null bytes.
pub(super) fn whole(text: &str) -> Result<(), Refusal> {
    if let Some(refusal) = scalar::published(text) {
        return Err(refusal); // 5, 6, 7
    }
    if has_encoded(text.as_bytes()) {
        return Err(Refusal::EncodedSeparator); // 8
    }
    if text.starts_with(r"\\") || text.starts_with("//") {
        return Err(Refusal::UncOrDevice); // 9
    }
    if names_drive(text) {
        return Err(Refusal::Absolute); // 10
    }
    if text.starts_with(['/', '\\']) {
        return Err(Refusal::Absolute); // 11
    }
    Ok(())
}

/// Checks 12 to 18, name by name.
pub(super) fn segments(text: &str, rules: Rules) -> Result<(), Refusal> {
    let mut leading = true;
    for name in kept(text) {
        segment(name, leading, rules)?;
        leading = false;
    }
    if leading { Err(Refusal::Empty) } else { Ok(()) }
}

fn segment(name: &str, leading: bool, rules: Rules) -> Result<(), Refusal> {
    let windows = rules.windows();
    if name.starts_with("..") {
        return Err(Refusal::TraversesOutside); // 12
    }
    if windows && name.contains(':') {
        return Err(Refusal::AlternateDataStream); // 13
    }
    if windows && (name.ends_with(['.', ' ']) || name.starts_with(' ')) {
        return Err(Refusal::EdgeDotOrSpace); // 14
    }
    if leading && is_home(name) {
        return Err(Refusal::HomeExpansion); // 15
    }
    if windows && is_short_name(name, 6, 4) {
        return Err(Refusal::ShortNameAlias); // 16
    }
    if windows && is_device(stem(name).as_bytes()) {
        return Err(Refusal::ReservedDeviceName); // 17
    }
    if is_too_long(name, rules) {
        return Err(Refusal::SegmentTooLong); // 18
    }
    Ok(())
}

/// What the published rules compare with the devices: all before the first dot, its spaces included.
fn stem(name: &str) -> &str {
    let stem = name.split('.').next().unwrap_or(name);
    // A name with a space before the dot is a device too, but that check is not a published one.
    if stem.ends_with(' ') { "" } else { stem }
}

fn is_too_long(name: &str, rules: Rules) -> bool {
    let units = match rules {
        Rules::Windows => name.encode_utf16().count(),
        Rules::Posix | Rules::Portable => name.len(),
    };
    units > MAX_GUARDED_SEGMENT_BYTES
}

/// `C:`, whatever follows.
pub(super) fn names_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The names of a path that stay in its normal form.
pub(super) fn kept(text: &str) -> impl Iterator<Item = &str> {
    text.split(['/', '\\']).filter(|name| is_kept(name))
}

/// Whether a name stays in the normal form.
pub(super) fn is_kept(name: &str) -> bool {
    !matches!(name, "" | ".")
}
