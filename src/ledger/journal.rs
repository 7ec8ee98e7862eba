//! HOME/workspace-mgr/journal.jsonl: one JSON object a line, only ever appended to.
//!
//! A writer that is killed leaves at most one torn line; the next writer ends it with a line end, and readers step
//! over it. Nothing that was acknowledged is lost by that.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{LedgerError, on};
use super::files::{Lock, in_private_dir, private_options};
use super::lines::Lines;
use super::mask::mask;
use super::observed::Observed;
use super::stamp;
use crate::home::Home;
use crate::limits::{MAX_EXCERPT_BYTES, MAX_LEDGER_FIELD_BYTES};

/// Version of a line's form; it grows with each field that is added.
const VERSION: u32 = 2;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A call was refused.
    Denied,
    /// The user was asked about a call.
    Asked,
    /// A call ran with a warning.
    Warned,
    /// A session started or was resumed.
    SessionStart,
    /// A session ended.
    SessionEnd,
    /// A call that may write or run something was let through: `tool`, `excerpt`.
    CallStart,
    /// It ended: `outcome`.
    CallEnd,
    /// A new entry below a scan root: `path`, `observed`; `session`, `call`, `tool` and `excerpt` are those of the one
    /// call that it is attributed to, or empty.
    Appeared,
    /// An entry that was there is gone; fields as for `Appeared`.
    Vanished,
    /// Under the same name stands something else; fields as for `Appeared`.
    Changed,
    /// In the folder `path` something was created and removed again, or renamed back, between two looks; fields as for `Appeared`.
    Transient,
    /// Something that the operator should know: `code`, `text`, `path`.
    Notice,
    /// The operator marked the entry `path` with the signature in `observed`: `state`, `by`.
    Mark,
    /// The operator put the entry `path` into the trash: `observed` as it was, `text` the item's id, `by`.
    Recycled,
    /// The operator took the entry `path` out of the trash, where it was the item `text`: `observed` as it is now, `by`.
    Restored,
    /// The operator removed the trash item `text` of the entry `path` for good: `by`.
    Purged,
    /// A line of a later version.
    #[serde(other)]
    Other,
}

/// One line, as it is written. Empty texts are left out.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry<'a> {
    /// What it is about.
    pub kind: Kind,
    /// The session id as the harness spells it.
    pub session: &'a str,
    /// The harness's short name.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub harness: &'a str,
    /// The call's id, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<&'a str>,
    /// What kind of tool (`shell`, `write`).
    #[serde(skip_serializing_if = "str::is_empty")]
    pub tool: &'a str,
    /// The rule's stable code.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub rule: &'a str,
    /// The path, or a session's project folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
    /// The beginning of what the call runs or writes, its secrets masked.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub excerpt: &'a str,
    /// How a call ended: `ended`, `failed`, `sessionEnded`, `agedOut`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub outcome: &'a str,
    /// A notice's stable code.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub code: &'a str,
    /// A notice, for people.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub text: &'a str,
    /// The state that an entry was marked with: `pending`, `confirmed`, `dismissed`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub state: &'a str,
    /// Who marked it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub by: &'a str,
    /// What was seen.
    #[serde(flatten)]
    pub observed: Option<&'a Observed>,
}

impl<'a> Entry<'a> {
    /// A line about `session` without details.
    pub fn new(kind: Kind, session: &'a str) -> Self {
        Self {
            kind,
            session,
            harness: "",
            call: None,
            tool: "",
            rule: "",
            path: None,
            excerpt: "",
            outcome: "",
            code: "",
            text: "",
            state: "",
            by: "",
            observed: None,
        }
    }

    /// The same with every text short enough for a line.
    pub(crate) fn bounded(&self) -> Self {
        let cut = |text| cut_to(text, MAX_LEDGER_FIELD_BYTES);
        Self {
            session: cut(self.session),
            call: self.call.map(cut),
            path: self.path.map(cut),
            excerpt: cut_to(self.excerpt, MAX_EXCERPT_BYTES),
            text: cut_to(self.text, MAX_EXCERPT_BYTES),
            ..*self
        }
    }
}

