//! An attacker who swaps a folder for a link while the root is at work.

use std::ffi::CString;
use std::fs::{self, File};
use std::os::fd::AsFd as _;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Place;
use crate::sys::swap_at;

/// Swaps of the attacker.
const SWAPS: usize = 100_000;

#[test]
fn nothing_outside_changes_while_folders_become_links() {
    let place = Place::new();
    fs::create_dir(place.root.join("a")).unwrap();
    fs::write(place.root.join("a/loot"), "mine").unwrap();
    symlink(&place.outside, place.root.join("b")).unwrap();
    let root = place.open();
    let (over, reads, leaks_of_plain) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let folder = File::open(&place.root).unwrap();
            let (a, b) = (CString::new("a").unwrap(), CString::new("b").unwrap());
            for _ in 0..SWAPS {
                swap_at(folder.as_fd(), &a, &b).unwrap();
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
                // Each outcome will do that leaves the outside alone.
                drop(root.replace(b"a/new", b"x"));
                drop(root.create(b"a/deep/er/new", b"x"));
                drop(root.remove(b"a/new"));
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
