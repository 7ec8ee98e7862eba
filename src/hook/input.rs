//! Standard input, bounded.

use std::io::Read;

use crate::limits::MAX_PAYLOAD_BYTES;

/// Why there is no payload.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// It can't be read.
    #[error("the hook's input can't be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is longer than the limit; what was read of it is kept for a look at the tool's name.
    #[error("the hook's input is larger than {} MiB", MAX_PAYLOAD_BYTES >> 20)]
    TooLarge(Vec<u8>),
    /// There is none.
    #[error("the hook's input is empty")]
    Empty,
}

/// Reads a payload to its end.
pub(crate) fn read(from: impl Read) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::with_capacity(8 << 10);
    from.take(MAX_PAYLOAD_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_PAYLOAD_BYTES {
        return Err(InputError::TooLarge(bytes));
    }
    if bytes.trim_ascii().is_empty() {
        return Err(InputError::Empty);
    }
    Ok(bytes)
}