/// As much of `text` as fits into `bytes`.
fn cut_to(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[derive(Serialize)]
struct Line<'a> {
    v: u32,
    time: String,
    #[serde(flatten)]
    entry: &'a Entry<'a>,
}

/// One line, as it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Event {
    /// Version of the form.
    pub v: u32,
    /// When it was written, RFC 3339 UTC.
    pub time: String,
    /// What it is about.
    pub kind: Kind,
    /// The session.
    pub session: String,
    /// The harness.
    pub harness: String,
    /// The call's id.
    pub call: Option<String>,
    /// What kind of tool.
    pub tool: String,
    /// The rule's code.
    pub rule: String,
    /// The path.
    pub path: Option<String>,
    /// The beginning of what the call runs or writes.
    pub excerpt: String,
    /// How a call ended.
    pub outcome: String,
    /// A notice's code.
    pub code: String,
    /// A notice, for people.
    pub text: String,
    /// The state that an entry was marked with.
    pub state: String,
    /// Who marked it.
    pub by: String,
    /// What was seen; for other lines than observations without meaning.
    #[serde(flatten)]
    pub observed: Observed,
}

impl Default for Event {
    fn default() -> Self {
        Self {
            v: 0,
            time: String::new(),
            kind: Kind::Other,
            session: String::new(),
            harness: String::new(),
            call: None,
            tool: String::new(),
            rule: String::new(),
            path: None,
            excerpt: String::new(),
            outcome: String::new(),
            code: String::new(),
            text: String::new(),
            state: String::new(),
            by: String::new(),
            observed: Observed::default(),
        }
    }
}

/// The journal of one HOME.
#[derive(Clone, Debug)]
pub struct Journal {
    path: PathBuf,
    lock: PathBuf,
}

impl Journal {
    /// The journal below `home`; it need not exist.
    pub fn at(home: &Home) -> Self {
        let dir = home.ledger();
        Self { path: dir.join("journal.jsonl"), lock: dir.join("journal.lock") }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one line with the present time.
    pub fn append(&self, entry: &Entry<'_>) -> Result<(), LedgerError> {
        self.append_all(std::slice::from_ref(entry), stamp::now_ms())
    }

    /// Appends `entries` as lines of the time `now` (milliseconds since 1970), in one write.
    pub fn append_all(&self, entries: &[Entry<'_>], now: u64) -> Result<(), LedgerError> {
        let fail = on("append to", &self.path);
        let mut bytes = Vec::new();
        for entry in entries {
            let text = mask(entry.text);
            // Where an entry is that was seen must stay as it is. The path of a refusal is a part of its command.
            let is_part = matches!(entry.kind, Kind::Denied | Kind::Asked | Kind::Warned);
            let path = entry.path.map(|path| if is_part { mask(path) } else { Cow::Borrowed(path) });
            let entry = Entry { text: &text, path: path.as_deref(), ..*entry }.bounded();
            let line = Line { v: VERSION, time: stamp::format_utc(now), entry: &entry };
            serde_json::to_writer(&mut bytes, &line).map_err(|e| fail(e.into()))?;
            bytes.push(b'\n');
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let _lock = lock(&self.lock)?;
        append_line(&self.path, bytes).map_err(fail)
    }

    /// Keeps every writer waiting while the lock is held.
    pub(crate) fn hold(&self) -> Result<Lock, LedgerError> {
        lock(&self.lock)
    }

    /// Every readable line, oldest first, and the number of those that were not.
    pub fn read(&self, mut each: impl FnMut(Event)) -> Result<usize, LedgerError> {
        let fail = on("read", &self.path);
        let mut torn = 0;
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(e) => return Err(fail(e)),
        };
        let mut lines = Lines::new(file);
        while let Some(line) = lines.next().map_err(&fail)? {
            match serde_json::from_slice(line.text) {
                // An array would do for a structure of defaults.
                Ok(event) if line.ended && line.text.starts_with(b"{") => each(event),
                _ => torn += 1,
            }
        }
        Ok(torn)
    }
}

/// Takes the lock at `path`; creates its folder where that is missing.
pub(crate) fn lock(path: &Path) -> Result<Lock, LedgerError> {
    in_private_dir(path.parent().unwrap_or(path), || Lock::acquire(path)).map_err(on("lock", path))
}

/// Appends `line` (or several; with their line ends) in one write; the caller holds the lock. Ends a torn line first.
fn append_line(path: &Path, line: Vec<u8>) -> io::Result<()> {
    let mut file = private_options().read(true).append(true).create(true).open(path)?;
    let mut bytes = line;
    if is_torn(&mut file)? {
        bytes.insert(0, b'\n');
    }
    file.write_all(&bytes)
}

/// Whether the file's last line lacks its end.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::fs;
    use std::io::Write as _;

    use super::{Entry, Event, Journal, Kind};
    use crate::home::Home;
    use crate::ledger::observed::{Attribution, Candidate, EntryKind, Evidence, Grade, Observed};

    fn all(journal: &Journal) -> (Vec<Event>, usize) {
        let mut events = Vec::new();
        let torn = journal.read(|e| events.push(e)).unwrap();
        (events, torn)
    }

    #[test]
    fn written_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::at(&Home::at(dir.path().join("h")));
        assert_eq!(all(&journal), (vec![], 0));
        let entry = Entry {
            call: Some("c1"),
            tool: "shell",
            rule: "outside",
            path: Some("/opt/a\nb\u{1f980}"),
            harness: "claude-code",
            ..Entry::new(Kind::Denied, "s1")
        };
        journal.append(&entry).unwrap();
        journal.append(&Entry::new(Kind::SessionEnd, "s1")).unwrap();
        let (events, torn) = all(&journal);
        assert_eq!((events.len(), torn), (2, 0));
        assert_eq!(events[0].path.as_deref(), entry.path);
        assert_eq!((events[0].kind, events[0].call.as_deref(), events[0].v), (Kind::Denied, Some("c1"), 2));
        assert!(super::stamp::parse_utc(&events[0].time).is_some());
        let text = fs::read_to_string(journal.path()).unwrap();
        assert!(!text.lines().nth(1).unwrap().contains("tool"), "{text}");
    }

