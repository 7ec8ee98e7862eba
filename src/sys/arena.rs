//! The hook's memory: a small fixed piece that is handed out from bottom to top, then the system's allocator.
//!
//! A hook lives for less than a millisecond and makes some hundred small allocations; what a general allocator
//! spends on finding and merging free pieces is a fifth of all that the hook executes. Here an allocation moves
//! one number, a free gives back only what lies on top, and the memory ends with the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::{ARENA_BYTES, MAX_ARENA_PIECE_BYTES};

/// An allocator for a program that ends soon. Larger pieces, and all once the arena is used up, come from the
/// system's allocator.
#[derive(Debug)]
pub struct Arena {
    memory: UnsafeCell<Memory>,
    /// Bytes handed out.
    used: AtomicUsize,
}

#[derive(Debug)]
#[repr(C, align(16))]
struct Memory([u8; ARENA_BYTES]);

// SAFETY: the bytes are only reached through pieces that were handed out, and each piece is handed out once:
// `used` moves by compare-and-swap alone.
#[expect(unsafe_code, reason = "an allocator is shared by all threads")]
unsafe impl Sync for Arena {}

impl Arena {
    /// An arena of which nothing is used.
    #[expect(clippy::new_without_default, reason = "a static needs a const function")]
    #[expect(clippy::large_stack_arrays, reason = "the value of a static never lies on the stack")]
    pub const fn new() -> Self {
        Self { memory: UnsafeCell::new(Memory([0; ARENA_BYTES])), used: AtomicUsize::new(0) }
    }

    fn base(&self) -> *mut u8 {
        self.memory.get().cast()
    }

    /// Where `piece` lies in the arena, if it does.
    fn offset(&self, piece: *mut u8) -> Option<usize> {
        let offset = piece.addr().wrapping_sub(self.base().addr());
        (offset < ARENA_BYTES).then_some(offset)
    }

