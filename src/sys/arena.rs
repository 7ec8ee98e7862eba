//! The hook's memory: a small fixed piece that is handed out from bottom to top, then the system's allocator.
//!
//! A hook lives for less than a millisecond and makes some hundred small allocations; what a general allocator
//! spends on finding and merging free pieces is a fifth of all that the hook executes. Here an allocation takes the
//! last piece of its size that was given back, or moves one number; nothing is ever searched or merged. Used again
//! sooner, memory is also fewer pages that the kernel has to clear, which costs more than all the rest.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::{ARENA_BYTES, MAX_ARENA_PIECE_BYTES};

/// All pieces start and end on such a boundary.
const GRAIN: usize = 16;
/// Pieces of fewer grains are kept by their size when they are given back.
const SIZES: usize = 64;
const _: () = assert!(ARENA_BYTES.is_multiple_of(GRAIN) && ARENA_BYTES / GRAIN < u16::MAX as usize);

/// An allocator for a program that ends soon, and that has one thread: all others, larger pieces, and all once the
/// arena is used up, get their memory from the system's allocator.
#[derive(Debug)]
pub struct Arena {
    memory: UnsafeCell<Memory>,
    books: UnsafeCell<Books>,
    /// The thread that came first, by the address of its own mark.
    owner: AtomicUsize,
}

#[derive(Debug)]
#[repr(C, align(16))]
struct Memory([u8; ARENA_BYTES]);

#[derive(Debug)]
struct Books {
    /// Bytes handed out.
    used: usize,
    /// For each number of grains the piece that was given back last, as 1 + its first grain; 0 for none. A piece that
    /// is free holds the next one.
    free: [u16; SIZES],
}

// SAFETY: the books and the bytes of free pieces are reached by the owner alone (`mine`); all other bytes only through
// pieces, each of which is handed out once.
#[expect(unsafe_code, reason = "an allocator is shared by all threads")]
unsafe impl Sync for Arena {}

thread_local! {
    /// Its address tells threads apart. A constant without a destructor: nothing is allocated for it.
    static MARK: u8 = const { 0 };
}

impl Arena {
    /// An arena of which nothing is used.
    #[expect(clippy::new_without_default, reason = "a static needs a const function")]
    #[expect(clippy::large_stack_arrays, reason = "the value of a static never lies on the stack")]
    pub const fn new() -> Self {
        let memory = Memory([0; ARENA_BYTES]);
        let books = Books { used: 0, free: [0; SIZES] };
        Self { memory: UnsafeCell::new(memory), books: UnsafeCell::new(books), owner: AtomicUsize::new(0) }
    }

    fn base(&self) -> *mut u8 {
        self.memory.get().cast()
    }

    /// Where `piece` lies in the arena, if it does.
    fn offset(&self, piece: *mut u8) -> Option<usize> {
        let offset = piece.addr().wrapping_sub(self.base().addr());
        (offset < ARENA_BYTES).then_some(offset)
    }

