//! Where a workspace lies: a folder name from its owner's key.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::guard::{Fault, PathGuard, Refusal};
use crate::limits::MAX_ADDRESS_SLUG_BYTES;

/// Hexadecimal digits of the digest at the end of a folder name.
const DIGEST_DIGITS: usize = 16;

/// The folder name of a workspace: `<slug>-<sha256:16>`.
///
/// # Contract
/// This layout is stable: files are found by it after years. From the key's bytes come
/// - the slug: each run of bytes other than ASCII letters and digits becomes `-`, letters become small, `-` goes from both ends,
///   the first 48 bytes stay, `-` goes from the end again; `w` where nothing is left,
/// - `-`, and the first 16 hexadecimal digits, small, of the SHA-256 of the raw key.
///
/// The digest goes over the raw bytes, so keys that differ only in case, or that have the same slug, get folders of their
/// own. The name went through the guard under its portable rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address(String);

/// Why a key has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The key is empty.
    #[error("the owner's key is empty")]
    NoKey,
    /// The guard refuses the name. No key is known for which this happens.
    #[error("the folder name of the owner is refused")]
    Refused(#[source] Refusal),
}

impl AddressError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoKey => Fault::OwnerNotAddressable.code(),
            Self::Refused(refusal) => refusal.code(),
        }
    }
}

impl Address {
    /// The address of the owner with this key; any bytes but none.
    pub fn of(key: &[u8]) -> Result<Self, AddressError> {
        if key.is_empty() {
            return Err(AddressError::NoKey);
        }
        let mut name = slug(key);
        name.push('-');
        for byte in &Sha256::digest(key)[..DIGEST_DIGITS / 2] {
            name.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')));
        }
        let safe = PathGuard::default().judge(name.as_bytes()).map_err(AddressError::Refused)?;
        Ok(Self(safe.as_str().to_owned()))
    }

    /// The folder name: one component.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn slug(key: &[u8]) -> String {
    let mut slug = String::with_capacity(MAX_ADDRESS_SLUG_BYTES + 1 + DIGEST_DIGITS);
    for &byte in key {
        if slug.len() == MAX_ADDRESS_SLUG_BYTES {
            break;
        }
        if byte.is_ascii_alphanumeric() {
            slug.push(char::from(byte.to_ascii_lowercase()));
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() {
        slug.push('w');
    }
    slug
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_layout_is_the_published_one() {
        let check = |key: &str, want: &str| assert_eq!(Address::of(key.as_bytes()).unwrap().as_str(), want, "{key}");
        check("agent-1", "agent-1-6ff3b3bd11c44cac");
        check("test", "test-9f86d081884c7d65");
        check("A B", "a-b-fea4c5ce720c1d6a");
        check("--", "w-d8156bae0c4243d3");
        check("名前", "w-7ec26292414bccef");
        check("..", "w-5ec1f7e700f37c3d");
        check(&"ab-".repeat(30), "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ddd85945da1cb9b7");
    }

    #[test]
    fn no_two_keys_share_a_folder() {
        let keys = [
            "user",
            "User",
            "USER",
            "user ",
            " user",
            "u-ser",
            "u ser",
            "u_ser",
            "u/ser",
            "../user",
            "usér",
            "use\u{301}r",
        ];
        let folders: BTreeSet<String> = keys.iter().map(|key| Address::of(key.as_bytes()).unwrap().0).collect();
        assert_eq!(folders.len(), keys.len(), "{folders:?}");
        let folded: BTreeSet<String> = folders.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(folded, folders);
    }

    #[test]
    fn every_key_but_the_empty_one_has_an_address() {
        assert_eq!(Address::of(b"").unwrap_err().code(), "workspace_owner_not_addressable");
        for key in [&b"\0"[..], b"\xff\xfe", b"NUL", b"con", b"C:\\x", b"~", &[b'a'; 5000]] {
            let address = Address::of(key).unwrap();
            assert!(!address.as_str().contains(['/', '\\', '.', ':']), "{address}");
            assert!(address.as_str().len() <= MAX_ADDRESS_SLUG_BYTES + 1 + DIGEST_DIGITS);
        }
    }
}
