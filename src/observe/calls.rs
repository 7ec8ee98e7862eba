//! What is remembered of calls that are open and of the last ones that ended.

use super::state::key_of;
use crate::limits::{MAX_CALL_BYTES, MAX_CANDIDATE_ID_BYTES};

/// Version of a call's stored form.
const VERSION: u8 = 1;
/// Bits of its second byte.
const CUT: u8 = 1;
const OUTLIVES: u8 = 2;

/// A call as it is noted while it runs.
#[expect(clippy::struct_field_names, reason = "the id is called `call` in every stored form")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) session: String,
    /// The id; empty where the harness gives none.
    pub(crate) call: String,
    pub(crate) harness: String,
    pub(crate) tool: String,
    /// Milliseconds since 1970.
    pub(crate) start: u64,
    /// The beginning of what it runs, or the paths that it writes.
    pub(crate) command: String,
    /// Whether there is more of it.
    pub(crate) cut: bool,
    /// Whether something of it may go on after its end.
    pub(crate) outlives: bool,
}

/// The number of a call: by its id, else by what it does.
pub(crate) fn call_key(session: &str, call: Option<&str>, what: &str) -> u64 {
    match call {
        Some(call) => key_of(&[session.as_bytes(), call.as_bytes()]),
        None => key_of(&[session.as_bytes(), b"", what.as_bytes()]),
    }
}

impl Call {
    /// Whether a process could be left over from it.
    pub(crate) fn runs(&self) -> bool {
        self.tool != "write"
    }

    /// Cut to what is stored.
    pub(crate) fn bounded(mut self) -> Self {
        self.cut |= self.command.len() > MAX_CALL_BYTES;
        for (text, bytes) in [
            (&mut self.session, MAX_CANDIDATE_ID_BYTES),
            (&mut self.call, MAX_CANDIDATE_ID_BYTES),
            (&mut self.command, MAX_CALL_BYTES),
        ] {
            text.truncate(text.floor_char_boundary(bytes));
        }
        self
    }

    /// The stored form, which is read at every event that finds something: no text is searched for it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let texts = [&self.session, &self.call, &self.harness, &self.tool, &self.command];
        let mut bytes = Vec::with_capacity(10 + texts.iter().map(|text| text.len() + 2).sum::<usize>());
        bytes.push(VERSION);
        bytes.push(if self.cut { CUT } else { 0 } | if self.outlives { OUTLIVES } else { 0 });
        bytes.extend(self.start.to_le_bytes());
        for text in texts {
            // All are bounded far below.
            let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
            bytes.extend(length.to_le_bytes());
            bytes.extend_from_slice(&text.as_bytes()[..usize::from(length)]);
        }
        bytes
    }

    /// The call in a stored form; `None` where it is damaged. What a later version adds comes after.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let ([version, flags, start @ ..], mut rest) = bytes.split_first_chunk::<10>()?;
        let mut text = || {
            let (length, after) = rest.split_first_chunk::<2>()?;
            let (text, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
            rest = after;
            String::from_utf8(text.to_vec()).ok()
        };
        let (session, call, harness, tool, command) = (text()?, text()?, text()?, text()?, text()?);
        let start = u64::from_le_bytes(*start);
        let (cut, outlives) = (flags & CUT != 0, flags & OUTLIVES != 0);
        (*version >= VERSION).then_some(Self { session, call, harness, tool, start, command, cut, outlives })
    }
}

/// A call with when it ended, if it has.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) key: u64,
    pub(crate) call: Call,
    /// Milliseconds since 1970.
    pub(crate) end: Option<u64>,
    /// Whether the folders were looked at when it ended.
    pub(crate) looked: bool,
}

/// All that are remembered.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) open: Vec<Known>,
    /// The last ones to end come first.
    pub(crate) ended: Vec<Known>,
    /// Whether there are more, or some that can't be read.
    pub(crate) more: bool,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Call;

    fn call() -> impl Strategy<Value = Call> {
        let texts = (".{0,9}", ".{0,9}", "[a-z]{0,9}", "[a-z]{0,9}", ".{0,60}");
        (texts, any::<u64>(), any::<[bool; 2]>()).prop_map(|(texts, start, [cut, outlives])| {
            let (session, call, harness, tool, command) = texts;
            Call { session, call, harness, tool, start, command, cut, outlives }
        })
    }

    proptest! {
        #[test]
        fn stored_and_read(call in call(), cut in any::<prop::sample::Index>()) {
            let bytes = call.to_bytes();
            prop_assert_eq!(Call::from_bytes(&bytes[..cut.index(bytes.len())]), None);
            prop_assert_eq!(Call::from_bytes(&bytes), Some(call));
        }
    }
}
