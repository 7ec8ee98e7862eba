//! Why something is not recycled, restored or purged: stable codes.

/// Defines the refusals with code, text (what is said after the path) and hint.
macro_rules! refusals {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal, $text:literal, $hint:literal;)+) => {
        /// A reason for which something is not recycled, restored or purged.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Refusal {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Refusal {
            /// All of them, in the order of `docs/TRASH.md`.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The stable code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// What is wrong, as it follows the path.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What to do next.
            pub const fn hint(self) -> &'static str {
                match self { $(Self::$name => $hint,)+ }
            }
        }
    };
}

refusals! {
    /// Nothing stands there.
    Missing = "recycle_missing", "is not there", "wsguard ledger list shows what is";
    /// It was never seen to appear.
    NotListed = "recycle_not_listed", "is not in the index, so nothing says that an agent made it",
        "only entries of `wsguard ledger list` are recycled; `wsguard scan` looks for new ones";
    /// The operator has not said that it is an agent's.
    NotConfirmed = "recycle_not_confirmed", "is not confirmed to be an agent's",
        "look at it, then confirm it: wsguard ledger mark confirmed PATH";
    /// What stands there is not what was confirmed.
    Replaced = "recycle_replaced", "is not what was confirmed: something else has taken its place",
        "run `wsguard scan`, look at what is there now, and confirm that";
    /// The root of a drive, of a share or of everything.
    DriveRoot = "recycle_drive_root", "is the root of a drive", "name an entry below it";
    /// A trash folder, something in one, or something that holds one.
    InTrash = "recycle_trash", "is the trash, or in it, or holds it", "wsguard trash list shows what is in the trash";
    /// A volume begins there.
    MountPoint = "recycle_mount_point", "is a mount point", "unmount it first";
    /// A volume begins somewhere in it.
    MountInside = "recycle_mount_inside", "holds a mount point", "unmount what is mounted in it first";
    /// A folder of the operating system, or one that holds such a folder.
    SystemFolder = "recycle_system_folder", "is a folder of the operating system, or holds one",
        "name an entry below it";
    /// A user's home folder, or one that holds such a folder.
    UserHome = "recycle_user_home", "is a user's home folder, or holds one", "name an entry below it";
    /// HOME of this product, something in it, or something that holds it.
    OwnState = "recycle_own_state", "is this guard's own state, or holds it",
        "wsguard session --clean removes old scratch folders";
    /// The parent of the scratch folders, or something that holds it.
    ScratchRoot = "recycle_scratch_root", "is the parent of the scratch folders, or holds it",
        "wsguard session --clean removes old scratch folders";
    /// A temp folder, or something that holds one.
    TempFolder = "recycle_temp_folder", "is a temp folder, or holds one", "name an entry in it";
    /// The current folder, or something that holds it.
    CurrentFolder = "recycle_current_folder", "is the current folder, or holds it", "change to another folder first";
    /// A live session works in it.
    InUse = "recycle_in_use", "is in use: a live session works in it",
        "end the session first (wsguard session shows them)";
    /// A link or a junction.
    Link = "recycle_link", "is a link", "remove the link by hand; what it leads to is left alone that way";
    /// It is somebody else's.
    OtherUser = "recycle_other_user", "belongs to another user", "let that user recycle it";
    /// A repository with work that is nowhere else.
    Repository = "recycle_repository", "is a repository with work that may be nowhere else",
        "commit and push it, or add --with-repository to recycle it as it is";
    /// It lies on another volume than every trash folder.
    OtherVolume = "trash_other_volume", "can't be renamed: the system says that the other place is on another volume",
        "add --across-volumes to have it copied, compared and then removed";
    /// There is no trash folder that may be written.
    NoPlace = "trash_no_place", "has no trash folder that you may write on its volume",
        "make one that is yours alone at the top of the volume, or add --across-volumes to have it copied to HOME/trash";
    /// What is moved or copied is changing.
    Changed = "trash_changed_meanwhile", "changed meanwhile; nothing was done", "try again when nothing works in it";
    /// No item has such an id.
    ItemMissing = "trash_item_missing", "is no item of the trash", "wsguard trash list shows the ids";
    /// Several items have ids that begin like this, or were there.
    Ambiguous = "trash_item_ambiguous", "does not say which of several items is meant", "write more of the id";
    /// It does not prove to be a trash item.
    NotOurs = "trash_not_ours", "does not prove to be a trash item of yours", "look at it, and remove it by hand";
    /// Its manifest can't be read.
    NoManifest = "trash_manifest_damaged", "has no manifest that can be read, so where it belongs is not known",
        "move its payload by hand";
    /// Something stands where it belongs.
    Occupied = "trash_occupied", "is taken: something stands there, and nothing is ever written over or merged",
        "move what is there away, then restore again";
    /// The folder that held it is gone.
    NoParent = "trash_parent_missing", "can't be made: the folder that held it is gone",
        "add --parents to have the missing folders made";
    /// It would go where restoring must not write.
    Unsafe = "trash_path_unsafe", "is no place to restore to: a link is on the way, or it is not a plain absolute path",
        "move the payload by hand";
    /// Another command is at work.
    Busy = "trash_busy", "is being worked on by another command", "wait for it, then try again";
    /// A file in it is held open by a program.
    FileBusy = "trash_file_busy", "is in use: a program has it, or something in it, open",
        "close that program; nothing was lost";
    /// The volume is full.
    DiskFull = "trash_disk_full", "can't be handled: the volume is full", "make room; nothing was lost";
    /// The volume is read-only.
    ReadOnly = "trash_read_only", "is on a volume that is read-only", "mount it writable first";
    /// The system does not permit it.
    Denied = "trash_denied", "may not be changed by you", "ask whoever owns the folder that holds it";
    /// A name or path that the system does not take.
    TooLong = "trash_name_too_long", "has a name or a path that is too long for the system here",
        "change to a folder nearer to it, or shorten a name";
    /// Anything else that the system said.
    Io = "trash_io", "can't be handled", "nothing was lost; try again once the cause is mended";
}

