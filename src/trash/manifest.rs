//! What an item says of itself: the published fields, and what a restore and a purge check.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use super::name::MANIFEST;
use crate::ledger::Row;
use crate::ledger::observed::EntryKind;
use crate::ledger::stamp;
use crate::limits::MAX_MANIFEST_BYTES;
use crate::sys::{EntryFacts, Folder, Identity, NodeKind};

/// Version of the form; it grows with each field that is added.
const VERSION: u64 = 1;

/// What `manifest.json` says. Read from any writer; written with our fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Version of the form; 0: another writer's.
    pub version: u64,
    /// The item's id.
    pub id: String,
    /// Where it was, absolute; what is no text in it is replaced.
    pub original_path: String,
    /// The same in hexadecimal digits, where it is no text: bytes on POSIX, units of 16 bits on Windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_path_raw: Option<String>,
    /// Bytes of its files' contents, as last measured.
    pub bytes: Option<u64>,
    /// Its files and links, as last measured.
    pub files: Option<u64>,
    /// When it was recycled, RFC 3339 UTC.
    pub recycled_at: String,
    /// The session that made it.
    pub session: Option<String>,
    /// The call.
    pub call: Option<String>,
    /// The session's harness.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub harness: String,
    /// What it is.
    pub kind: EntryKind,
    /// Which entry it is: volume and number in hexadecimal digits, `fe01:1a2b`. Empty: another writer's.
    pub identity: String,
    /// Its mode, twelve bits; its attributes on Windows.
    pub mode: Option<u32>,
    /// Its owner, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<u32>,
    /// Its group, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// When its contents changed, nanoseconds since 1970, as text: programs of JavaScript round large numbers.
    pub modified: String,
    /// The index's signature of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// Who recycled it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// It was copied from another volume.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub across_volumes: bool,
    /// Which entry it was on its own volume, where it was copied.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source_identity: String,
    /// The product's version that wrote this.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub product: String,
}

/// What a manifest is made of.
pub(crate) struct About<'a> {
    pub(crate) id: &'a str,
    pub(crate) path: &'a Path,
    pub(crate) row: &'a Row,
    pub(crate) facts: &'a EntryFacts,
    pub(crate) by: &'a str,
    pub(crate) across: bool,
}

impl Manifest {
    pub(crate) fn new(about: &About<'_>, now: u64) -> Self {
        let (row, facts) = (about.row, about.facts);
        let shown = about.path.to_string_lossy();
        Self {
            version: VERSION,
            id: about.id.to_owned(),
            original_path_raw: about.path.to_str().is_none().then(|| raw(about.path)),
            original_path: shown.into_owned(),
            bytes: row.bytes,
            files: row.files,
            recycled_at: stamp::format_utc(now),
            session: row.session.clone(),
            call: row.call.clone(),
            harness: row.harness.clone(),
            kind: kind(facts.node.kind),
            identity: identity(facts.node.identity),
            mode: Some(facts.mode),
            user: facts.owner.map(|owner| owner.user),
            group: facts.owner.map(|owner| owner.group),
            modified: facts.modified.to_string(),
            signature: row.signature.clone(),
            by: about.by.to_owned(),
            across_volumes: about.across,
            source_identity: if about.across { identity(facts.node.identity) } else { String::new() },
            product: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads the manifest in an item's folder. `None`: there is none, or none that can be read.
    pub(crate) fn read(item: &Folder) -> Option<Self> {
        let mut bytes = Vec::new();
        let file = item.file(MANIFEST.as_ref()).ok()?;
        file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        file.take(MAX_MANIFEST_BYTES + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > MAX_MANIFEST_BYTES {
            return None;
        }
        Self::parse(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes))
    }

    /// Any writer's manifest. It has to say where the item was.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let Ok(Value::Object(fields)) = serde_json::from_slice(bytes) else { return None };
        let text = |names: &[&str]| text(&fields, names);
        let number = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_f64()).map(whole);
        let time = |names: &[&str]| {
            let of = |value: &Value| match value {
                Value::String(text) => Some(text.clone()),
                Value::Number(ms) => ms.as_f64().map(|ms| stamp::format_utc(whole(ms))),
                _ => None,
            };
            names.iter().find_map(|name| of(fields.get(*name)?))
        };
        let small = |name: &str| fields.get(name)?.as_u64().and_then(|n| u32::try_from(n).ok());
        let original_path = text(&["originalPath", "original", "path", "from", "source"])?;
        // Another writer may number its own form.
        let is_ours = fields.contains_key("identity");
        let version = fields.get("version").and_then(Value::as_u64).filter(|_| is_ours).unwrap_or(0);
        Some(Self {
            version,
            id: text(&["id"]).unwrap_or_default(),
            original_path,
            original_path_raw: text(&["originalPathRaw"]),
            bytes: number(&["bytes", "size", "sizeBytes"]),
            files: number(&["files", "fileCount", "count"]),
            recycled_at: time(&["recycledAt", "deletedAt", "trashedAt", "time", "timestamp", "at", "date"])
                .unwrap_or_default(),
            session: text(&["session", "sessionId"]),
            call: text(&["call", "callId"]),
            harness: text(&["harness"]).unwrap_or_default(),
            kind: fields.get("kind").and_then(|v| serde_json::from_value(v.clone()).ok()).unwrap_or_default(),
            identity: text(&["identity"]).unwrap_or_default(),
            mode: small("mode"),
            user: small("user"),
            group: small("group"),
            modified: text(&["modified"]).unwrap_or_default(),
            signature: text(&["signature"]).unwrap_or_default(),
            by: text(&["by"]).unwrap_or_default(),
            across_volumes: fields.get("acrossVolumes").and_then(Value::as_bool).unwrap_or_default(),
            source_identity: text(&["sourceIdentity"]).unwrap_or_default(),
            product: text(&["product"]).unwrap_or_default(),
        })
    }

