//! An event's observation: one look, then the journal, then what is remembered, all under one lock.
//!
//! Lines come before the baseline that they are the difference to: a process that is killed between the two writes them
//! again at the next event, and the same line twice says nothing new.

use std::io;
use std::path::PathBuf;

use super::attribute::{Happening, attribute};
use super::book::Book;
use super::calls::{Call, Known, Remembered, call_key};
use super::late::Late;
use super::look::{Care, Difference, Look, Notice, look_at};
use super::named::may_outlive;
use super::roots::{Surroundings, roots};
use super::state::Store;
use crate::config::Policy;
use crate::home::Home;
use crate::ledger::files::{Lock, in_private_dir};
use crate::ledger::journal::{Entry, Kind};
use crate::ledger::mask::mask;
use crate::ledger::observed::{Attribution, Candidate, Evidence, Grade, Observed};
use crate::ledger::stamp::{format_utc, now_ms};
use crate::ledger::{Journal, LedgerError};
use crate::limits::{OBSERVE_WAIT_MS, UNANSWERED_MS};

/// A call that was let through.
#[derive(Clone, Copy, Debug)]
pub struct Starting<'a> {
    /// The session id as the harness spells it.
    pub session: &'a str,
    /// The call's id, where there is one.
    pub call: Option<&'a str>,
    /// The harness's short name.
    pub harness: &'a str,
    /// What kind of tool, in one word.
    pub tool: &'a str,
    /// What it runs, or the paths that it writes. It is not written down before its secrets are masked.
    pub command: &'a str,
    /// Whether it is meant to go on after its end.
    pub background: bool,
}

/// A call that ended, described as it was at its start.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    /// The call.
    pub call: Starting<'a>,
    /// `ended` or `failed`.
    pub outcome: &'a str,
}

/// What is over at an event that belongs to no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Nothing.
    Nothing,
    /// The agent's turn: its calls that are older than any command may run have ended.
    Turn,
    /// The session: all its calls have.
    Session,
}

/// Observes for one event.
#[derive(Debug)]
pub struct Observer<'a> {
    policy: &'a Policy,
    around: &'a Surroundings<'a>,
    store: Store,
    book: PathBuf,
    late: Late,
    journal: Journal,
    lock: PathBuf,
}

/// An event under the lock.
struct Run {
    book: Book,
    now: u64,
    /// What to say of an earlier version's files.
    older: Option<String>,
    _lock: Lock,
}

/// A call that ended without an event of its own.
struct Closed {
    call: Call,
    key: u64,
    outcome: &'static str,
}

impl<'a> Observer<'a> {
    /// Observes for `home`.
    pub fn new(home: &Home, policy: &'a Policy, around: &'a Surroundings<'a>) -> Self {
        let dir = home.ledger().join("observe");
        Self {
            policy,
            around,
            book: dir.join("book"),
            late: Late::at(dir.join("late")),
            store: Store::at(dir),
            journal: Journal::at(home),
            lock: home.ledger().join("observe.lock"),
        }
    }

    /// Before a call runs: what happened until now is not its doing. The call is noted even where nothing else can be done.
    pub fn start(&self, starting: &Starting<'_>) -> Result<(), LedgerError> {
        let key = call_key(starting.session, starting.call, starting.command);
        let masked = mask(starting.command);
        let Some(mut run) = self.run()? else { return self.start_late(key, starting, &masked) };
        if run.book.has_ended(key) {
            // It has ended already: this event comes again.
            return self.plain(&mut run);
        }
        let (look, failed) = match self.look(&mut run, Care::Quick) {
            Ok(look) => (look, None),
            Err(error) => (Look::default(), Some(error)),
        };
        let remembered = self.remembered(&run, &look);
        let new = !run.book.is_open(key);
        if new {
            let fail = |e| LedgerError::new("note a call in", self.store.dir(), e);
            run.book.start(key, &call_of(starting, &masked, run.now));
            run.book.write().map_err(fail)?;
        }
        let line = new.then(|| start_line(starting, &masked));
        self.append(&look, remembered.as_ref(), None, line.as_slice(), run.now)?;
        self.store(&mut run, &look)?;
        failed.map_or(Ok(()), Err)
    }

    /// The call alone; the next event looks.
    fn start_late(&self, key: u64, starting: &Starting<'_>, masked: &str) -> Result<(), LedgerError> {
        let fail = |e| LedgerError::new("note a call in", self.store.dir(), e);
        let book = Book::read(self.book.clone()).map_err(fail)?;
        if book.is_open(key) || book.has_ended(key) || self.late.has(key) {
            return Ok(());
        }
        self.late.start(key, &call_of(starting, masked, now_ms())).map_err(fail)?;
        self.journal.append(&start_line(starting, masked))
    }

