//! An attacker who swaps a folder for a link while the root is at work.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::place::Place;
use super::run::Tried;
use crate::contained::Root;
use crate::limits::CORPUS_RACE_SWAPS;
use crate::sys::Folder;

/// Reads, writes, lists and removes in a folder that becomes a link and back all the time.
pub(super) fn run(tried: &mut Tried, place: &Place, root: &Root) -> io::Result<()> {
    fs::create_dir(place.workspace.join("a"))?;
    fs::write(place.workspace.join("a/loot"), "mine")?;
    symlink(&place.outside, place.workspace.join("b"))?;
    let over = AtomicBool::new(false);
    let (swapped, leaks) = std::thread::scope(|scope| {
        let attacker = scope.spawn(|| {
            let swapped = attack(&place.workspace);
            over.store(true, Ordering::Release);
            swapped
        });
        let leaks = work(root, &over);
        (attacker.join(), leaks)
    });
    swapped.map_err(|_| io::Error::other("the thread that swaps ended early"))??;
    let changes = place.changes()?;
    let got = if leaks == 0 { changes } else { format!("what lies outside was read {leaks} times; {changes}") };
    let name = format!("a folder becomes a link {CORPUS_RACE_SWAPS} times ({})", root.way().name());
    tried.ended("races", &name, got.is_empty(), got);
    Ok(())
}

fn attack(workspace: &Path) -> io::Result<()> {
    let folder = Folder::open(workspace)?;
    for _ in 0..CORPUS_RACE_SWAPS {
        swap(&folder, workspace)?;
    }
    Ok(())
}

fn swap(folder: &Folder, workspace: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if folder.exchange("a".as_ref(), "b".as_ref()).is_ok() {
        return Ok(());
    }
    // Not in one step, where the system has none.
    for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
        fs::rename(workspace.join(from), workspace.join(to))?;
    }
    folder.own_node().map(drop)
}

/// How often something was read that lies outside.
fn work(root: &Root, over: &AtomicBool) -> usize {
    let mut leaks = 0;
    while !over.load(Ordering::Acquire) {
        leaks += usize::from(root.read(b"a/loot", 9).is_ok_and(|held| held != b"mine"));
        // Each outcome will do that leaves the outside alone; that is looked at afterwards.
        drop(root.replace(b"a/new", b"x"));
        drop(root.create(b"a/deep/er/new", b"x"));
        drop(root.remove(b"a/new"));
        drop(root.list(Some(b"a"), 9));
    }
    leaks
}
