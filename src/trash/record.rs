//! What is written down of an act: a line in the journal, by which the index follows. The audit is written around it.

use std::path::Path;

use super::manifest::Manifest;
use crate::home::Home;
use crate::ledger::journal::{Entry, Journal, Kind};
use crate::ledger::observed::{EntryKind, Observed};
use crate::ledger::{LedgerError, State};
use crate::observe::signature_at;

/// The entry `manifest` went into the trash as the item `id`.
pub(crate) fn recycled(home: &Home, manifest: &Manifest, by: &str) -> Result<(), LedgerError> {
    let observed = observed(manifest.kind, &manifest.signature);
    write(home, Kind::Recycled, manifest, &observed, by)
}

/// The entry came back to `path`, as a copy where `copied` says so.
pub(crate) fn restored(
    home: &Home,
    manifest: &Manifest,
    path: &Path,
    by: &str,
    copied: bool,
) -> Result<(), LedgerError> {
    // A copy has another signature, and another writer's item has none that is ours.
    let known = !manifest.signature.is_empty() && !manifest.across_volumes && !copied;
    let found = if known { None } else { signature_at(path).ok() };
    let (kind, signature) =
        found.map_or_else(|| (manifest.kind, manifest.signature.clone()), |(kind, text, _)| (kind, text));
    write(home, Kind::Restored, manifest, &observed(kind, &signature), by)
}

/// The item was removed for good.
pub(crate) fn purged(home: &Home, manifest: &Manifest, by: &str) -> Result<(), LedgerError> {
    write(home, Kind::Purged, manifest, &observed(manifest.kind, &manifest.signature), by)
}

fn observed(kind: EntryKind, signature: &str) -> Observed {
    Observed { entry_kind: kind, signature: signature.to_owned(), ..Observed::default() }
}

fn write(home: &Home, kind: Kind, manifest: &Manifest, observed: &Observed, by: &str) -> Result<(), LedgerError> {
    let session = manifest.session.as_deref().unwrap_or_default();
    let entry = Entry {
        harness: &manifest.harness,
        call: manifest.call.as_deref(),
        path: Some(&manifest.original_path),
        text: &manifest.id,
        state: State::Confirmed.as_str(),
        by,
        observed: Some(observed),
        ..Entry::new(kind, session)
    };
    Journal::at(home).append(&entry)
}