    /// After a call: what is different since is attributed to those that were open.
    pub fn end(&self, ending: &Ending<'_>) -> Result<(), LedgerError> {
        let starting = &ending.call;
        let key = call_key(starting.session, starting.call, starting.command);
        let line =
            Entry { call: starting.call, outcome: ending.outcome, ..Entry::new(Kind::CallEnd, starting.session) };
        let Some(mut run) = self.run()? else {
            let fail = |e| LedgerError::new("note a call in", self.store.dir(), e);
            let is_open = Book::read(self.book.clone()).map_err(fail)?.is_open(key) || self.late.has(key);
            if !is_open || self.late.has_ended(key) {
                return Ok(());
            }
            self.late.end(key).map_err(fail)?;
            return self.journal.append(&line);
        };
        let is_open = run.book.is_open(key);
        if !is_open && run.book.has_ended(key) {
            return self.plain(&mut run);
        }
        let look = self.look(&mut run, Care::Quick)?;
        let mut remembered = self.remembered(&run, &look);
        if let (false, Some(remembered)) = (is_open, &mut remembered) {
            // Its start was never seen (the guard was installed meanwhile): it may have been open all the time.
            let call = Call { start: 0, ..call_of(starting, &mask(starting.command), run.now) };
            remembered.open.push(Known { key, call, end: None, looked: false });
        }
        self.append(&look, remembered.as_ref(), Some(key), &[line], run.now)?;
        if is_open {
            run.book.end(key, run.now, true);
        }
        self.store(&mut run, &look)
    }

    /// At any other event: looks, and closes the calls that get no event of their own.
    pub fn catch_up(&self, session: &str, over: Over) -> Result<(), LedgerError> {
        let Some(mut run) = self.run()? else { return Ok(()) };
        // Nobody waits for a command then.
        let care = if over == Over::Nothing { Care::Quick } else { Care::Thorough };
        let look = self.look(&mut run, care)?;
        if look.differences.is_empty() && !run.book.has_open() {
            self.append(&look, None, None, &[], run.now)?;
            return self.store(&mut run, &look);
        }
        let remembered = run.book.remembered(self.horizon(run.now));
        let closed = self.closed(&remembered, session, over, run.now);
        let lines: Vec<_> = closed
            .iter()
            .map(|closed| Entry {
                call: Some(&*closed.call.call).filter(|call| !call.is_empty()),
                outcome: closed.outcome,
                ..Entry::new(Kind::CallEnd, &closed.call.session)
            })
            .collect();
        self.append(&look, Some(&remembered), None, &lines, run.now)?;
        for closed in &closed {
            run.book.end(closed.key, run.now, true);
        }
        self.store(&mut run, &look)
    }

    /// Calls that began before this time have ended by now, known or not.
    fn horizon(&self, now: u64) -> u64 {
        now.saturating_sub(u64::from(self.policy.call_ttl_hours) * 3_600_000)
    }

    fn closed(&self, remembered: &Remembered, session: &str, over: Over, now: u64) -> Vec<Closed> {
        let horizon = self.horizon(now);
        let outcome = |call: &Call| {
            let (age, own) = (now.saturating_sub(call.start), call.session == session);
            match over {
                Over::Session if own => Some("sessionEnded"),
                Over::Turn if own && age > UNANSWERED_MS => Some("unanswered"),
                _ if call.start < horizon => Some("agedOut"),
                _ => None,
            }
        };
        let closed = remembered.open.iter().filter_map(|known| {
            Some(Closed { call: known.call.clone(), key: known.key, outcome: outcome(&known.call)? })
        });
        closed.collect()
    }

    /// A look, its lines, nothing else.
    fn plain(&self, run: &mut Run) -> Result<(), LedgerError> {
        let look = self.look(run, Care::Quick)?;
        let remembered = self.remembered(run, &look);
        self.append(&look, remembered.as_ref(), None, &[], run.now)?;
        self.store(run, &look)
    }

    /// Takes the lock; `None` where others hold it for too long: then what is to be seen is seen at the next event.
    fn run(&self) -> Result<Option<Run>, LedgerError> {
        let fail = |e| LedgerError::new("lock", &self.lock, e);
        let lock = match in_private_dir(self.store.dir(), || Lock::acquire_within(&self.lock, OBSERVE_WAIT_MS)) {
            Ok(lock) => lock,
            Err(e) if e.kind() == io::ErrorKind::TimedOut => return Ok(None),
            Err(e) => return Err(fail(e)),
        };
        let fail = |e| LedgerError::new("read calls in", self.store.dir(), e);
        let (mut book, now) = (Book::read(self.book.clone()).map_err(fail)?, now_ms());
        let older = if book.is_new() { self.older() } else { None };
        if book.is_damaged() || older.is_some() {
            book.lose(now);
        }
        self.late.take_over(&mut book, now).map_err(fail)?;
        Ok(Some(Run { book, now, older, _lock: lock }))
    }

    /// Clears away what an earlier version left; what to say of it. Its calls that are open still are not known here.
    fn older(&self) -> Option<String> {
        match self.store.clear_older() {
            Ok(false) => None,
            Ok(true) => Some("what an earlier version knew of calls and watched folders is not taken over".to_owned()),
            Err(e) => Some(format!("what an earlier version left can't be removed: {e}; it does no harm")),
        }
    }

