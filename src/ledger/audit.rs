//! HOME/workspace-mgr/audit.jsonl: what was done, one JSON object a line, each with the SHA-256 of the line before.
//!
//! The intent of an act is written before it runs, the outcome after. Where the file ends is also noted in
//! audit.lock, so that lines that vanish from the end are missed too; the note also saves reading the file's end
//! at each append.
//!
//! A file that has grown is put aside under the next number (`audit-000001.jsonl`, …), and the chain goes on in a new
//! one, whose first line says which file of the chain it begins. None is ever removed. Whenever a writer is killed, the
//! next one finds where the chain ends: in the new file, else at the end of the last that was put aside.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::archives::{archives, put_aside, sync_folder};
use super::error::{LedgerError, on};
use super::files::{Lock, private_options};
use super::journal::lock;
use super::lines::Lines;
use super::mask::{MASK, is_secret_name, mask};
use super::stamp;
use crate::home::Home;
use crate::limits::{MAX_AUDIT_BYTES, MAX_LEDGER_LINE_BYTES};

/// Version of a line's form; it grows with each field that is added.
const VERSION: u32 = 2;

/// SHA-256 of a line without its end.
pub(crate) type Hash = [u8; 32];

/// What stands before the first line.
pub(crate) const GENESIS: Hash = [0; 32];

/// Which half of an act a line tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// It is about to run.
    Intent,
    /// It has run, or failed.
    Outcome,
    /// It needs no intent: nothing was changed by it (a denial).
    Fact,
}

/// A line's own fields, before those of the act.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    v: u32,
    seq: u64,
    time: String,
    prev: &'a str,
    /// The line before was torn by a writer that was killed; it stays in the chain.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    after_torn: bool,
    /// Which file of the chain the line begins, from the second on: lines can't be moved from one to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<u64>,
    act: &'a str,
    phase: Phase,
    /// The intent's number, in an outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    data: Value,
}

/// The part of a line that the chain needs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) seq: u64,
    pub(crate) prev: String,
    #[serde(default)]
    pub(crate) after_torn: bool,
    pub(crate) file: Option<u64>,
}

/// Where the chain ends, as noted in the lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Bytes of the file that is written to.
    pub(crate) len: u64,
    /// The last line's number.
    pub(crate) seq: u64,
    /// The last line's hash.
    pub(crate) hash: Hash,
    /// The last line is a fragment.
    pub(crate) torn: bool,
    /// The file's last line has no end.
    pub(crate) unended: bool,
}

impl End {
    pub(crate) const EMPTY: Self = Self { len: 0, seq: 0, hash: GENESIS, torn: false, unended: false };

    /// Fixed length, so that a later note covers an earlier one; its own sum tells a torn note.
    fn to_note(self) -> String {
        let text = format!("{:020} {:020} {}", self.len, self.seq, hex(&self.hash));
        format!("{text} {}\n", hex(&sum(text.as_bytes())))
    }

    fn from_note(note: &str) -> Option<Self> {
        let (text, check) = note.strip_suffix('\n')?.rsplit_once(' ')?;
        let mut parts = text.split(' ');
        let end = Self {
            len: parts.next()?.parse().ok()?,
            seq: parts.next()?.parse().ok()?,
            hash: unhex(parts.next()?)?,
            ..Self::EMPTY
        };
        (check == hex(&sum(text.as_bytes()))).then_some(end)
    }
}

/// The audit of one HOME.
#[derive(Clone, Debug)]
pub struct Audit {
    path: PathBuf,
    lock: PathBuf,
    /// Bytes beyond which a file is put aside.
    limit: u64,
}

/// An act whose intent is on file and whose outcome is not yet.
#[derive(Debug)]
#[must_use = "the outcome belongs on file too"]
pub struct Intent<'a> {
    audit: &'a Audit,
    act: &'a str,
    seq: u64,
}

impl Intent<'_> {
    /// Writes the outcome.
    pub fn outcome(self, data: &impl Serialize) -> Result<(), LedgerError> {
        self.audit.append(self.act, Phase::Outcome, Some(self.seq), data).map(|_| ())
    }
}

impl Audit {
    /// The audit below `home`; it need not exist.
    pub fn at(home: &Home) -> Self {
        let dir = home.ledger();
        Self { path: dir.join("audit.jsonl"), lock: dir.join("audit.lock"), limit: MAX_AUDIT_BYTES }
    }

    /// The same with files of another size.
    #[cfg(test)]
    pub(crate) fn of_size(home: &Home, limit: u64) -> Self {
        Self { limit, ..Self::at(home) }
    }

