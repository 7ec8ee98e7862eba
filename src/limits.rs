//! Every limit of the product, with its unit, in one place.
//!
//! A limit that is reached is a refusal to judge, never a silent cut: the gate answers closed.

/// Bytes of standard input that the hook reads before it gives up. A `Write` call carries the whole
/// file, so this is far above any command.
pub const MAX_PAYLOAD_BYTES: usize = 64 << 20;

/// Bytes of one shell command that are judged; a longer one is refused.
pub const MAX_COMMAND_BYTES: usize = 512 << 10;

/// How deep brackets, substitutions, groups and compound commands may nest in one command.
pub const MAX_NESTING: usize = 96;

/// Operators of one level in one PowerShell expression: each is a level of the tree.
pub const MAX_OPERATORS: usize = 500;

/// Parts of one text that are listed as not understood; what follows counts to the last.
pub const MAX_GAPS: usize = 100;

/// How often text may be handed to another interpreter (`bash -c`, `eval`, `sh -c` in `xargs`).
pub const MAX_REENTRY: usize = 12;

/// Commands, words and expansions of one text; what follows is not read. Far above what a person or an agent writes,
/// and low enough that any text is judged in a few hundredths of a second.
pub const MAX_NODES: usize = 24_000;

/// Work done while one tool call is judged (loops and functions unrolled), in steps of 1 to 3 us. The simplest command
/// takes six, the longest scripts of agents 600, a loop over hundreds of files 3,000.
pub const MAX_STEPS: usize = 24_000;

/// Steps for starting a program, beside those for its arguments.
pub const STEPS_PER_PROGRAM: usize = 4;

/// Steps for an argument that a program is started with.
pub const STEPS_PER_ARGUMENT: usize = 3;

/// Steps that a word with a pattern costs: it is taken apart, looked for and put together again.
pub const STEPS_PER_PATTERN: usize = 12;

/// Characters of a text, times tokens of a pattern, that are held against each other for the price of a step.
pub const MATCHES_PER_STEP: usize = 256;

/// Names of a folder that are held against a pattern, and earlier changes in it that are looked through, for the price
/// of a step.
pub const NAMES_PER_STEP: usize = 32;

/// Steps for an argument that begins with `-`: it is looked up among the program's options.
pub const STEPS_PER_OPTION: usize = 6;

/// Steps for an assignment, and for an expansion that changes a value.
pub const STEPS_PER_ASSIGNMENT: usize = 4;

/// Steps for a redirection.
pub const STEPS_PER_REDIRECTION: usize = 4;

/// Steps for whatever needs a copy of the shell's state, or another reading of text: a part of a pipeline, a
/// substitution, a branch, `eval`.
pub const STEPS_PER_COPY: usize = 6;

/// Variables and functions in such a copy for the price of another step.
pub const NAMES_PER_COPY_STEP: usize = 3;

/// Steps for an effect of a PowerShell command: its path is put together, resolved and kept.
pub const STEPS_PER_EFFECT: usize = 7;

/// Steps for a PowerShell command or a program that it starts, beside those for its words and effects.
pub const STEPS_PER_CMDLET: usize = 6;

/// Folders on a shell's stack that are copied for the price of a step.
pub const FOLDERS_PER_STEP: usize = 8;

/// Folders that are remembered on a shell's stack; what lies deeper is one unknown folder.
pub const MAX_STACK: usize = 64;

/// Steps for each effect of a program beyond one an argument.
pub const STEPS_PER_MORE_EFFECTS: usize = 16;

/// Steps for looking up a path of so many bytes, beside what is paid for it already: each folder on its way is looked up,
/// which shows where there are dozens of them.
pub const fn steps_of_path(bytes: usize) -> usize {
    bytes.saturating_sub(128) / 4
}

/// Steps for a text that is handed to a shell of another kind, which counts its own.
pub const STEPS_PER_OTHER_SHELL: usize = 400;

/// Effects kept for one tool call.
pub const MAX_EFFECTS: usize = 20_000;

/// How deep expressions in strings of inline scripts may nest (`f"{f'{x}'}"`).
pub const MAX_INLINE_TEMPLATES: usize = 8;

/// How deep expressions, calls and `exec` of text may nest in an inline script.
pub const MAX_INLINE_DEPTH: usize = 48;

/// Work units (a token visited, 64 bytes copied) while one inline script is judged, beside 4 a token.
pub const MAX_INLINE_WORK: usize = 30_000;

/// Alternatives kept for one string in an inline script; more become their common start and unknown text.
pub const MAX_INLINE_ALTERNATIVES: usize = 64;