    fn look(&self, run: &mut Run, care: Care) -> Result<Look, LedgerError> {
        let fail = |e| LedgerError::new("observe with", self.store.dir(), e);
        let roots = roots(self.policy, self.around);
        let mut look = look_at(&self.store, &run.book, self.policy, self.around, roots, care).map_err(fail)?;
        if let Some(text) = &run.older {
            let path = self.store.dir().to_string_lossy().into_owned();
            look.notices.push(Notice { code: "observe_older", path, text: text.clone() });
        }
        if !look.differences.is_empty() {
            let fail = |e| LedgerError::new("read calls in", self.store.dir(), e);
            self.late.take_starts(&mut run.book, run.now).map_err(fail)?;
        }
        Ok(look)
    }

    /// The calls, where there is something to attribute.
    fn remembered(&self, run: &Run, look: &Look) -> Option<Remembered> {
        (!look.differences.is_empty()).then(|| run.book.remembered(self.horizon(run.now)))
    }

    /// Writes the lines of `look`, then `more`.
    fn append(
        &self,
        look: &Look,
        remembered: Option<&Remembered>,
        current: Option<u64>,
        more: &[Entry<'_>],
        now: u64,
    ) -> Result<(), LedgerError> {
        let nothing = Remembered::default();
        let calls = remembered.unwrap_or(&nothing);
        let late = if look.differences.is_empty() { now } else { now_ms() };
        let judged: Vec<_> =
            look.differences.iter().map(|difference| self.judge(difference, calls, current, late)).collect();
        let mut lines = Vec::with_capacity(judged.len() + look.notices.len() + more.len());
        for (difference, (observed, chosen)) in look.differences.iter().zip(&judged) {
            let mut entry = Entry::new(difference.kind, "");
            if let Some(call) = chosen {
                entry = Entry {
                    harness: &call.harness,
                    call: Some(&*call.call).filter(|call| !call.is_empty()),
                    tool: &call.tool,
                    excerpt: &call.command,
                    ..Entry::new(difference.kind, &call.session)
                };
            } else if let (Grade::Likely, [one]) = (observed.attribution.grade, &*observed.attribution.candidates) {
                entry.session = &one.session;
            }
            lines.push(Entry { path: Some(&difference.path), observed: Some(observed), ..entry });
        }
        lines.extend(look.notices.iter().map(|notice| Entry {
            code: notice.code,
            path: Some(&notice.path),
            text: &notice.text,
            ..Entry::new(Kind::Notice, "")
        }));
        lines.extend(more);
        self.journal.append_all(&lines, late)
    }

    fn judge<'c>(
        &self,
        difference: &Difference,
        calls: &'c Remembered,
        current: Option<u64>,
        now: u64,
    ) -> (Observed, Option<&'c Call>) {
        let happening = Happening {
            path: &difference.path,
            made: matches!(difference.kind, Kind::Appeared | Kind::Changed),
            birth: difference.birth,
            changed: difference.changed,
            latest: difference.latest,
            own: difference.own,
        };
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let mut found = attribute(self.around.model, &happening, calls, current, now);
        if let Some(session) = &difference.session {
            // A scratch folder bears its session's name, and this product makes it.
            let candidates = vec![Candidate { session: session.clone(), call: String::new() }];
            found.attribution = Attribution { grade: Grade::Likely, evidence: vec![Evidence::Named], candidates };
            found.chosen = None;
        }
        let birth = u64::try_from(difference.birth).ok().filter(|birth| *birth > 0).map(format_utc);
        let observed = Observed {
            entry_kind: difference.entry_kind,
            signature: difference.signature.clone(),
            birth,
            attribution: found.attribution,
            between: found.between,
        };
        (observed, found.chosen)
    }

    /// Stores what `look` saw; its lines are written by now.
    fn store(&self, run: &mut Run, look: &Look) -> Result<(), LedgerError> {
        let fail = |e| LedgerError::new("write in", self.store.dir(), e);
        for (note, path, table) in &look.tables {
            self.store.put_baseline(note, path.as_bytes(), table).map_err(fail)?;
        }
        for note in &look.notes {
            run.book.note(note);
        }
        if look.complete {
            run.book.looked();
        }
        run.book.write().map_err(fail)
    }
}

fn call_of(starting: &Starting<'_>, masked: &str, now: u64) -> Call {
    Call {
        session: starting.session.to_owned(),
        call: starting.call.unwrap_or_default().to_owned(),
        harness: starting.harness.to_owned(),
        tool: starting.tool.to_owned(),
        start: now,
        command: masked.to_owned(),
        cut: false,
        outlives: starting.background || starting.tool != "write" && may_outlive(starting.command),
    }
    .bounded()
}

fn start_line<'a>(starting: &Starting<'a>, masked: &'a str) -> Entry<'a> {
    Entry {
        harness: starting.harness,
        call: starting.call,
        tool: starting.tool,
        excerpt: masked,
        ..Entry::new(Kind::CallStart, starting.session)
    }
}
