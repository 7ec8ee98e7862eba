//! HOME/workspace-mgr/audit.jsonl: what was done, one JSON object a line, each with the SHA-256 of the line before.
//!
//! The intent of an act is written before it runs, the outcome after. Where the file ends is also noted in
//! audit.lock, so that lines that vanish from the end are missed too; the note also saves reading the file's end
//! at each append.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::{LedgerError, on};
use super::files::{Lock, private_options};
use super::journal::lock;
use super::lines::Lines;
use super::stamp;
use crate::home::Home;
use crate::limits::MAX_LEDGER_LINE_BYTES;

/// Version of a line's form; it grows with each field that is added.
const VERSION: u32 = 1;

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
struct Line<'a, D> {
    v: u32,
    seq: u64,
    time: String,
    prev: &'a str,
    /// The line before was torn by a writer that was killed; it stays in the chain.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    after_torn: bool,
    act: &'a str,
    phase: Phase,
    /// The intent's number, in an outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    data: D,
}

/// The part of a line that the chain needs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) seq: u64,
    pub(crate) prev: String,
    #[serde(default)]
    pub(crate) after_torn: bool,
}

/// Where the file ends, as noted in the lock file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Bytes.
    pub(crate) len: u64,
    /// The last line's number.
    pub(crate) seq: u64,
    /// The last line's hash.
    pub(crate) hash: Hash,
    /// The last line is a fragment.
    pub(crate) torn: bool,
}

impl End {
    pub(crate) const EMPTY: Self = Self { len: 0, seq: 0, hash: GENESIS, torn: false };

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
            torn: false,
        };
        (check == hex(&sum(text.as_bytes()))).then_some(end)
    }
}

/// The audit of one HOME.
#[derive(Clone, Debug)]
pub struct Audit {
    path: PathBuf,
    lock: PathBuf,
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
        Self { path: dir.join("audit.jsonl"), lock: dir.join("audit.lock") }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn lock_path(&self) -> &Path {
        &self.lock
    }

    /// Writes the intent of `act`, durably. An act whose intent can't be written must not run.
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
        let mut file = private_options().read(true).append(true).create(true).open(&self.path)?;
        let end = self.end(lock, &file)?;
        let line = Line {
            v: VERSION,
            seq: end.seq + 1,
            time: stamp::format_utc(stamp::now_ms()),
            prev: &hex(&end.hash),
            after_torn: end.torn,
            act,
            phase,
            of,
            data,
        };
        let mut bytes = serde_json::to_vec(&line)?;
        if bytes.len() > MAX_LEDGER_LINE_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the line is too long"));
        }
        let hash = sum(&bytes);
        bytes.push(b'\n');
        if end.torn {
            bytes.insert(0, b'\n');
        }
        file.write_all(&bytes)?;
        if phase != Phase::Fact {
            file.sync_data()?;
        }
        let end = End { len: end.len + bytes.len() as u64, seq: end.seq + 1, hash, torn: false };
        let note = lock.file();
        note.seek(SeekFrom::Start(0))?;
        note.write_all(end.to_note().as_bytes())?;
        Ok(end.seq)
    }

    /// Where the file ends now: as noted, where that agrees with its length, else from the file itself.
    ///
    /// A file that is longer than noted was left by a writer that was killed between its two writes, and the chain
    /// goes on from it. Where the noted line is not there any more, the chain goes on from the note, so that the
    /// gap stays visible to `verify`.
    fn end(&self, lock: &mut Lock, file: &File) -> io::Result<End> {
        let len = file.metadata()?.len();
        let note = read_note(lock)?;
        match note {
            Some(note) if note.len == len => return Ok(note),
            None if len == 0 => return Ok(End::EMPTY),
            _ => {}
        }
        let mut end = End { len, ..End::EMPTY };
        let mut noted = false;
        let mut lines = Lines::new(File::open(&self.path)?);
        while let Some(line) = lines.next()? {
            end.hash = sum(line.text);
            end.torn = !line.ended;
            noted |= note.is_some_and(|n| n.hash == end.hash);
            if let Ok(head) = serde_json::from_slice::<Head>(line.text) {
                end.seq = head.seq;
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