/// Bytes of one string that is put together in an inline script; the rest is unknown text.
pub const MAX_INLINE_STRING: usize = 16 << 10;

/// Acts kept for one inline script.
pub const MAX_INLINE_ACTS: usize = 2_000;

/// Times that each character of a shell's pattern may be read in search of what closes a `[…]`.
pub const MAX_SET_READS: usize = 8;

/// Times that each character of an editor's command may be read in search of the arguments of one function's calls.
pub const MAX_CALL_READS: usize = 16;

/// Files of commands of its own that one start of a database shell is followed into.
pub const MAX_SQL_FILES: usize = 8;

/// Words that one word may become by brace expansion or globbing.
pub const MAX_EXPANSION: usize = 2_000;

/// Directory entries read to expand one glob component.
pub const MAX_GLOB_ENTRIES: usize = 20_000;

/// Folders listed for all the globs of one command, a thousand entries counting as another folder. Beyond it a
/// pattern stands for unknown names.
pub const MAX_GLOB_FOLDERS: usize = 400;

/// Values that one variable may have at a time before they are joined into an unknown one.
pub const MAX_ALTERNATIVES: usize = 8;

/// Combinations of such values that one command is judged with.
pub const MAX_COMBINATIONS: usize = 24;

/// Bytes of known text in one value; a longer one counts as unknown.
pub const MAX_VALUE_BYTES: usize = MAX_COMMAND_BYTES;

/// Known and unknown parts of one value; one with more counts as unknown.
pub const MAX_PIECES: usize = 1_000;

/// Turns of a loop that are judged one by one; the rest are judged together.
pub const MAX_TURNS: usize = 64;

/// Calls of one function that may be active at a time with known arguments.
pub const MAX_CALLS: usize = 16;

/// Commands, groups, substitutions and calls that may be inside one another while they are judged.
pub const MAX_DEPTH: usize = 200;

/// Bytes of a file that a command sources or reads its input from.
pub const MAX_SOURCED_BYTES: usize = 64 << 10;

/// Bytes of text that patterns are matched against.
pub const MAX_PATTERN_TEXT: usize = 2_048;

/// Bytes of a program text that count as one step.
pub const PROGRAM_BYTES_PER_STEP: usize = 6;

/// Bytes that count as one step where text is copied.
pub const BYTES_PER_STEP: usize = 256;

/// Bytes of copied text that a part of a value (known, unknown, known …) costs as much as.
pub const BYTES_PER_PIECE: usize = 64;

/// Steps spent on an existing file that is sourced.
pub const MAX_SOURCED_STEPS: usize = 2_000;

/// Directory entries looked at to tell what a `find` would find.
pub const MAX_SEARCH_ENTRIES: usize = 2_000;

/// Folders of `PATH`, or above one, that are looked at for what a package manager installs into.
pub const MAX_SEARCH_FOLDERS: usize = 64;

/// Start folders of one `find` for which its commands are judged; more are one unknown folder.
pub const MAX_FIND_STARTS: usize = 16;

/// Arguments behind `:::` of one `parallel` that are judged one by one; more are one unknown argument.
pub const MAX_PARALLEL_INPUTS: usize = 200;

/// Paths taken from the input of a tool that no harness documents.
pub const MAX_INPUT_PATHS: usize = 1_000;

/// Bytes of a path as it is written (`a/./b/..`); a longer one counts as unknown.
pub const MAX_WRITTEN_PATH_BYTES: usize = 64 << 10;

/// Bytes of a path, in its normal form, that a system call takes (Linux: 4,096 with the zero at its end).
pub const MAX_PATH_BYTES: usize = 4_096;

/// Operands, counted again for each option beyond the first that takes all of them (`node -e A -e B x y`).
pub const MAX_HANDED_ON: usize = 4_096;

/// Symbolic links followed while one path is resolved (Linux stops at 40).
pub const MAX_LINKS: usize = 40;

/// Characters of a deny reason (DESIGN: at most 600).
pub const MAX_REASON_CHARS: usize = 600;

/// Directory entries looked at to tell whether a `find` finds anything at all.
pub const MAX_FIND_ENTRIES: usize = 1_000;

/// Characters of one path in a reason; a longer one is shown by both its ends.
pub const MAX_SHOWN_PATH_CHARS: usize = 160;

/// Bytes of a command that is rewritten for a reason: a longer one would not fit.
pub const MAX_REWRITTEN_BYTES: usize = 400;

/// Missing folders that a rewritten command may have had moved.
pub const MAX_MOVED: usize = 16;