    #[test]
    fn observations_are_written_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::at(&Home::at(dir.path()));
        let observed = Observed {
            entry_kind: EntryKind::Dir,
            signature: "d:1:2:3".to_owned(),
            birth: Some("2026-01-31T12:00:00.000Z".to_owned()),
            attribution: Attribution {
                grade: Grade::Ambiguous,
                evidence: vec![Evidence::CallsOpen, Evidence::BornWithin],
                candidates: ["c1", "c2"].map(|c| Candidate { session: "s".into(), call: c.into() }).to_vec(),
            },
            between: false,
        };
        let appeared = Entry {
            path: Some("/opt/x"),
            excerpt: "mkdir /opt/x",
            observed: Some(&observed),
            ..Entry::new(Kind::Appeared, "")
        };
        let notice = Entry { code: "observe_capped", text: "too many", ..Entry::new(Kind::Notice, "") };
        journal.append_all(&[appeared, notice], 1_000).unwrap();
        journal.append_all(&[], 1_000).unwrap();
        let (events, damaged) = all(&journal);
        assert_eq!((events.len(), damaged), (2, 0));
        assert_eq!((events[0].kind, &events[0].observed), (Kind::Appeared, &observed));
        assert_eq!((events[1].kind, &*events[1].code, &*events[1].text), (Kind::Notice, "observe_capped", "too many"));
        let text = fs::read_to_string(journal.path()).unwrap();
        let want = concat!(
            r#"{"v":2,"time":"1970-01-01T00:00:01.000Z","kind":"appeared","session":"","path":"/opt/x","#,
            r#""excerpt":"mkdir /opt/x","entryKind":"dir","signature":"d:1:2:3","birth":"2026-01-31T12:00:00.000Z","#,
            r#""attribution":{"grade":"ambiguous","evidence":["callsOpen","bornWithin"],"#,
            r#""candidates":[{"session":"s","call":"c1"},{"session":"s","call":"c2"}]}}"#,
        );
        assert_eq!(text.lines().next(), Some(want));
        // Words of a later version are survived.
        let mut file = fs::File::options().append(true).open(journal.path()).unwrap();
        let later =
            r#"{"v":9,"kind":"appeared","entryKind":"door","attribution":{"grade":"sure","evidence":["x"],"y":1}}"#;
        file.write_all(format!("{later}\n").as_bytes()).unwrap();
        let last = all(&journal).0.pop().unwrap().observed;
        assert_eq!((last.entry_kind, last.attribution.grade), (EntryKind::Other, Grade::Unattributed));
        assert_eq!(last.attribution.evidence, [Evidence::Other]);
    }

    #[test]
    fn a_torn_line_costs_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::at(&Home::at(dir.path()));
        journal.append(&Entry::new(Kind::SessionStart, "s1")).unwrap();
        let whole = fs::read(journal.path()).unwrap();
        for cut in 1..whole.len() {
            let mut bytes = whole.clone();
            bytes.extend(&whole[..whole.len() - cut]);
            fs::write(journal.path(), &bytes).unwrap();
            let torn = usize::from(cut < whole.len());
            assert_eq!(all(&journal).0.len(), 1, "{cut}");
            journal.append(&Entry::new(Kind::SessionEnd, "s2")).unwrap();
            let (events, damaged) = all(&journal);
            // A line that lacks nothing but its end becomes whole again.
            let healed = usize::from(cut == 1);
            assert_eq!((events.len(), damaged), (2 + healed, torn - healed), "{cut}");
            assert_eq!(events.last().map(|e| e.session.as_str()), Some("s2"));
        }
    }

    #[test]
    fn later_and_damaged_lines_are_survived() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::at(&Home::at(dir.path()));
        journal.append(&Entry::new(Kind::SessionStart, "s1")).unwrap();
        let mut file = fs::File::options().append(true).open(journal.path()).unwrap();
        file.write_all(b"{\"v\":9,\"kind\":\"later\",\"x\":1}\n\xff\xfe\n\n[]\nnull\n").unwrap();
        file.write_all(&vec![b'x'; crate::limits::MAX_LEDGER_LINE_BYTES * 2]).unwrap();
        file.write_all(b"\n").unwrap();
        journal.append(&Entry::new(Kind::SessionEnd, "s1")).unwrap();
        let (events, damaged) = all(&journal);
        assert_eq!(
            events.iter().map(|e| e.kind).collect::<Vec<_>>(),
            [Kind::SessionStart, Kind::Other, Kind::SessionEnd]
        );
        assert_eq!(damaged, 5);
    }

    #[test]
    fn writers_at_once_lose_nothing() {
        // Locks are asked for in turns that nobody keeps: on a slow machine (Wine) too many starve one.
        const WRITERS: usize = if cfg!(windows) { 3 } else { 8 };
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let journal = Journal::at(&home);
                scope.spawn(move || {
                    for n in 0..200 {
                        let call = format!("{writer}-{n}");
                        journal.append(&Entry { call: Some(&call), ..Entry::new(Kind::Denied, "s") }).unwrap();
                    }
                });
            }
        });
        let (events, damaged) = all(&Journal::at(&home));
        assert_eq!((events.len(), damaged), (WRITERS * 200, 0));
        let calls: std::collections::HashSet<_> = events.into_iter().filter_map(|e| e.call).collect();
        assert_eq!(calls.len(), WRITERS * 200);
    }

    #[test]
    fn a_line_never_outgrows_its_reader() {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::at(&Home::at(dir.path()));
        let huge = "\u{1}é".repeat(1 << 20);
        let entry = Entry { call: Some(&huge), path: Some(&huge), excerpt: &huge, ..Entry::new(Kind::Denied, &huge) };
        journal.append(&entry).unwrap();
        let (events, damaged) = all(&journal);
        assert_eq!((events.len(), damaged), (1, 0));
        assert!(huge.starts_with(events[0].path.as_deref().unwrap()));
    }

    #[test]
    fn what_can_not_be_written_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("file");
        fs::write(&home, "").unwrap();
        let err = Journal::at(&Home::at(&home)).append(&Entry::new(Kind::Denied, "s")).unwrap_err();
        assert_eq!(err.code(), "ledger_io");
        let home = Home::at(dir.path().join("h"));
        fs::create_dir_all(Journal::at(&home).path()).unwrap();
        assert!(Journal::at(&home).append(&Entry::new(Kind::Denied, "s")).is_err());
    }
}
