//! What one line of the journal changes in the index. The same line a second time changes nothing.

use super::row::{Row, State, Step, Told};
use super::{Index, Notice, row_key};
use crate::ledger::journal::{Event, Kind};
use crate::limits::{MAX_INDEX_NOTICES, MAX_INDEX_ROWS, MAX_INDEX_SESSIONS, MAX_STORY};

impl Index {
    /// Adds one line of the journal.
    pub fn apply(&mut self, event: &Event) {
        match event.kind {
            Kind::Appeared | Kind::Changed => self.appeared(event),
            Kind::Vanished => self.vanished(event),
            Kind::Mark => self.mark(event),
            Kind::Recycled => self.recycled(event),
            Kind::Restored => self.restored(event),
            Kind::Purged => self.purged(event),
            Kind::Transient => self.note(Notice {
                code: "transient".to_owned(),
                text: "something was created here and removed again".to_owned(),
                ..notice(event)
            }),
            Kind::Notice => self.note(notice(event)),
            Kind::CallStart | Kind::SessionStart => self.meet(&event.session, &event.harness),
            _ => {}
        }
    }

    fn appeared(&mut self, event: &Event) {
        let Some(path) = path(event) else { return };
        let harness = self.harness(event);
        let fresh = seen(event, path, harness);
        let Some(row) = self.rows.get_mut(&*row_key(path)) else {
            self.insert(fresh);
            return;
        };
        if row.signature == fresh.signature {
            // Another look at the same entry, unless it was gone meanwhile.
            if row.gone.take().is_some() {
                row.trash = None;
                tell(row, told(event, Step::Returned, row.state));
            }
            return;
        }
        let old = std::mem::take(row);
        let (first_seen, extra) = (old.first_seen, old.extra);
        *row = Row { first_seen, extra, story: old.story, ..fresh };
        tell(row, told(event, Step::Changed, State::Pending));
    }

    fn vanished(&mut self, event: &Event) {
        let Some(path) = path(event) else { return };
        let harness = self.harness(event);
        let Some(row) = self.rows.get_mut(&*row_key(path)) else {
            // It was there before anybody looked; who removed it is worth knowing.
            let mut row = seen(event, path, harness);
            row.gone = Some(event.time.clone());
            row.story.clear();
            tell(&mut row, told(event, Step::Vanished, State::Pending));
            self.insert(row);
            return;
        };
        let other = !event.observed.signature.is_empty() && event.observed.signature != row.signature;
        if row.gone.is_some() || other {
            return;
        }
        row.gone = Some(event.time.clone());
        tell(row, told(event, Step::Vanished, row.state));
    }

    fn mark(&mut self, event: &Event) {
        let Some(row) = path(event).and_then(|path| self.rows.get_mut(&*row_key(path))) else { return };
        let Ok(state) = event.state.parse::<State>() else { return };
        // It was meant for what stood there when it was given.
        if row.signature != event.observed.signature || row.state == state {
            return;
        }
        row.state = state;
        tell(row, told(event, Step::Marked, state));
    }

    /// A look may have found it gone before this was written.
    fn recycled(&mut self, event: &Event) {
        let Some(row) = path(event).and_then(|path| self.rows.get_mut(&*row_key(path))) else { return };
        let other = !event.observed.signature.is_empty() && event.observed.signature != row.signature;
        if other || event.text.is_empty() || row.trash.as_ref() == Some(&event.text) {
            return;
        }
        row.trash = Some(event.text.clone());
        row.gone.get_or_insert_with(|| event.time.clone());
        tell(row, told(event, Step::Recycled, row.state));
    }

    fn restored(&mut self, event: &Event) {
        let Some(path) = path(event) else { return };
        let harness = self.harness(event);
        let state = event.state.parse::<State>().unwrap_or(State::Confirmed);
        let Some(row) = self.rows.get_mut(&*row_key(path)) else {
            // Recycled under another HOME, or by the published plugin.
            let mut row = Row { state, ..seen(event, path, harness) };
            row.story.clear();
            tell(&mut row, told(event, Step::Restored, state));
            self.insert(row);
            return;
        };
        let same = row.signature == event.observed.signature;
        if same && row.gone.is_none() && row.trash.is_none() {
            return;
        }
        // A copy from another volume is the same entry with another signature.
        event.observed.signature.clone_into(&mut row.signature);
        (row.gone, row.trash, row.state) = (None, None, state);
        tell(row, told(event, Step::Restored, state));
    }

