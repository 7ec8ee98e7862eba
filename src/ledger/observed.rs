//! What an observation's line says: which entry, who may have made it, and why that is believed.

use serde::{Deserialize, Serialize};

/// What stands at a path. A link is not followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link, a junction or another reparse point.
    Link,
    /// A pipe, a socket, a device, or not known.
    #[default]
    #[serde(other)]
    Other,
}

/// How sure it is who made an entry, the surest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grade {
    /// One call: no other of this HOME's was open, and the entry was born while it ran.
    Certain,
    /// One call, by what its command says or by owner and time.
    Likely,
    /// Several calls may have: all are listed.
    Ambiguous,
    /// Nothing speaks for any call: no candidates.
    #[default]
    #[serde(other)]
    Unattributed,
}

/// Why a grade was given: one stable word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Evidence {
    /// No other call was open since the folder was last looked at.
    OnlyCall,
    /// Several calls were open since the folder was last looked at.
    CallsOpen,
    /// The entry's birth lies within the call.
    BornWithin,
    /// The entry's birth is not known here, or lies before: its last change of state lies within the call.
    ChangedWithin,
    /// The folder's last change lies within the call.
    FolderChangedWithin,
    /// The command of this call alone names the entry.
    Named,
    /// The entry belongs to the user whom the hook runs as.
    SameOwner,
    /// The entry belongs to somebody else.
    OtherOwner,
    /// No call was open when it appeared; the candidates are those that ended last.
    EndedBefore,
    /// More calls may have than are listed.
    MoreCandidates,
    /// A word of a later version.
    #[serde(other)]
    Other,
}

/// A call that may have made an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Candidate {
    /// Its session.
    pub session: String,
    /// Its id, as in its `callStart`; empty where the harness gives none.
    pub call: String,
}

/// Who may have made an entry, and why that is believed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Attribution {
    /// How sure it is.
    pub grade: Grade,
    /// What speaks for it.
    pub evidence: Vec<Evidence>,
    /// The calls, the likeliest first; at most [`crate::limits::MAX_CANDIDATES`].
    pub candidates: Vec<Candidate>,
}

/// An entry as it was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Observed {
    /// What it is; for a `vanished` line, what it was.
    pub entry_kind: EntryKind,
    /// Kind, identity and birth as a short text without meaning to others: an entry that takes the place of another has
    /// another. Empty where only the folder is known (`transient`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// When it was born, RFC 3339 UTC, where the file system knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birth: Option<String>,
    /// Who may have done it.
    pub attribution: Attribution,
    /// Whether it happened while no call was open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub between: bool,
}
