//! The entries of one folder, in the order in which the system lists them: as bytes, which are also the stored form.

use crate::ledger::observed::EntryKind;

/// Bytes before a name: kind, inode, birth, the name's length.
const HEAD: usize = 1 + 8 + 8 + 2;

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    pub(crate) kind: EntryKind,
    /// 0: not known.
    pub(crate) inode: u64,
    /// Milliseconds since 1970; 0: not known.
    pub(crate) birth: i64,
    pub(crate) name: &'a [u8],
}

impl Row<'_> {
    /// Whether this is the entry that `other` was. What is not known of one of them proves nothing.
    pub(crate) fn is_same(&self, other: &Row<'_>) -> bool {
        self.kind == other.kind
            && (self.inode == other.inode || self.inode == 0 || other.inode == 0)
            && (self.birth == other.birth || self.birth == 0 || other.birth == 0)
    }
}

/// The entries of one folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    bytes: Vec<u8>,
    /// Where the rows begin: a stored form may have something before them.
    first: usize,
    /// Where each row begins.
    starts: Vec<u32>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

const fn code(kind: EntryKind) -> u8 {
    match kind {
        EntryKind::File => b'f',
        EntryKind::Dir => b'd',
        EntryKind::Link => b'l',
        EntryKind::Other => b'o',
    }
}

const fn kind(code: u8) -> EntryKind {
    match code {
        b'f' => EntryKind::File,
        b'd' => EntryKind::Dir,
        b'l' => EntryKind::Link,
        _ => EntryKind::Other,
    }
}

/// The letter of `kind` in a signature.
pub(crate) const fn letter(kind: EntryKind) -> char {
    code(kind) as char
}

impl Table {
    /// A table with room for as many bytes of rows.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), first: 0, starts: Vec::with_capacity(bytes / 32) }
    }

    /// The table whose stored form is what `bytes` hold from `first` on; `None` where it is damaged.
    pub(crate) fn from_bytes(bytes: Vec<u8>, first: usize) -> Option<Self> {
        let mut starts = Vec::with_capacity(bytes.len() / 32);
        let mut at = first;
        while at < bytes.len() {
            let length: [u8; 2] = bytes.get(at + HEAD - 2..at + HEAD)?.try_into().ok()?;
            starts.push(u32::try_from(at).ok()?);
            at += HEAD + usize::from(u16::from_le_bytes(length));
        }
        (at == bytes.len()).then_some(Self { bytes, first, starts })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.first..]
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Adds a row. A name or table that is too long for the stored form is left out: no system has such.
    pub(crate) fn push(&mut self, row: &Row<'_>) {
        let (Ok(start), Ok(length)) = (u32::try_from(self.bytes.len()), u16::try_from(row.name.len())) else { return };
        self.starts.push(start);
        let mut head = [0; HEAD];
        head[0] = code(row.kind);
        head[1..9].copy_from_slice(&row.inode.to_le_bytes());
        head[9..17].copy_from_slice(&row.birth.to_le_bytes());
        head[17..].copy_from_slice(&length.to_le_bytes());
        self.bytes.reserve(HEAD + row.name.len());
        self.bytes.extend_from_slice(&head);
        self.bytes.extend_from_slice(row.name);
    }

    /// The row number `index`, which must be below [`Table::len`].
    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        let at = self.starts[index] as usize;
        let end = self.starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize);
        let number = |from: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&self.bytes[from..from + 8]);
            bytes
        };
        Row {
            kind: kind(self.bytes[at]),
            inode: u64::from_le_bytes(number(at + 1)),
            birth: i64::from_le_bytes(number(at + 9)),
            name: &self.bytes[at + HEAD..end],
        }
    }

    /// The name of row `index`.
    pub(crate) fn name(&self, index: usize) -> &[u8] {
        let end = self.starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize);
        &self.bytes[self.starts[index] as usize + HEAD..end]
    }

    /// Whether row `index` is, byte by byte, row `at` of `other`.
    pub(crate) fn is_equal(&self, index: usize, other: &Self, at: usize) -> bool {
        let row = |table: &Self, i: usize| {
            let end = table.starts.get(i + 1).map_or(table.bytes.len(), |&next| next as usize);
            table.starts[i] as usize..end
        };
        self.bytes[row(self, index)] == other.bytes[row(other, at)]
    }

    /// Notes the birth of row `index`.
    pub(crate) fn set_birth(&mut self, index: usize, birth: i64) {
        let at = self.starts[index] as usize + 9;
        self.bytes[at..at + 8].copy_from_slice(&birth.to_le_bytes());
    }
}
