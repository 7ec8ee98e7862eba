//! Why a path is refused: one code for each.

use std::fmt;

/// Why a path was refused. The codes are a published contract: users alert on them, so none ever changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Refusal {
    /// `path_traverses_outside_workspace`
    TraversesOutside,
    /// `path_is_absolute`
    Absolute,
    /// `path_is_unc_or_device_namespace`
    UncOrDevice,
    /// `path_contains_null_byte`
    NullByte,
    /// `path_contains_control_character`
    ControlCharacter,
    /// `path_contains_invisible_character`
    InvisibleCharacter,
    /// `path_contains_separator_homoglyph`
    SeparatorHomoglyph,
    /// `path_is_not_valid_utf8`
    NotUtf8,
    /// `path_contains_encoded_separator`
    EncodedSeparator,
    /// `path_contains_alternate_data_stream`
    AlternateDataStream,
    /// `path_is_reserved_device_name`
    ReservedDeviceName,
    /// `path_has_edge_dot_or_space`
    EdgeDotOrSpace,
    /// `path_uses_short_name_alias`
    ShortNameAlias,
    /// `path_uses_home_expansion`
    HomeExpansion,
    /// `path_is_empty`
    Empty,
    /// `path_too_long`
    TooLong,
    /// `path_segment_too_long`
    SegmentTooLong,
    /// `path_escapes_workspace_via_link`: only the half that opens files can say so.
    EscapesViaLink,
    /// `path_contains_illegal_character`
    IllegalCharacter,
    /// `path_collides_with_sibling`: only the half that opens files can say so.
    CollidesWithSibling,
    /// `path_leads_into_git_folder`: only the half that writes files can say so.
    GitFolder,
}

impl Refusal {
    /// All of them, in the order of `docs/REFUSALS.md`.
    pub const ALL: [Self; 21] = [
        Self::TraversesOutside,
        Self::Absolute,
        Self::UncOrDevice,
        Self::NullByte,
        Self::ControlCharacter,
        Self::InvisibleCharacter,
        Self::SeparatorHomoglyph,
        Self::NotUtf8,
        Self::EncodedSeparator,
        Self::AlternateDataStream,
        Self::ReservedDeviceName,
        Self::EdgeDotOrSpace,
        Self::ShortNameAlias,
        Self::HomeExpansion,
        Self::Empty,
        Self::TooLong,
        Self::SegmentTooLong,
        Self::EscapesViaLink,
        Self::IllegalCharacter,
        Self::CollidesWithSibling,
        Self::GitFolder,
    ];

    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TraversesOutside => "path_traverses_outside_workspace",
            Self::Absolute => "path_is_absolute",
            Self::UncOrDevice => "path_is_unc_or_device_namespace",
            Self::NullByte => "path_contains_null_byte",
            Self::ControlCharacter => "path_contains_control_character",
            Self::InvisibleCharacter => "path_contains_invisible_character",
            Self::SeparatorHomoglyph => "path_contains_separator_homoglyph",
            Self::NotUtf8 => "path_is_not_valid_utf8",
            Self::EncodedSeparator => "path_contains_encoded_separator",
            Self::AlternateDataStream => "path_contains_alternate_data_stream",
            Self::ReservedDeviceName => "path_is_reserved_device_name",
            Self::EdgeDotOrSpace => "path_has_edge_dot_or_space",
            Self::ShortNameAlias => "path_uses_short_name_alias",
            Self::HomeExpansion => "path_uses_home_expansion",
            Self::Empty => "path_is_empty",
            Self::TooLong => "path_too_long",
            Self::SegmentTooLong => "path_segment_too_long",
            Self::EscapesViaLink => "path_escapes_workspace_via_link",
            Self::IllegalCharacter => "path_contains_illegal_character",
            Self::CollidesWithSibling => "path_collides_with_sibling",
            Self::GitFolder => "path_leads_into_git_folder",
        }
    }

    /// The refusal of that code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|refusal| refusal.code() == code)
    }

    /// One sentence for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::TraversesOutside => "A part of the path starts with two dots, or with what reads as two dots.",
            Self::Absolute => "The path starts at a root or names a drive.",
            Self::UncOrDevice => "The path names a network share or a device namespace of Windows.",
            Self::NullByte => "The path holds a null byte, at which the system would cut it.",
            Self::ControlCharacter => "The path holds a control character.",
            Self::InvisibleCharacter => "The path holds a character that nobody sees or that reorders what is seen.",
            Self::SeparatorHomoglyph => "The path holds a character that looks like a separator or becomes one.",
            Self::NotUtf8 => "The path is not valid UTF-8.",
            Self::EncodedSeparator => "The path holds an encoded form that would be refused once it is decoded.",
            Self::AlternateDataStream => "A part of the path holds a colon, which names a stream of a file on Windows.",
            Self::ReservedDeviceName => "A part of the path is a device on Windows, whatever its extension.",
            Self::EdgeDotOrSpace => "A part of the path starts with a space or ends with a dot or a space.",
            Self::ShortNameAlias => {
                "A part of the path has the form of a short name, by which Windows may reach another file."
            }
            Self::HomeExpansion => "The path starts with what a shell replaces by a home folder.",
            Self::Empty => "The path names nothing below the workspace.",
            Self::TooLong => "The path is longer than 1024 bytes.",
            Self::SegmentTooLong => "A part of the path is longer than 255 bytes.",
            Self::EscapesViaLink => "The path leads out of the workspace through a link.",
            Self::IllegalCharacter => "A part of the path holds a character that Windows does not allow in names.",
            Self::CollidesWithSibling => {
                "Another name in the same folder differs from this one only in case or in how its characters are put together."
            }
            Self::GitFolder => "What is written to a `.git` folder can make git run programs.",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for Refusal {}