    /// The books, for the owner. The borrow must end before the next call.
    #[inline]
    #[expect(unsafe_code, clippy::mut_from_ref, reason = "an allocator is shared, and changes")]
    fn mine(&self) -> Option<&mut Books> {
        let me = MARK.with(|mark| (&raw const *mark).addr());
        let owner = self.owner.load(Ordering::Relaxed);
        let is_mine = owner == me
            || owner == 0 && self.owner.compare_exchange(0, me, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        // SAFETY: only one thread gets here, and nothing that is called while it has the books asks for them.
        is_mine.then(|| unsafe { &mut *self.books.get() })
    }

    /// The first bytes of the free piece at `start`, where the next one of its size is kept.
    #[expect(unsafe_code, reason = "the bytes are nobody else's")]
    fn link(&self, start: usize) -> *mut u16 {
        // SAFETY: pieces lie in the arena whole.
        unsafe { self.base().add(start).cast() }
    }

    #[inline]
    #[expect(unsafe_code, reason = "the link lies in the piece")]
    fn take(&self, layout: Layout) -> Option<usize> {
        if layout.size() > MAX_ARENA_PIECE_BYTES || layout.align() > GRAIN {
            return None;
        }
        let books = self.mine()?;
        let grains = layout.size().div_ceil(GRAIN);
        if let Some(head) = books.free.get_mut(grains).filter(|head| **head != 0) {
            let start = usize::from(*head - 1) * GRAIN;
            // SAFETY: the piece is free, aligned, and was given its link when it was given back.
            *head = unsafe { self.link(start).read() };
            return Some(start);
        }
        let (start, end) = (books.used, books.used + grains * GRAIN);
        (end <= ARENA_BYTES).then(|| books.used = end)?;
        Some(start)
    }

    /// Takes back the grains from `start`. Large ones that do not lie on top stay used, and so does what another
    /// thread gives back.
    #[expect(unsafe_code, reason = "the link lies in the piece")]
    fn give_back(&self, start: usize, grains: usize) {
        let Some(books) = self.mine().filter(|_| grains > 0) else { return };
        if start + grains * GRAIN == books.used {
            books.used = start;
        } else if let Some(head) = books.free.get_mut(grains) {
            // SAFETY: the caller gives the piece up, it is aligned and as long as a grain at least.
            unsafe { self.link(start).write(*head) };
            *head = u16::try_from(start / GRAIN + 1).unwrap_or(0);
        }
    }

    /// Makes a piece as long as `size` where it is, if that can be.
    fn resize(&self, start: usize, layout: Layout, size: usize) -> bool {
        let (old, new) = (layout.size().div_ceil(GRAIN), size.div_ceil(GRAIN));
        if new <= old {
            self.give_back(start + new * GRAIN, old - new);
            return true;
        }
        let Some(books) = self.mine() else { return false };
        let end = start + new * GRAIN;
        let grows = size <= MAX_ARENA_PIECE_BYTES && start + old * GRAIN == books.used && end <= ARENA_BYTES;
        if grows {
            books.used = end;
        }
        grows
    }
}

// SAFETY: a piece from the arena is aligned (all start on a grain, and `take` admits no larger alignment), lies in it
// whole, and overlaps no other: it is cut from what is unused, or was given back with the same number of grains. All
// else is the system's allocator, told apart by address.
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
            Some(start) => self.give_back(start, layout.size().div_ceil(GRAIN)),
            // SAFETY: not from the arena, so from the system's allocator.
            None => unsafe { System.dealloc(piece, layout) },
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(start) = self.offset(piece) else {
            // SAFETY: not from the arena, so from the system's allocator; the rest is the caller's own promise.
            return unsafe { System.realloc(piece, layout, size) };
        };
        if self.resize(start, layout, size) {
            return piece;
        }
        // SAFETY: the caller promises that `size` is not zero and fits the alignment; neither piece is shorter than what
        // is copied, and they do not overlap.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(piece, layout.size().min(size));
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
    fn what_was_given_back_is_used_again() {
        let arena = Box::new(Arena::new());
        let layout = |size| Layout::from_size_align(size, 8).unwrap_or(Layout::new::<u64>());
        // SAFETY: each piece is given back once, and no layout is empty.
        unsafe {
            let [low, high, top] = [40, 40, 8].map(|size| arena.alloc(layout(size)));
            arena.dealloc(low, layout(40));
            arena.dealloc(high, layout(40));
            let again = [33, 48, 48].map(|size| arena.alloc(layout(size)));
            assert_eq!([again[0], again[1]], [high, low], "pieces of as many grains");
            assert_eq!(again[2].addr(), top.addr() + 16);
            let short = arena.realloc(high, layout(33), 9);
            assert_eq!((short, arena.alloc(layout(30))), (high, high.add(16)), "what is cut off");
        }
    }

    #[test]
    fn threads_share_it() {
        let arena = Box::new(Arena::new());
        let arena = &*arena;
        // SAFETY: the layout is not empty; the piece goes to a thread that is not the owner.
        let kept = Piece(unsafe { arena.alloc(Layout::new::<u64>()) }, Layout::new::<u64>(), 7);
        kept.fill();
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
        kept.check();
        let address = kept.0.expose_provenance();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let piece = std::ptr::with_exposed_provenance_mut::<u8>(address);
                // SAFETY: the piece is live, and given back once.
                unsafe { arena.dealloc(piece, Layout::new::<u64>()) };
            });
        });
    }
}