/// Milliseconds until the hook answers as failed, before the configuration says otherwise.
/// A debug build under Wine on a busy machine may take that long to start.
pub const FIRST_DEADLINE_MS: u32 = if cfg!(all(windows, debug_assertions)) { 10_000 } else { 1_000 };

/// Milliseconds that the start of a session may take: no tool call waits for it, and folders are written to a disk that
/// may be busy.
pub const START_MS: u32 = 10_000;

/// Milliseconds in which a client has to take the answer.
pub const ANSWER_MS: u32 = 3_000;

/// Milliseconds in which a client has to take the prepared answer of a hook that failed.
pub const LAST_WORDS_MS: u16 = 1_000;

/// Milliseconds that the bookkeeping after an answer may take: the client waits for the process to end.
pub const BOOKKEEPING_MS: u32 = 1_000;

/// Bytes of the prompt snippet; Claude Code spills longer context to a file.
pub const MAX_SNIPPET_BYTES: usize = 2_000;

/// Bytes of a configuration file that are read.
pub const MAX_CONFIG_BYTES: usize = 256 << 10;

/// Mistakes that are reported of one configuration file; the hook stops at the first.
pub const MAX_CONFIG_ERRORS: usize = 50;

/// Items of one list in a configuration.
pub const MAX_CONFIG_LIST: usize = 256;

/// Bytes of one path in a configuration.
pub const MAX_CONFIG_PATH_BYTES: usize = 4096;

/// Bytes of a harness's settings file that are read and edited.
pub const MAX_SETTINGS_BYTES: usize = 4 << 20;

const _: () = assert!(MAX_COMMAND_BYTES < MAX_PAYLOAD_BYTES);
const _: () = assert!(MAX_COMMAND_BYTES < u32::MAX as usize, "spans are u32");
const _: () = assert!(MAX_REENTRY < MAX_NESTING);

/// Bytes of a session id that is used as a folder name unchanged.
pub const MAX_ID_BYTES: usize = 64;

/// Bytes of the readable part of a folder name that is derived from a session id.
pub const MAX_SLUG_BYTES: usize = 40;

/// Bytes of an owner file that are read.
pub const MAX_OWNER_BYTES: usize = 256 << 10;

/// Bytes of the grants file that are read.
pub const MAX_GRANTS_BYTES: usize = 4 << 20;

/// Milliseconds that a process waits for a lock of the store. The hook's answer is out by then.
pub const LOCK_WAIT_MS: u64 = 2_000;

/// Milliseconds that a replacement waits for others to close the old file (Windows).
pub const REPLACE_WAIT_MS: u64 = 500;

/// Milliseconds that removing a folder of one's own waits for others who look into it (Windows).
pub const REMOVE_WAIT_MS: u64 = 2_000;

const _: () = assert!(MAX_SLUG_BYTES + 17 <= MAX_ID_BYTES);

/// Bytes of one line of the journal or the audit that are read; a longer one counts as damaged.
pub const MAX_LEDGER_LINE_BYTES: usize = 1 << 20;

/// Bytes of one text in such a line; a longer one is cut when it is written.
pub const MAX_LEDGER_FIELD_BYTES: usize = 32 << 10;

/// Bytes of a command's beginning in such a line.
pub const MAX_EXCERPT_BYTES: usize = 512;

/// Calls that are listed as an entry's possible makers.
pub const MAX_CANDIDATES: usize = 256;

/// Bytes of a session's or a call's id in such a list.
pub const MAX_CANDIDATE_ID_BYTES: usize = 128;

/// Milliseconds after its end for which something that a call left running is looked for.
pub const LINGER_MS: i64 = 3_600_000;

/// Milliseconds after its end in which what appears is likely that of the only call that ended lately.
pub const SOON_MS: i64 = 60_000;

/// Bytes of an open call's command that are kept to see whether it names what appeared.
pub const MAX_CALL_BYTES: usize = 4 << 10;

/// Open calls that are told apart.
pub const MAX_OPEN_CALLS: usize = 1_000;

/// Calls that ended and are remembered.
pub const MAX_ENDED_CALLS: usize = 32;

/// Bytes of the book of calls and looks that are read.
pub const MAX_BOOK_BYTES: u64 = 16 << 20;

/// Bytes up to which that book is only added to.
pub const MIN_BOOK_BYTES: usize = 24 << 10;

/// Milliseconds after which a note that is not whole is one of a process that was killed.
pub const LATE_TORN_MS: u64 = 10_000;

/// Bytes of a folder's table that are copied so that one write does.
pub const MAX_JOINED_BYTES: usize = 16 << 10;

/// Watched folders, those below the roots included.
pub const MAX_OBSERVED_FOLDERS: usize = 1_000;

