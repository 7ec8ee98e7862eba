//! `.dsh-owner.json`: what proves that a scratch folder is ours, and whose it is.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ScratchError;
use crate::limits::MAX_OWNER_BYTES;

/// Name of the owner file inside a scratch folder (published).
pub const OWNER_FILE: &str = ".dsh-owner.json";

/// Version of the form below; it grows with each field that is added.
const FORMAT: u32 = 1;

/// A session as it is kept on disk. Only the session id must be there; fields of other writers survive a rewrite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// The session id as the harness spells it.
    pub session_id: String,
    /// The harness's short name (`claude-code`); empty where unknown.
    #[serde(default)]
    pub harness: String,
    /// The project folder as known at the session's start: an allowed root for the whole session.
    #[serde(default)]
    pub cwd: String,
    /// The harness's process, where known.
    #[serde(default)]
    pub pid: Option<u32>,
    /// When that process was started ([`crate::sys::process_start`]): tells it from a later one with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid_start: Option<u64>,
    /// When the session was first seen, RFC 3339 UTC.
    #[serde(default)]
    pub created_at: String,
    /// When it ended; absent while it lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// The product's version that wrote this.
    #[serde(default)]
    pub version: String,
    /// Version of this form.
    #[serde(default)]
    pub format: u32,
}

impl Owner {
    /// A new session's owner data; `now` is RFC 3339 UTC.
    pub(crate) fn new(session: &str, meta: &super::SessionMeta<'_>, now: String) -> Self {
        Self {
            session_id: session.to_owned(),
            harness: meta.harness.to_owned(),
            cwd: meta.cwd.to_owned(),
            pid: meta.pid,
            pid_start: meta.pid.and_then(crate::sys::process_start),
            created_at: now,
            ended_at: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
        }
    }

    /// Whether the harness's process still runs.
    pub fn process_runs(&self) -> bool {
        let Some(start) = self.pid.and_then(crate::sys::process_start) else { return false };
        self.pid_start.is_none_or(|known| known == start)
    }

    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// `self` written over the fields of `old`, whose unknown fields stay.
    pub(crate) fn merge_into(&self, old: &[u8]) -> io::Result<Vec<u8>> {
        let mut fields: Map<String, Value> = serde_json::from_slice(old)?;
        for gone in ["endedAt", "pidStart"] {
            fields.remove(gone);
        }
        if let Value::Object(new) = serde_json::to_value(self)? {
            fields.extend(new);
        }
        let mut bytes = serde_json::to_vec(&fields)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// The bytes of the owner file at `path`; `None` where there is none. A link in its place is not followed.
pub(crate) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, ScratchError> {
    let fail = |source| ScratchError::Io { action: "read", path: path.to_owned(), source };
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    // A pipe in its place must not hold us up, and a link must not lead elsewhere.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, crate::sys::OPEN_NO_LINK);
    let file = match options.open(path) {
        Ok(file) => file,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
        Err(e) => return Err(fail(e)),
    };
    read_bounded(&file).map(Some).map_err(fail)
}

fn read_bounded(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(512);
    file.take(MAX_OWNER_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_OWNER_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "too large for an owner file"));
    }
    Ok(bytes)
}

/// Reads an owner file; `None` where there is none or only what a power cut leaves (nothing, or zeroes).
pub(crate) fn read(path: &Path) -> Result<Option<Owner>, ScratchError> {
    let Some(bytes) = read_bytes(path)? else { return Ok(None) };
    if bytes.iter().all(|b| *b == 0) {
        return Ok(None);
    }
    match serde_json::from_slice(&bytes) {
        Ok(owner) => Ok(Some(owner)),
        Err(source) => Err(ScratchError::Damaged { path: path.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::Owner;

    #[test]
    fn published_form() {
        let owner = Owner {
            session_id: "s1".into(),
            harness: "claude-code".into(),
            cwd: "/w".into(),
            pid: Some(7),
            created_at: "2026-01-01T00:00:00.000Z".into(),
            version: "1".into(),
            format: 1,
            ..Owner::default()
        };
        let text = String::from_utf8(owner.to_bytes().unwrap()).unwrap();
        let want = concat!(
            r#"{"sessionId":"s1","harness":"claude-code","cwd":"/w","pid":7,"createdAt":"2026-01-01T00:00:00.000Z","#,
            r#""version":"1","format":1}"#,
            "\n"
        );
        assert_eq!(text, want);
    }

    #[test]
    fn reads_old_and_new_writers() {
        let read = |s: &str| serde_json::from_str::<Owner>(s);
        assert_eq!(read(r#"{"sessionId":"x"}"#).unwrap().session_id, "x");
        assert_eq!(read(r#"{"sessionId":"x","pid":null,"later":[1]}"#).unwrap().pid, None);
        assert!(read("{}").is_err());
        assert!(read("[]").is_err());
    }

    #[test]
    fn unknown_fields_survive_and_an_old_end_does_not() {
        let old = br#"{"sessionId":"x","endedAt":"t","pidStart":1,"later":{"a":1}}"#;
        let owner = Owner { session_id: "x".into(), cwd: "/p".into(), ..Owner::default() };
        let text = String::from_utf8(owner.merge_into(old).unwrap()).unwrap();
        assert!(text.contains(r#""later":{"a":1}"#) && text.contains(r#""cwd":"/p""#), "{text}");
        assert!(!text.contains("endedAt") && !text.contains("pidStart"), "{text}");
    }

    #[test]
    fn a_process_is_told_from_a_later_one_with_its_id() {
        let pid = std::process::id();
        let start = crate::sys::process_start(pid);
        let runs = |pid, pid_start| Owner { pid, pid_start, ..Owner::default() }.process_runs();
        assert!(runs(Some(pid), start));
        assert!(!runs(Some(pid), start.map(|s| s + 1)));
        assert!(!runs(None, None));
    }
}