    /// The file that is written to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn lock_path(&self) -> &Path {
        &self.lock
    }

    /// Writes the intent of `act`, durably, with the secrets in `data` masked. An act whose intent can't be written must not run.
    pub fn intent<'a>(&'a self, act: &'a str, data: &impl Serialize) -> Result<Intent<'a>, LedgerError> {
        let seq = self.append(act, Phase::Intent, None, data)?;
        Ok(Intent { audit: self, act, seq })
    }

    /// Writes that `act` happened, without an intent: for what changes nothing, such as a denial.
    pub fn fact(&self, act: &str, data: &impl Serialize) -> Result<(), LedgerError> {
        self.append(act, Phase::Fact, None, data).map(|_| ())
    }

    fn append(&self, act: &str, phase: Phase, of: Option<u64>, data: &impl Serialize) -> Result<u64, LedgerError> {
        let mut lock = lock(&self.lock)?;
        self.append_locked(&mut lock, act, phase, of, data).map_err(on("append to", &self.path))
    }

    fn append_locked(
        &self,
        lock: &mut Lock,
        act: &str,
        phase: Phase,
        of: Option<u64>,
        data: &impl Serialize,
    ) -> io::Result<u64> {
        let mut file = self.open()?;
        let mut end = self.end(lock, &file)?;
        if end.len >= self.limit {
            // No Windows renames a file that is open without sharing.
            file.sync_data()?;
            drop(file);
            if put_aside(&self.path)? {
                (end.len, end.unended) = (0, false);
            }
            file = self.open()?;
        }
        let begins = end.len == 0;
        let number = if begins { archives(&self.path)?.last().map(|last| last.number.saturating_add(1)) } else { None };
        let line = Line {
            v: VERSION,
            seq: end.seq + 1,
            time: stamp::format_utc(stamp::now_ms()),
            prev: &hex(&end.hash),
            after_torn: end.torn,
            file: number,
            act,
            phase,
            of,
            data: masked(serde_json::to_value(data)?),
        };
        let mut bytes = serde_json::to_vec(&line)?;
        if bytes.len() > MAX_LEDGER_LINE_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the line is too long"));
        }
        let hash = sum(&bytes);
        bytes.push(b'\n');
        if end.unended {
            bytes.insert(0, b'\n');
        }
        file.write_all(&bytes)?;
        if phase != Phase::Fact {
            file.sync_data()?;
        }
        if begins {
            sync_folder(&self.path)?;
        }
        let end = End { len: end.len + bytes.len() as u64, seq: end.seq + 1, hash, ..End::EMPTY };
        let note = lock.file();
        note.seek(SeekFrom::Start(0))?;
        note.write_all(end.to_note().as_bytes())?;
        Ok(end.seq)
    }

    fn open(&self) -> io::Result<File> {
        private_options().read(true).append(true).create(true).open(&self.path)
    }

    /// Where the chain ends now: as noted, where that agrees with the file's length, else from the files themselves.
    ///
    /// A file that is longer than noted was left by a writer that was killed between its two writes, and one that is
    /// shorter may be new, after the noted one was put aside: the chain goes on from what is there. Where the noted line
    /// is not there any more, it goes on from the note, so that the gap stays visible to `verify`.
    fn end(&self, lock: &mut Lock, file: &File) -> io::Result<End> {
        let len = file.metadata()?.len();
        let note = read_note(lock)?;
        if let Some(note) = note.filter(|note| note.len == len) {
            return Ok(note);
        }
        let mut end = End { len, ..End::EMPTY };
        let mut noted = false;
        let last = archives(&self.path)?.pop().map(|last| last.path);
        for path in last.iter().chain([&self.path]) {
            let mut lines = Lines::new(File::open(path)?);
            end.unended = false;
            while let Some(line) = lines.next()? {
                end.hash = sum(line.text);
                end.unended = !line.ended;
                noted |= note.is_some_and(|n| n.hash == end.hash);
                let head = serde_json::from_slice::<Head>(line.text).ok();
                end.torn = !line.ended || head.is_none() && is_fragment(line.text);
                end.seq = head.map_or(end.seq, |head| head.seq);
            }
        }
        if let Some(note) = note.filter(|_| !noted) {
            end.seq = end.seq.max(note.seq);
            end.hash = note.hash;
        }
        Ok(end)
    }
}

/// The end as noted under the lock. `None`: never noted, or torn.
pub(crate) fn read_note(lock: &mut Lock) -> io::Result<Option<End>> {
    let file = lock.file();
    file.seek(SeekFrom::Start(0))?;
    let mut note = String::new();
    match file.take(512).read_to_string(&mut note) {
        Ok(_) => Ok(End::from_note(&note)),
        Err(e) if e.kind() == io::ErrorKind::InvalidData => Ok(None),
        Err(e) => Err(e),
    }
}

/// `data` without secrets.
fn masked(mut data: Value) -> Value {
    let mut todo = vec![&mut data];
    while let Some(value) = todo.pop() {
        match value {
            Value::String(text) => {
                if let Cow::Owned(masked) = mask(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => todo.extend(items),
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value {
                        Value::String(text) if is_secret_name(name) => MASK.clone_into(text),
                        value => todo.push(value),
                    }
                }
            }
            _ => {}
        }
    }
    data
}

/// Whether a line that can't be read looks like the beginning of one of ours.
pub(crate) fn is_fragment(text: &[u8]) -> bool {
    let begin = br#"{"v":"#;
    text.starts_with(begin) || (!text.is_empty() && begin.starts_with(text))
}

pub(crate) fn sum(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

pub(crate) fn hex(hash: &Hash) -> String {
    let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
    hash.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

pub(crate) fn unhex(text: &str) -> Option<Hash> {
    let mut hash = GENESIS;
    if text.len() != 64 {
        return None;
    }
    for (to, pair) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digit = |b: u8| (b as char).to_digit(16).filter(|_| !b.is_ascii_uppercase());
        *to = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
    }
    Some(hash)
}
