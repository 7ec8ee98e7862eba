//! Whose something is.

use std::path::Path;

use crate::sys::EntryFacts;

/// Whether what is at `path`, which was looked at as `facts`, belongs to somebody else.
#[cfg(unix)]
pub(crate) fn is_other_users(_path: &Path, facts: &EntryFacts) -> bool {
    let user = crate::sys::user_id();
    facts.owner.zip(user).is_some_and(|(owner, user)| owner.user != user)
}

/// Whether what is at `path` belongs to somebody else, by the owner's number in its access list; what an administrator makes
/// belongs to all of them.
#[cfg(windows)]
pub(crate) fn is_other_users(path: &Path, _facts: &EntryFacts) -> bool {
    let Some((list, own)) = crate::sys::access_list(path).ok().zip(crate::sys::user_sid()) else { return false };
    let Some(owner) = list.strip_prefix("O:") else { return false };
    let owner = owner.split("D:").next().and_then(|owner| owner.split("G:").next()).unwrap_or_default();
    !(owner.is_empty() || owner == own || ["BA", "SY", "LA"].contains(&owner))
}