/// Entries of a folder of which each is looked at; of a larger one, only what is new.
pub const MAX_OBSERVED_LSTAT: usize = 4_096;

/// Differences of one look that get a line each; of more, the number is noted.
pub const MAX_OBSERVED_LINES: usize = 20_000;

/// Bytes of a folder's entries that are asked for at a time.
pub const LISTING_BYTES: usize = 32 << 10;

/// Looks at a folder that does not hold still.
pub const OBSERVE_RETRIES: usize = 3;

/// Milliseconds until a folder that had too many entries is tried again.
pub const OBSERVE_CAPPED_MS: u64 = 3_600_000;

/// Milliseconds that observation waits for its lock.
pub const OBSERVE_WAIT_MS: u64 = 400;

/// Milliseconds after which a session's open call counts as ended when its turn is over or the user writes again: no
/// client lets a command run longer than that by itself.
pub const UNANSWERED_MS: u64 = 600_000;

const _: () = assert!(MAX_ENDED_CALLS <= MAX_CANDIDATES);
const _: () = assert!(OBSERVE_WAIT_MS < BOOKKEEPING_MS as u64);
const _: () = assert!(MAX_LEDGER_FIELD_BYTES * 6 * 4 < MAX_LEDGER_LINE_BYTES, "four texts, each byte escaped");
const _: () = assert!(
    MAX_LEDGER_FIELD_BYTES * 6
        + (MAX_CANDIDATES + 1) * (MAX_CANDIDATE_ID_BYTES * 2 * 6 + 30)
        + MAX_EXCERPT_BYTES * 6
        + 4096
        < MAX_LEDGER_LINE_BYTES,
    "a path, all candidates and an excerpt, each byte escaped"
);

/// Bytes of the hook's own memory ([`crate::sys::Arena`]); a usual call needs a third of it.
pub const ARENA_BYTES: usize = 128 << 10;

/// Bytes of one piece of that memory; larger ones come from the system.
pub const MAX_ARENA_PIECE_BYTES: usize = 32 << 10;

/// Seconds for which a session counts as seen just now: its record is not touched again.
pub const TOUCH_SECONDS: u64 = 60;

/// Bytes of a file of exports that is edited.
pub const MAX_ENV_FILE_BYTES: usize = 1 << 20;

/// Bytes of a Unix socket's path, without the zero at its end.
pub const MAX_SOCKET_PATH_BYTES: usize = if cfg!(target_os = "macos") { 103 } else { 107 };

/// Bytes that a name below the temp folder may need (`tmp.bx8T9k0NOp/agent.1234/socket`).
pub const TEMP_NAME_BYTES: usize = 40;

/// Old scratch folders removed at one session's start.
pub const MAX_SWEEP_FOLDERS: usize = 8;

/// Entries of a scratch folder that is removed at a session's start; a larger one is left for the operator.
pub const MAX_SWEEP_ENTRIES: usize = 100_000;

/// Entries of a scratch folder that are looked at to show its size.
pub const MAX_SIZE_ENTRIES: usize = 200_000;

/// Entries of a scratch folder that the operator removes by hand.
pub const MAX_CLEAN_ENTRIES: usize = 50_000_000;

/// Bytes of a path that the guard judges; a longer one is refused. Published.
pub const MAX_GUARDED_BYTES: usize = 1_024;

/// Bytes of one name in it (under the Windows rules alone: UTF-16 units). Published.
pub const MAX_GUARDED_SEGMENT_BYTES: usize = 255;

/// Layers of percent-encoding in one path that the guard looks behind; a path with more is refused.
pub const MAX_GUARD_DECODINGS: usize = 8;

/// Bytes of one line of a list of paths that is judged.
pub const MAX_JUDGED_LINE_BYTES: usize = 1 << 20;

/// Bytes of the readable part of a workspace's folder name. Published.
pub const MAX_ADDRESS_SLUG_BYTES: usize = 48;

const _: () = assert!(MAX_ADDRESS_SLUG_BYTES + 17 <= MAX_GUARDED_SEGMENT_BYTES);

/// Levels above a root that are looked at for what got out of it. Published.
pub const CORPUS_SWEEP_LEVELS: usize = 3;

/// Files that are looked at for it. Published.
pub const MAX_CORPUS_SWEEP_FILES: usize = 20_000;

/// Times that the kernel may say that it lost its way in a rename while a path is opened.
pub const MAX_OPEN_RETRIES: usize = 64;

/// Entries of one folder that are looked through for other spellings of a new name; a fuller folder takes no new one.
pub const MAX_SIBLINGS: usize = 200_000;

