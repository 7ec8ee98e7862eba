//! An attacker who swaps a folder for a link while the root is at work, and callers who get in each other's way.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{Place, link_to_folder, ways};

/// Swaps of the attacker; each is three renames where the system knows no exchange.
const SWAPS: usize = if cfg!(windows) { 5_000 } else { 100_000 };

/// Exchanges `a` and `b` again and again, in one step.
#[cfg(target_os = "linux")]
fn attack(root: &Path) {
    let folder = crate::sys::Folder::open(root).unwrap();
    for _ in 0..SWAPS {
        folder.exchange("a".as_ref(), "b".as_ref()).unwrap();
    }
}

/// Exchanges `a` and `b` again and again, by way of a third name.
#[cfg(not(target_os = "linux"))]
fn attack(root: &Path) {
    let mut aside = 0;
    for _ in 0..SWAPS {
        for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
            // Windows renames no folder in which somebody has a file open; and between two renames the root makes one anew.
            while fs::rename(root.join(from), root.join(to)).is_err() {
                if root.join(to).is_dir() {
                    aside += usize::from(fs::rename(root.join(to), root.join(format!("aside{aside}"))).is_ok());
                }
                std::thread::yield_now();
            }
        }
    }
}

#[test]
fn nothing_outside_changes_while_folders_become_links() {
    for way in ways() {
        let place = Place::new();
        fs::create_dir(place.root.join("a")).unwrap();
        fs::write(place.root.join("a/loot"), "mine").unwrap();
        // Where there are no links: a folder of somebody else's, which may be read and written, but never as the first.
        let linked = link_to_folder(&place.outside, &place.root.join("b"));
        if !linked {
            fs::create_dir(place.root.join("b")).unwrap();
            fs::write(place.root.join("b/loot"), "other").unwrap();
        }
        let root = place.open(way).unwatched();
        let (over, reads, leaks_of_plain) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                attack(&place.root);
                over.store(true, Ordering::Release);
            });
            scope.spawn(|| {
                while !over.load(Ordering::Acquire) {
                    // Its own file, or a code; never what lies outside.
                    if let Ok(held) = root.read(b"a/loot", 9) {
                        assert!(held == b"mine" || (!linked && held == b"other"), "{held:?}");
                        reads.fetch_add(1, Ordering::Relaxed);
                    }
                    if let Ok(listed) = root.list(Some(b"a"), 99) {
                        assert!(listed.entries.iter().all(|entry| entry.name != "other"), "{listed:?}");
                    }
                    // Each outcome will do that leaves the outside alone.
                    drop(root.replace(b"a/new", b"x"));
                    drop(root.create(b"a/deep/er/new", b"x"));
                    drop(root.remove(b"a/new"));
                    drop(root.remove(b"a/loot/x"));
                    if fs::read(place.root.join("a/loot")).is_ok_and(|held| held == b"loot") {
                        leaks_of_plain.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        });
        place.assert_untouched();
        assert!(reads.load(Ordering::Relaxed) > 0, "the race was run");
        assert!(!linked || leaks_of_plain.load(Ordering::Relaxed) > 0, "a plain read leaks");
    }
}

#[test]
fn of_names_that_collide_at_most_one_stays() {
    const ROUNDS: usize = 300;
    for way in ways() {
        let place = Place::new();
        let root = place.open(way).unwatched();
        let barrier = Barrier::new(2);
        let make = |name: &'static str| {
            for round in 0..ROUNDS {
                barrier.wait();
                drop(root.create(format!("dir/{round}{name}").as_bytes(), b"x"));
                drop(root.create(format!("{name}{round}/x").as_bytes(), b"x"));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| make("a"));
            scope.spawn(|| make("A"));
        });
        for folder in ["", "dir"] {
            let names = fs::read_dir(place.root.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = names.map(|name| name.to_str().unwrap().to_lowercase()).collect();
            names.sort();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
            assert!(names.iter().all(|name| !name.starts_with(".wsguard")), "nothing temporary stays: {names:?}");
        }
    }
}
