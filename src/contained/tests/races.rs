//! An attacker who swaps a folder for a link while the root is at work, and callers who get in each other's way.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{Place, ways};
use crate::sys::Folder;

/// Swaps of the attacker.
const SWAPS: usize = 100_000;

/// Exchanges `a` and `b`: in one step where the system has one.
fn swap(folder: &Folder, root: &std::path::Path) {
    #[cfg(target_os = "linux")]
    {
        drop(root.to_owned());
        folder.exchange(OsStr::new("a"), OsStr::new("b")).unwrap();
    }
    #[cfg(not(target_os = "linux"))]
    {
        drop(folder.own_node());
        for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
            fs::rename(root.join(from), root.join(to)).unwrap();
        }
    }
}

#[test]
fn nothing_outside_changes_while_folders_become_links() {
    for way in ways() {
        let place = Place::new();
        fs::create_dir(place.root.join("a")).unwrap();
        fs::write(place.root.join("a/loot"), "mine").unwrap();
        symlink(&place.outside, place.root.join("b")).unwrap();
        let root = place.open(way).unwatched();
        let (over, reads, leaks_of_plain) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let folder = Folder::open(&place.root).unwrap();
                for _ in 0..SWAPS {
                    swap(&folder, &place.root);
                }
                over.store(true, Ordering::Release);
            });
            scope.spawn(|| {
                while !over.load(Ordering::Acquire) {
                    // Its own file, or a code; never what lies outside.
                    if let Ok(held) = root.read(b"a/loot", 9) {
                        assert_eq!(held, b"mine");
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
        assert!(leaks_of_plain.load(Ordering::Relaxed) > 0, "a plain read leaks");
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
