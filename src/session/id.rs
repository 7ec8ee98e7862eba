//! Session ids as folder names.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::limits::{MAX_ID_BYTES, MAX_SLUG_BYTES};

/// Hexadecimal digits of the digest at the end of a derived name.
const DIGEST_DIGITS: usize = 16;

/// A session id and the one folder name that belongs to it.
///
/// An id that is a safe file name everywhere (UUIDs are) keeps its spelling. Every other id becomes a slug and
/// the first 16 hexadecimal digits of its SHA-256, so that ids that differ only in case never share a folder and
/// a hostile id can't leave the scratch root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionId {
    raw: String,
    /// `None`: the raw id itself.
    derived: Option<String>,
}

impl SessionId {
    /// Takes the id as the harness spells it. Any text will do, the empty one too.
    pub fn new(raw: &str) -> Self {
        Self { raw: raw.to_owned(), derived: (!is_plain(raw)).then(|| derive(raw)) }
    }

    /// The id as the harness spells it.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The folder's name: one component, safe on POSIX and on Windows, never starting or ending with a dot.
    pub fn dir_name(&self) -> &str {
        self.derived.as_deref().unwrap_or(&self.raw)
    }
}

/// Whether `raw` may be used as it is.
fn is_plain(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    !raw.is_empty()
        && raw.len() <= MAX_ID_BYTES
        && bytes.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-'))
        && !raw.starts_with('.')
        && !raw.ends_with('.')
        && !is_device(raw)
        && !looks_derived(bytes)
}

/// Whether Windows takes the lower-case name `raw` for a device; what follows the first dot does not matter.
fn is_device(raw: &str) -> bool {
    let stem = raw.split('.').next().unwrap_or(raw);
    match stem.len() {
        3 => matches!(stem, "con" | "prn" | "aux" | "nul"),
        4 => (stem.starts_with("com") || stem.starts_with("lpt")) && stem.as_bytes()[3].is_ascii_digit(),
        _ => false,
    }
}

/// Whether a plain id has the form of a derived name: it is derived again, or two ids could share a folder.
fn looks_derived(bytes: &[u8]) -> bool {
    let Some(start) = bytes.len().checked_sub(DIGEST_DIGITS + 1) else { return false };
    bytes[start] == b'-' && bytes[start + 1..].iter().all(u8::is_ascii_hexdigit)
}

fn derive(raw: &str) -> String {
    let mut name = String::with_capacity(MAX_SLUG_BYTES + 1 + DIGEST_DIGITS);
    for c in raw.chars() {
        if name.len() == MAX_SLUG_BYTES {
            break;
        }
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let kept = name.trim_end_matches('-').len();
    name.truncate(kept);
    if name.is_empty() {
        name.push_str("session");
    }
    name.push('-');
    for byte in &Sha256::digest(raw.as_bytes())[..DIGEST_DIGITS / 2] {
        // Writing to a String can't fail.
        let _infallible = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::SessionId;

    fn dir(raw: &str) -> String {
        SessionId::new(raw).dir_name().to_owned()
    }

    #[test]
    fn plain_ids_keep_their_spelling() {
        let longest = "a".repeat(64);
        for raw in ["1f0c6b1e-7d2f-4a53-9f0a-0d8b6f3a2c11", "s1", "a.b_c-d", "com", "console", "-x", &longest] {
            assert_eq!(dir(raw), raw);
        }
    }

    #[test]
    fn other_ids_are_derived() {
        let check = |raw: &str, slug: &str| {
            let got = dir(raw);
            let (head, digest) = got.rsplit_once('-').unwrap_or_default();
            assert_eq!(head, slug, "{raw:?}");
            assert!(digest.len() == 16 && digest.bytes().all(|b| b.is_ascii_hexdigit()), "{got}");
        };
        check("", "session");
        check("..", "session");
        check("../..", "session");
        check("../../etc/passwd", "etc-passwd");
        check("C:\\Windows", "c-windows");
        check("S1", "s1");
        check("a\0b", "a-b");
        check("con", "con");
        check("CON", "con");
        check("nul.txt", "nul-txt");
        check("com1.a.b", "com1-a-b");
        check("s1 ", "s1");
        check("s1.", "s1");
        check(".s1", "s1");
        check("🦀", "session");
        check("a-0123456789abcdef", "a-0123456789abcdef");
        check(&"x".repeat(10_000), &"x".repeat(40));
        check(&"a".repeat(65), &"a".repeat(40));
    }

    #[test]
    fn digest_is_sha256_of_the_raw_bytes() {
        assert_eq!(dir(""), "session-e3b0c44298fc1c14");
        assert_eq!(dir("ABC"), "abc-b5d4045c3f466fa9");
    }

    fn assert_safe(name: &str) {
        assert!(!name.is_empty() && name.len() <= 64, "{name:?}");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b)), "{name:?}");
        assert!(!name.starts_with('.') && !name.ends_with('.'), "{name:?}");
        let stem = name.split('.').next().unwrap_or_default();
        let devices = ["con", "prn", "aux", "nul"].map(str::to_owned).into_iter();
        let numbered = (0..10).flat_map(|n| [format!("com{n}"), format!("lpt{n}")]);
        assert!(devices.chain(numbered).all(|d| d != stem), "{name:?}");
    }

    fn hostile() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[a-cA-C./\\\\ -]{0,8}",
            "(con|CON|nul|Com1|lpt9|aux|prn)(\\.[a-z]{0,3})?",
            "[a-z]{0,4}-[0-9a-f]{16}",
            "[a-zA-Z0-9._-]{0,70}",
        ]
    }

    proptest! {
        #[test]
        fn always_one_safe_component(raw in hostile()) {
            assert_safe(&dir(&raw));
        }

        #[test]
        fn a_folder_name_is_no_other_ids_folder(raw in hostile()) {
            // The name of a derived folder, used as an id, gets a folder of its own.
            let name = dir(&raw);
            if name != raw {
                prop_assert_ne!(dir(&name), name);
            }
        }

        #[test]
        fn injective_with_case_variants(raws in prop::collection::vec(hostile(), 1..60)) {
            let mut seen: HashMap<String, String> = HashMap::new();
            for raw in raws {
                for variant in [raw.to_uppercase(), raw.to_lowercase(), format!("{raw} "), raw] {
                    let name = dir(&variant);
                    if let Some(other) = seen.insert(name.clone(), variant.clone()) {
                        prop_assert_eq!(other, variant, "share {}", name);
                    }
                }
            }
        }
    }
}