/// Seconds after which a file that was being written below a root, and has not got its name yet, belongs to a writer that was
/// killed. Published.
pub const TEMPORARY_LIFE_S: u64 = 600;

/// Entries of every kind, folders and links too, that one sweep walks over.
pub const MAX_CORPUS_SWEEP_ENTRIES: usize = 1_000_000;
const _: () = assert!(MAX_CORPUS_SWEEP_FILES <= MAX_CORPUS_SWEEP_ENTRIES);

/// Gaps, and folders of other file systems, that a sweep lists.
pub const MAX_CORPUS_SWEEP_NOTES: usize = 20;

/// Times that a folder becomes a link, or a link a folder, in each race of a corpus run. On Windows, where each time is three
/// renames that have to wait for whoever is at work in the folder, fewer.
pub const CORPUS_RACE_SWAPS: usize = if cfg!(windows) { 2_000 } else { 20_000 };

/// Milliseconds for which the one who swaps tries to rename a folder that others use.
pub const CORPUS_SWAP_WAIT_MS: u64 = 10_000;

/// Milliseconds after which an operation on a pipe counts as hanging in a corpus run.
pub const CORPUS_PIPE_WAIT_MS: u64 = 10_000;

/// Threads that measure folders at a time: beyond a few the disk or the kernel's locks are the limit.
pub const MAX_SCAN_THREADS: usize = 8;

/// Folders of one entry that are remembered from one scan to the next, at some 100 bytes each.
pub const MAX_MEMO_FOLDERS: usize = 500_000;

/// Folders that wait to be measured at a time in one thread; those beyond are not measured, and it is said so.
pub const MAX_WAITING_FOLDERS: usize = 4_000_000;

/// Files with several names that are remembered while one entry is measured, so that they count once.
pub const MAX_LINKED_FILES: usize = 4_000_000;

/// Entries of the index.
pub const MAX_INDEX_ROWS: usize = 100_000;

/// Bytes of index.json, or of one that is imported, that are read.
pub const MAX_INDEX_BYTES: u64 = 512 << 20;

/// Notices that the index keeps, the newest.
pub const MAX_INDEX_NOTICES: usize = 200;

/// Sessions whose harness the index remembers, the newest.
pub const MAX_INDEX_SESSIONS: usize = 1_000;

/// Things that are told of one entry: the first and the newest.
pub const MAX_STORY: usize = 40;

const _: () = assert!(MAX_STORY >= 2);

/// Bytes of the journal beyond which an operator's command puts it aside under a new name.
pub const MAX_JOURNAL_BYTES: u64 = 8 << 20;

/// Journals that were put aside and are kept.
pub const MAX_JOURNAL_ARCHIVES: usize = 32;

/// Bytes of the audit beyond which the next line puts it aside under a new name. All such files are kept.
pub const MAX_AUDIT_BYTES: u64 = 8 << 20;

const _: () = assert!(
    MAX_AUDIT_BYTES > 2 * MAX_LEDGER_LINE_BYTES as u64,
    "a file with one line is never as long as one that was put aside: the note of its end tells them apart"
);

/// Bytes of damaged lines that one reading keeps, to be put aside.
pub const MAX_DAMAGED_BYTES: usize = 4 << 20;

/// Bytes of what is remembered of one entry from one scan to the next that are read.
pub const MAX_MEMO_BYTES: u64 = 256 << 20;

/// Milliseconds that watching sleeps at most before it looks whether it should end.
pub const WATCH_TURN_MS: u64 = 200;

/// Milliseconds after a change in which others that come with it are waited for.
pub const WATCH_SETTLE_MS: u64 = 50;

/// Milliseconds after which watched folders are looked at though no change was noticed.
pub const WATCH_LOOK_MS: u64 = 5_000;

/// Bytes of a trash item's manifest that are read.
pub const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// Items of one trash folder that are listed.
pub const MAX_TRASH_ITEMS: usize = 100_000;

/// Levels below which a tree that is removed or copied is not held open folder by folder. Deeper folders are moved up
/// before they are removed.
pub const MAX_OPEN_LEVELS: usize = 64;

/// Names of a folder that are read at a time while a tree is removed.
pub const REMOVE_BATCH: usize = 4_096;

/// Seconds that git may take to say whether a repository has work that is nowhere else.
pub const GIT_WAIT_S: u64 = 20;

/// Levels of a tree that is copied to another volume: each is open on both sides.
pub const MAX_COPY_LEVELS: usize = 400;

/// Names of one folder that is copied to another volume.
pub const MAX_COPY_NAMES: usize = 4_000_000;

/// Milliseconds that a command waits for another one that works in the same trash folder.
pub const TRASH_WAIT_MS: u64 = 10_000;
