//! An attacker who swaps a folder for a link while the root is at work.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::links::link_to_folder;
use super::place::Place;
use super::run::Tried;
use crate::contained::Root;
use crate::limits::{CORPUS_RACE_SWAPS, CORPUS_SWAP_WAIT_MS};
#[cfg(target_os = "linux")]
use crate::sys::Folder;

/// Reads, writes, lists and removes in a folder that becomes a link and back all the time.
pub(super) fn run(tried: &mut Tried, place: &Place, root: &Root) -> io::Result<()> {
    let (mine, theirs) = (place.workspace.join("a"), place.workspace.join("b"));
    fs::create_dir(&mine)?;
    fs::write(mine.join("loot"), "mine")?;
    // Where there are no links: another folder, of which anything may be read.
    let linked = link_to_folder(&place.outside, &theirs).is_ok();
    if !linked {
        fs::create_dir(&theirs)?;
        fs::write(theirs.join("loot"), "mine")?;
    }
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
    let what = if linked { "a link" } else { "another" };
    let name = format!("a folder becomes {what} {CORPUS_RACE_SWAPS} times ({})", root.way().name());
    tried.ended("races", &name, got.is_empty(), got);
    Ok(())
}

fn attack(workspace: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    let folder = Folder::open(workspace)?;
    let mut aside = 0;
    for _ in 0..CORPUS_RACE_SWAPS {
        #[cfg(target_os = "linux")]
        if folder.exchange("a".as_ref(), "b".as_ref()).is_ok() {
            continue;
        }
        // Not in one step, where the system has none.
        for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
            insist(workspace, from, to, &mut aside)?;
        }
    }
    Ok(())
}

/// Renames until it is done. Windows renames no folder in which somebody has a file open, and between two renames the root may
/// make a folder of that name anew, which goes aside.
fn insist(workspace: &Path, from: &str, to: &str, aside: &mut usize) -> io::Result<()> {
    let end = Instant::now() + Duration::from_millis(CORPUS_SWAP_WAIT_MS);
    let (from, to) = (workspace.join(from), workspace.join(to));
    loop {
        match fs::rename(&from, &to) {
            Err(error) if Instant::now() > end => return Err(error),
            Err(_) if to.is_dir() => {
                *aside += usize::from(fs::rename(&to, workspace.join(format!("aside{aside}"))).is_ok());
            }
            Err(_) => std::thread::yield_now(),
            Ok(()) => return Ok(()),
        }
    }
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
