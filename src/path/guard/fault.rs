//! What goes wrong although the path is right: codes of their own, never mixed with refusals.

use std::fmt;

/// Why an operation on an admitted path failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// `workspace_file_missing`
    FileMissing,
    /// `workspace_write_failed`
    WriteFailed,
    /// `workspace_delete_failed`
    DeleteFailed,
    /// `workspace_owner_not_addressable`
    OwnerNotAddressable,
    /// `workspace_read_failed`
    ReadFailed,
    /// `workspace_file_too_large`
    FileTooLarge,
    /// `workspace_not_a_regular_file`
    NotARegularFile,
}

impl Fault {
    /// All of them, in the order of `docs/REFUSALS.md`.
    pub const ALL: [Self; 7] = [
        Self::FileMissing,
        Self::WriteFailed,
        Self::DeleteFailed,
        Self::OwnerNotAddressable,
        Self::ReadFailed,
        Self::FileTooLarge,
        Self::NotARegularFile,
    ];

    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::FileMissing => "workspace_file_missing",
            Self::WriteFailed => "workspace_write_failed",
            Self::DeleteFailed => "workspace_delete_failed",
            Self::OwnerNotAddressable => "workspace_owner_not_addressable",
            Self::ReadFailed => "workspace_read_failed",
            Self::FileTooLarge => "workspace_file_too_large",
            Self::NotARegularFile => "workspace_not_a_regular_file",
        }
    }

    /// One sentence for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::FileMissing => "There is no such file in the workspace.",
            Self::WriteFailed => "The file could not be written.",
            Self::DeleteFailed => "The file could not be removed.",
            Self::OwnerNotAddressable => "The owner of the workspace has no key.",
            Self::ReadFailed => "The file could not be read.",
            Self::FileTooLarge => "The file is larger than the limit.",
            Self::NotARegularFile => "What stands there is no regular file.",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for Fault {}
