//! Follows what happens on watched folders: a change there asks for a look, and what the looks of all processes write to the
//! journal is given on.
//!
//! The system's notices only say when to look, never what happened. So a lost notice, an overflow or a file system that gives
//! none costs time and no entry: every few seconds there is a look anyway.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecursiveMode, Watcher as _};

use crate::home::Home;
use crate::ledger::files::create_private_dir;
use crate::ledger::index::Tail;
use crate::ledger::journal;
use crate::ledger::{IndexError, LedgerError, Store};
use crate::limits::{WATCH_LOOK_MS, WATCH_SETTLE_MS, WATCH_TURN_MS};

/// Why nothing can be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The index can't be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The journal can't be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The system gives no notices at all.
    #[error("the system's notices of changes are not to be had: {0}")]
    Notices(#[from] notify::Error),
}

/// What [`watch`] gives on.
#[derive(Debug)]
pub enum Watched {
    /// A line of the journal.
    Line(Box<journal::Event>),
    /// From now on everything is seen.
    Ready,
    /// A folder of which the system gives no notices; it is looked at every few seconds.
    Unnoticed(PathBuf, String),
}

/// What a notice asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Need {
    look: bool,
    read: bool,
}

/// Watches `roots` and the journal until `stop` is set or `tell` says that it had enough. `look` looks at the roots and
/// writes to the journal.
pub fn watch<E: From<WatchError>>(
    home: &Home,
    roots: &[PathBuf],
    stop: &AtomicBool,
    mut look: impl FnMut() -> Result<(), E>,
    mut tell: impl FnMut(Watched) -> Result<(), E>,
) -> Result<(), E> {
    let index = Store::at(home).read().map_err(WatchError::from)?.index;
    let mut tail = Tail::after(home, &index);
    drop(index);
    let (send, notices) = mpsc::channel();
    let ledger = home.ledger();
    let kept = ledger.clone();
    let handler = move |notice: notify::Result<Event>| {
        let need = notice.map_or(Need { look: true, read: true }, |event| needs(&event, &kept));
        if need != Need::default() {
            // Nobody listens any more when the watching ends.
            let _ended = send.send(need);
        }
    };
    let mut watcher = notify::recommended_watcher(handler).map_err(WatchError::from)?;
    create_private_dir(&ledger).map_err(|e| WatchError::from(LedgerError::new("create", &ledger, e)))?;
    for root in roots.iter().chain([&ledger]) {
        if let Err(error) = watcher.watch(root, RecursiveMode::NonRecursive) {
            tell(Watched::Unnoticed(root.clone(), error.to_string()))?;
        }
    }
    look()?;
    let mut looked = Instant::now();
    let mut ready = false;
    let mut need = Need { look: false, read: true };
    while !stop.load(Ordering::Relaxed) {
        if need.look || looked.elapsed() > Duration::from_millis(WATCH_LOOK_MS) {
            look()?;
            looked = Instant::now();
            need.read = true;
        }
        if need.read {
            let mut lines = Vec::new();
            tail.read(|event| lines.push(event)).map_err(WatchError::from)?;
            for line in lines {
                tell(Watched::Line(Box::new(line)))?;
            }
        }
        if !ready {
            tell(Watched::Ready)?;
            ready = true;
        }
        need = wait(&notices);
    }
    Ok(())
}

/// Waits for a notice, a moment longer for those that come with it, and no longer than a turn.
fn wait(notices: &Receiver<Need>) -> Need {
    let mut need = match notices.recv_timeout(Duration::from_millis(WATCH_TURN_MS)) {
        Ok(need) => need,
        Err(RecvTimeoutError::Timeout) => return Need::default(),
        Err(RecvTimeoutError::Disconnected) => {
            // No notices any more: by the clock alone.
            std::thread::sleep(Duration::from_millis(WATCH_TURN_MS));
            return Need { look: true, read: true };
        }
    };
    let end = Instant::now() + Duration::from_millis(WATCH_SETTLE_MS);
    while let Ok(more) = notices.recv_timeout(end.saturating_duration_since(Instant::now())) {
        need = Need { look: need.look | more.look, read: need.read | more.read };
    }
    need
}

fn needs(event: &Event, ledger: &Path) -> Need {
    if event.need_rescan() {
        return Need { look: true, read: true };
    }
    // A look opens the folders itself: it must not ask for the next.
    if matches!(event.kind, EventKind::Access(_)) {
        return Need::default();
    }
    let is_journal = |path: &PathBuf| path.file_name().is_some_and(|name| name == "journal.jsonl");
    Need {
        look: event.paths.iter().any(|path| !path.starts_with(ledger)),
        read: event.paths.iter().any(|path| path.starts_with(ledger) && is_journal(path)),
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, Flag};
    use notify::{Event, EventKind};

    use super::{Need, needs};

    #[test]
    fn notices_ask_for_what_they_need() {
        let ledger = std::path::Path::new("/h/workspace-mgr");
        let event = |path: &str| Event::new(EventKind::Create(CreateKind::Any)).add_path(path.into());
        let check = |event: &Event, look: bool, read: bool| assert_eq!(needs(event, ledger), Need { look, read });
        check(&event("/srv/x"), true, false);
        check(&event("/h/workspace-mgr/journal.jsonl"), false, true);
        check(&event("/h/workspace-mgr/observe.lock"), false, false);
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        check(&overflow, true, true);
        check(&Event::new(EventKind::Access(AccessKind::Any)).add_path("/srv/x".into()), false, false);
    }
}