    /// Makes `used` `to` if it still is `from`.
    fn swap(&self, from: usize, to: usize) -> bool {
        self.used.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn take(&self, layout: Layout) -> Option<usize> {
        if layout.size() > MAX_ARENA_PIECE_BYTES || layout.align() > align_of::<Memory>() {
            return None;
        }
        loop {
            let used = self.used.load(Ordering::Relaxed);
            let start = used.next_multiple_of(layout.align());
            let end = start + layout.size();
            if end > ARENA_BYTES {
                return None;
            }
            if self.swap(used, end) {
                return Some(start);
            }
        }
    }
}

// SAFETY: a piece from the arena is aligned (the arena is, to the largest alignment that `take` admits), lies in it
// whole, and overlaps no other, since `used` only goes down to the start of the piece on top when that one is given
// back. All else is the system's allocator, told apart by address.
#[expect(unsafe_code, reason = "the interface of allocators is unsafe")]
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            // SAFETY: `take` gives an offset below ARENA_BYTES.
            Some(start) => unsafe { self.base().add(start) },
            // SAFETY: the caller's own promise.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            // SAFETY: `layout.size()` bytes from there belong to this piece; they may have been used before.
            Some(start) => unsafe {
                let piece = self.base().add(start);
                piece.write_bytes(0, layout.size());
                piece
            },
            // SAFETY: the caller's own promise.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        match self.offset(piece) {
            Some(start) => {
                // What does not lie on top stays used.
                self.swap(start + layout.size(), start);
            }
            // SAFETY: not from the arena, so from the system's allocator.
            None => unsafe { System.dealloc(piece, layout) },
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(start) = self.offset(piece) else {
            // SAFETY: not from the arena, so from the system's allocator; the rest is the caller's own promise.
            return unsafe { System.realloc(piece, layout, size) };
        };
        if size <= layout.size() {
            self.swap(start + layout.size(), start + size);
            return piece;
        }
        let end = start.saturating_add(size);
        if size <= MAX_ARENA_PIECE_BYTES && end <= ARENA_BYTES && self.swap(start + layout.size(), end) {
            return piece;
        }
        // SAFETY: the caller promises that `size` is not zero and fits the alignment; the old piece holds
        // `layout.size()` bytes, the new one more, and they do not overlap.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(piece, layout.size());
                self.dealloc(piece, layout);
            }
            new
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(unsafe_code, reason = "an allocator is tested through its own interface")]

    use std::alloc::{GlobalAlloc as _, Layout};

    use proptest::prelude::*;

    use super::Arena;
    use crate::limits::ARENA_BYTES;

    /// A live piece: where, how long, aligned to what, and the byte that fills it.
    struct Piece(*mut u8, Layout, u8);

    impl Piece {
        fn check(&self) {
            assert_eq!(self.0.addr() % self.1.align(), 0);
            // SAFETY: the piece is live and was filled.
            let bytes = unsafe { std::slice::from_raw_parts(self.0, self.1.size()) };
            assert!(bytes.iter().all(|b| *b == self.2), "a piece was written by another");
        }

        fn fill(&self) {
            // SAFETY: the piece is live and this long.
            unsafe { self.0.write_bytes(self.2, self.1.size()) };
        }
    }

    fn run(steps: &[(u8, usize, u8)]) {
        let arena = Box::new(Arena::new());
        let mut live: Vec<Piece> = Vec::new();
        for (number, &(what, size, align)) in steps.iter().enumerate() {
            let mark = u8::try_from(number % 251).unwrap_or_default();
            let layout = Layout::from_size_align(size, 1 << (align % 8)).unwrap_or(Layout::new::<u64>());
            match what % 4 {
                // SAFETY: sizes are not zero.
                0 => live.push(Piece(unsafe { arena.alloc(layout) }, layout, mark)),
                1 => {
                    // SAFETY: sizes are not zero.
                    let piece = Piece(unsafe { arena.alloc_zeroed(layout) }, layout, 0);
                    piece.check();
                    live.push(Piece(piece.0, layout, mark));
                }
                2 if !live.is_empty() => {
                    let at = (size * 7 + usize::from(align)) % live.len();
                    let Piece(old, layout, mark) = live.swap_remove(at);
                    let kept = layout.size().min(size);
                    let new = Layout::from_size_align(size, layout.align()).unwrap_or(layout);
                    // SAFETY: the piece is live, and the size is not zero.
                    let moved = unsafe { arena.realloc(old, layout, new.size()) };
                    let short = Layout::from_size_align(kept, layout.align()).unwrap_or(layout);
                    Piece(moved, short, mark).check();
                    live.push(Piece(moved, new, mark));
                }
                3 if !live.is_empty() => {
                    let Piece(old, layout, mark) = live.swap_remove(size % live.len());
                    Piece(old, layout, mark).check();
                    // SAFETY: the piece is live and forgotten hereby.
                    unsafe { arena.dealloc(old, layout) };
                    continue;
                }
                _ => continue,
            }
            if let Some(last) = live.last() {
                last.fill();
            }
        }
        for piece in live.drain(..) {
            piece.check();
            // SAFETY: the piece is live and forgotten hereby.
            unsafe { arena.dealloc(piece.0, piece.1) };
        }
    }

    proptest! {
        #[test]
        fn pieces_never_overlap(steps in prop::collection::vec((0_u8..4, 1_usize..3000, 0_u8..8), 0..300)) {
            run(&steps);
        }
    }

    #[test]
    fn a_full_arena_goes_on() {
        run(&vec![(0, 900, 3); 2 * ARENA_BYTES / 900]);
        run(&[(0, ARENA_BYTES + 1, 0), (2, ARENA_BYTES * 3, 0), (2, 5, 0)]);
    }

    #[test]
    fn what_lies_on_top_is_used_again() {
        let arena = Box::new(Arena::new());
        let layout = Layout::new::<[u64; 8]>();
        // SAFETY: each piece is given back once, and the layout is not empty.
        unsafe {
            let first = arena.alloc(layout);
            arena.dealloc(first, layout);
            let second = arena.alloc(layout);
            assert_eq!(first, second);
            let grown = arena.realloc(second, layout, 256);
            assert_eq!(second, grown, "the piece on top grows where it is");
        }
    }

    #[test]
    fn threads_share_it() {
        let arena = Box::new(Arena::new());
        let arena = &*arena;
        std::thread::scope(|scope| {
            for mark in 0..4_u8 {
                scope.spawn(move || {
                    for round in 1..400_usize {
                        let layout = Layout::from_size_align(round % 200 + 1, 8).unwrap_or(Layout::new::<u64>());
                        // SAFETY: the size is not zero, and the piece is given back once.
                        let piece = Piece(unsafe { arena.alloc(layout) }, layout, mark);
                        piece.fill();
                        piece.check();
                        // SAFETY: as above.
                        unsafe { arena.dealloc(piece.0, layout) };
                    }
                });
            }
        });
    }
}
