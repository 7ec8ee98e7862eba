//! A file's lines, one at a time and each bounded.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};

use crate::limits::MAX_LEDGER_LINE_BYTES;

/// One line of a file.
pub(crate) struct RawLine<'a> {
    /// Without its end; at most [`MAX_LEDGER_LINE_BYTES`] and one.
    pub(crate) text: &'a [u8],
    /// Whether it has an end.
    pub(crate) ended: bool,
    /// Whether it is longer than `text`.
    pub(crate) cut: bool,
}

/// The lines of a file.
pub(crate) struct Lines {
    reader: BufReader<io::Take<File>>,
    buffer: Vec<u8>,
    consumed: u64,
}

impl Lines {
    pub(crate) fn new(file: File) -> Self {
        Self::within(file, u64::MAX)
    }

    /// Those in the file's next `bytes`, whatever is added meanwhile.
    pub(crate) fn within(file: File, bytes: u64) -> Self {
        Self { reader: BufReader::new(file.take(bytes)), buffer: Vec::new(), consumed: 0 }
    }

    /// Bytes up to the end of the line that was given last.
    pub(crate) fn consumed(&self) -> u64 {
        self.consumed
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<RawLine<'_>>> {
        self.buffer.clear();
        let limit = MAX_LEDGER_LINE_BYTES + 1;
        let read = (&mut self.reader).take(limit as u64).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        self.consumed += read as u64;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
            return Ok(Some(RawLine { text: &self.buffer, ended: true, cut: false }));
        }
        let cut = self.buffer.len() == limit;
        let ended = cut && self.skip_rest()?;
        Ok(Some(RawLine { text: &self.buffer, ended, cut }))
    }

    /// Reads on to the next line; whether there was a line end.
    fn skip_rest(&mut self) -> io::Result<bool> {
        loop {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                return Ok(false);
            }
            let end = chunk.iter().position(|&b| b == b'\n');
            let used = end.map_or(chunk.len(), |i| i + 1);
            self.reader.consume(used);
            self.consumed += used as u64;
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}