impl Refusal {
    /// What an answer of the system means.
    pub fn of(error: &std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        // "The process cannot access the file", "a portion of it is locked": sharing violations of Windows.
        if cfg!(windows) && matches!(error.raw_os_error(), Some(32 | 33 | 303)) {
            return Self::FileBusy;
        }
        match error.kind() {
            Kind::CrossesDevices => Self::OtherVolume,
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Self::DiskFull,
            Kind::ReadOnlyFilesystem => Self::ReadOnly,
            Kind::PermissionDenied => Self::Denied,
            Kind::ResourceBusy | Kind::ExecutableFileBusy => Self::FileBusy,
            Kind::InvalidFilename => Self::TooLong,
            Kind::TimedOut | Kind::WouldBlock => Self::Busy,
            _ => Self::Io,
        }
    }

    /// Whether it is one of the system's answers, whose own words say more.
    pub(crate) const fn is_answer(self) -> bool {
        matches!(self, Self::FileBusy | Self::DiskFull | Self::ReadOnly | Self::Denied | Self::TooLong | Self::Io)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::io;

    use super::Refusal;

    #[test]
    fn codes_are_stable_words_and_each_its_own() {
        let codes: HashSet<_> = Refusal::ALL.iter().map(|refusal| refusal.code()).collect();
        assert_eq!(codes.len(), Refusal::ALL.len());
        for refusal in Refusal::ALL {
            assert!(refusal.code().starts_with("recycle_") || refusal.code().starts_with("trash_"), "{refusal:?}");
            assert!(!refusal.text().is_empty() && !refusal.hint().is_empty(), "{refusal:?}");
        }
    }

    #[test]
    fn answers_of_the_system() {
        let of = |kind: io::ErrorKind| Refusal::of(&kind.into());
        assert_eq!(of(io::ErrorKind::CrossesDevices), Refusal::OtherVolume);
        assert_eq!(of(io::ErrorKind::StorageFull), Refusal::DiskFull);
        assert_eq!(of(io::ErrorKind::ReadOnlyFilesystem), Refusal::ReadOnly);
        assert_eq!(of(io::ErrorKind::PermissionDenied), Refusal::Denied);
        assert_eq!(of(io::ErrorKind::TimedOut), Refusal::Busy);
        assert_eq!(of(io::ErrorKind::Other), Refusal::Io);
    }
}