    fn purged(&mut self, event: &Event) {
        let Some(row) = path(event).and_then(|path| self.rows.get_mut(&*row_key(path))) else { return };
        // Something else may have taken the entry's place since.
        if row.trash.as_ref() != Some(&event.text) {
            return;
        }
        row.trash = None;
        tell(row, told(event, Step::Purged, row.state));
    }

    /// Adds a notice; one that is there already only gets the later time.
    pub(crate) fn note(&mut self, new: Notice) {
        let same = |old: &Notice| {
            let of = |n: &Notice| (n.code.clone(), n.path.clone(), n.text.clone(), n.session.clone(), n.call.clone());
            of(old) == of(&new)
        };
        if let Some(old) = self.notices.iter_mut().find(|old| same(old)) {
            if old.time < new.time {
                old.time = new.time;
            }
            return;
        }
        if self.notices.len() >= MAX_INDEX_NOTICES {
            self.notices.remove(0);
        }
        self.notices.push(new);
    }

    /// Adds an entry that is not there yet. Where there are too many, those that are gone for longest make room.
    pub(super) fn insert(&mut self, row: Row) {
        if self.rows.len() >= MAX_INDEX_ROWS {
            let mut gone: Vec<(String, String)> =
                self.rows.values().filter_map(|row| Some((row.gone.clone()?, row.path.clone()))).collect();
            gone.sort_unstable();
            // A tenth at a time, so that this is not done for each entry.
            for (_, path) in gone.into_iter().take(MAX_INDEX_ROWS / 10) {
                self.rows.remove(&*row_key(&path));
            }
        }
        if self.rows.len() >= MAX_INDEX_ROWS {
            self.note(Notice {
                time: row.observed_at.unwrap_or_default(),
                code: "index_full".to_owned(),
                text: format!("the index holds {MAX_INDEX_ROWS} entries; new ones are not listed"),
                ..Notice::default()
            });
            return;
        }
        self.rows.insert(row_key(&row.path).into_owned(), row);
    }

    fn meet(&mut self, session: &str, harness: &str) {
        if session.is_empty() || harness.is_empty() {
            return;
        }
        if let Some(known) = self.harnesses.iter_mut().find(|(known, _)| known == session) {
            harness.clone_into(&mut known.1);
            return;
        }
        if self.harnesses.len() >= MAX_INDEX_SESSIONS {
            self.harnesses.remove(0);
        }
        self.harnesses.push((session.to_owned(), harness.to_owned()));
    }

    fn harness(&self, event: &Event) -> String {
        if !event.harness.is_empty() {
            return event.harness.clone();
        }
        let known = self.harnesses.iter().find(|(session, _)| *session == event.session);
        known.map(|(_, harness)| harness.clone()).unwrap_or_default()
    }
}

fn path(event: &Event) -> Option<&str> {
    event.path.as_deref().filter(|path| !path.is_empty())
}

fn notice(event: &Event) -> Notice {
    Notice {
        time: event.time.clone(),
        code: event.code.clone(),
        path: event.path.clone().unwrap_or_default(),
        text: event.text.clone(),
        session: event.session.clone(),
        call: event.call.clone().unwrap_or_default(),
    }
}

/// The entry that a line tells of, as if nothing was known of it.
fn seen(event: &Event, path: &str, harness: String) -> Row {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let mut row = Row {
        path: path.to_owned(),
        first_seen: some(&event.time),
        signature: event.observed.signature.clone(),
        session: some(&event.session),
        call: event.call.clone().filter(|call| !call.is_empty()),
        observed_at: some(&event.time),
        attribution: event.observed.attribution.clone(),
        entry_kind: event.observed.entry_kind,
        harness,
        tool: event.tool.clone(),
        excerpt: event.excerpt.clone(),
        birth: event.observed.birth.clone(),
        between: event.observed.between,
        ..Row::default()
    };
    tell(&mut row, told(event, Step::Appeared, State::Pending));
    row
}

fn told(event: &Event, step: Step, state: State) -> Told {
    Told {
        time: event.time.clone(),
        step,
        state,
        session: event.session.clone(),
        call: event.call.clone().unwrap_or_default(),
        excerpt: event.excerpt.clone(),
        by: event.by.clone(),
    }
}

/// Adds to an entry's story; of a long one the beginning and the end are kept.
pub(super) fn tell(row: &mut Row, told: Told) {
    if row.story.len() >= MAX_STORY {
        row.story.remove(1);
    }
    row.story.push(told);
}
