//! Where the row of each name begins: a hash table that is computed when this is compiled, so that a start costs
//! nothing and a look-up touches one place of it and one of the rows.

use super::table::{GROUPS, next_row};

/// Entries; about twice as many as there are rows, so that a look-up ends soon.
const SLOTS: usize = 1 << 13;

/// Bits of an entry that say where in its group the row begins; the others name the group, from 1. No row: 0.
const OFFSET_BITS: u32 = 24;

static INDEX: [u32; SLOTS] = build();

/// The text that holds the row of `name`, and where in it the row begins.
pub(super) fn place(name: &str) -> Option<(&'static str, usize)> {
    let mut slot = hash(name.as_bytes(), 0, name.len()) % SLOTS;
    loop {
        let entry = INDEX[slot];
        let text = *GROUPS.get((entry >> OFFSET_BITS).checked_sub(1)? as usize)?;
        let start = (entry & ((1 << OFFSET_BITS) - 1)) as usize;
        if &text.as_bytes()[start..name_end(text.as_bytes(), start)] == name.as_bytes() {
            return Some((text, start));
        }
        slot = (slot + 1) % SLOTS;
    }
}

#[expect(clippy::large_stack_arrays, reason = "run by the compiler alone")]
const fn build() -> [u32; SLOTS] {
    let mut index = [0; SLOTS];
    let mut used = 0;
    let mut group = 0;
    while group < GROUPS.len() {
        let text = GROUPS[group].as_bytes();
        let mut at = next_row(text, 0);
        while at < text.len() {
            let end = name_end(text, at);
            let mut slot = hash(text, at, end) % SLOTS;
            while index[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            index[slot] = entry(group, at);
            used += 1;
            assert!(used * 4 <= SLOTS * 3, "a look-up of a name without a row needs a free slot: SLOTS is too small");
            at = next_row(text, next_line(text, end));
        }
        group += 1;
    }
    index
}

#[expect(clippy::cast_possible_truncation, reason = "asserted")]
const fn entry(group: usize, at: usize) -> u32 {
    assert!(group < 255 && at < 1 << OFFSET_BITS, "the rows outgrew the entry of the index");
    (group as u32 + 1) << OFFSET_BITS | at as u32
}

/// End of the name that begins at byte `at`.
const fn name_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b' ' && text[at] != b'\n' {
        at += 1;
    }
    at
}

/// Start of the line after the one that byte `at` is in.
pub(super) const fn next_line(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'\n' {
        at += 1;
    }
    if at < text.len() { at + 1 } else { at }
}

/// FNV-1a (Fowler, Noll and Vo) of `bytes[at..end]`, folded, since the low bits alone are the weakest.
const fn hash(bytes: &[u8], mut at: usize, end: usize) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    while at < end {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 16)) as usize
}