    /// Where it was, with every byte. `None`: what it says is no path.
    pub fn path(&self) -> Option<PathBuf> {
        match &self.original_path_raw {
            Some(raw) => from_raw(raw),
            None => Some(PathBuf::from(&self.original_path)),
        }
    }

    /// Whether the entry with this identity and kind is the one that was recycled. `None`: another writer's item, which
    /// says nothing of it.
    pub(crate) fn is_of(&self, which: Identity, found: NodeKind) -> Option<bool> {
        let (_, number) = self.identity.split_once(':')?;
        // Volumes get other numbers at a restart.
        Some(number == format!("{:x}", which.number) && kind(found) == self.kind)
    }

    /// When it was recycled, in milliseconds since 1970.
    pub fn time_ms(&self) -> Option<u64> {
        stamp::parse_utc(&self.recycled_at)
    }
}

/// Volume and number as they are stored.
pub(crate) fn identity(which: Identity) -> String {
    format!("{:x}:{:x}", which.device, which.number)
}

/// The kind of a node as the index has it.
pub(crate) const fn kind(node: NodeKind) -> EntryKind {
    match node {
        NodeKind::File => EntryKind::File,
        NodeKind::Folder => EntryKind::Dir,
        NodeKind::Link => EntryKind::Link,
        NodeKind::Other => EntryKind::Other,
    }
}

fn text(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| fields.get(*name)?.as_str()).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is not negative")]
    let whole = number.max(0.0) as u64;
    whole
}

#[cfg(unix)]
fn raw(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(windows)]
fn raw(path: &Path) -> String {
    use std::os::windows::ffi::OsStrExt as _;
    path.as_os_str().encode_wide().fold(String::new(), |text, unit| text + &format!("{unit:04x}"))
}

/// Numbers of `digits` hexadecimal digits each.
fn numbers(raw: &str, digits: usize) -> Option<Vec<u16>> {
    let pieces = raw.as_bytes().chunks(digits);
    pieces.map(|piece| u16::from_str_radix(std::str::from_utf8(piece).ok()?, 16).ok()).collect()
}

#[cfg(unix)]
fn from_raw(raw: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes = numbers(raw, 2)?.into_iter().map(|n| u8::try_from(n).ok()).collect::<Option<Vec<u8>>>()?;
    Some(OsString::from_vec(bytes).into())
}

#[cfg(windows)]
fn from_raw(raw: &str) -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt as _;
    Some(OsString::from_wide(&numbers(raw, 4)?).into())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::path::Path;

    use super::{About, Manifest, identity};
    use crate::ledger::Row;
    use crate::sys::{EntryFacts, Identity, Node, NodeKind, Owner};

    fn made(path: &Path) -> Manifest {
        let which = Identity { device: 0xfe01, number: 0x1_2345_6789_abcd };
        let node = Node { kind: NodeKind::Folder, len: 0, links: 2, mode: 0o755, identity: which, mount: None };
        let facts = EntryFacts {
            node,
            mode: 0o1755,
            owner: Some(Owner { user: 7, group: 8 }),
            modified: 1_769_860_800_123_456_789,
        };
        let row = Row { session: Some("s1".to_owned()), bytes: Some(5), files: Some(1), ..Row::default() };
        let about = About { id: "0123456789ab", path, row: &row, facts: &facts, by: "me", across: false };
        Manifest::new(&about, 1_769_860_800_123)
    }

    #[test]
    fn what_is_written_is_read() {
        let made = made(Path::new("/srv/x"));
        let bytes = made.to_bytes().unwrap();
        assert_eq!(Manifest::parse(&bytes).unwrap(), made);
        let text = String::from_utf8(bytes).unwrap();
        for part in [r#""originalPath": "/srv/x""#, r#""bytes": 5"#, r#""files": 1"#, r#""session": "s1""#] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let which = Identity { device: 1, number: 0x1_2345_6789_abcd };
        assert_eq!(made.is_of(which, NodeKind::Folder), Some(true), "{}", identity(which));
        assert_eq!(made.is_of(which, NodeKind::File), Some(false));
        assert_eq!(made.is_of(Identity { number: 5, ..which }, NodeKind::Folder), Some(false));
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_no_text_keep_every_byte() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/srv/\xff\xfe x"));
        let made = made(path);
        let read = Manifest::parse(&made.to_bytes().unwrap()).unwrap();
        assert_eq!(read.path().as_deref(), Some(path));
        assert_eq!(Manifest { original_path_raw: Some("zz".to_owned()), ..read }.path(), None);
    }

    #[test]
    fn other_writers() {
        let of = |text: &str| Manifest::parse(text.as_bytes());
        let read =
            of(r#"{"originalPath":"C:\\x","size":12,"fileCount":2,"time":1769860800123,"session":"s"}"#).unwrap();
        assert_eq!((read.version, &*read.original_path, read.bytes, read.files), (0, r"C:\x", Some(12), Some(2)));
        assert_eq!((&*read.recycled_at, read.session.as_deref()), ("2026-01-31T12:00:00.123Z", Some("s")));
        assert_eq!(read.is_of(Identity { device: 1, number: 1 }, NodeKind::File), None);
        assert_eq!(
            of(r#"{"path":"/a","time":"2026-01-31T12:00:00.000Z"}"#).unwrap().time_ms(),
            Some(1_769_860_800_000)
        );
        for nothing in ["", "[]", "{}", r#"{"size":1}"#, r#"{"path":""}"#, r#"{"path":5}"#] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
    }
}
