//! Where a path really leads: links in the nearest existing ancestor are followed first.

use crate::limits::MAX_LINKS;
use crate::world::{EntryKind, World};

/// A path whose links were followed as far as it exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Absolute, normal; no component that exists is a link (but see `unresolvable`).
    pub path: String,
    /// What stands there, `None` where nothing does.
    pub entry: Option<EntryKind>,
    /// A link loop or more links than the kernel follows: the kernel would refuse too.
    pub unresolvable: bool,
}

/// Follows the links of the absolute path `path`. A `..` in it goes where the kernel goes: up from where the links
/// before it lead.
///
/// With `follow_last` the final component is followed too (a write goes through a link); without it the
/// link itself is meant (a rename or removal).
pub fn resolve(world: &dyn World, path: &str, follow_last: bool) -> Resolved {
    let model = world.model();
    let mut end = model.root_len(path);
    let mut entry = Some(EntryKind::Dir);
    // Most paths hold no link: then nothing has to be put together anew.
    while end < path.len() {
        let start = if path[end..].starts_with(|c| model.is_separator(c)) { end + 1 } else { end };
        end = path[start..].find(|c| model.is_separator(c)).map_or(path.len(), |i| start + i);
        let part = &path[start..end];
        if part.is_empty() || part == "." || part == ".." {
            return follow_links(world, path, follow_last);
        }
        entry = world.entry(&path[..end]);
        match entry {
            Some(EntryKind::Link) if follow_last || end < path.len() => return follow_links(world, path, follow_last),
            Some(_) => {}
            None if path[end..].contains("..") => return follow_links(world, path, follow_last),
            // Nothing here, so nothing below.
            None => break,
        }
    }
    Resolved { path: path.to_owned(), entry, unresolvable: false }
}

fn follow_links(world: &dyn World, path: &str, follow_last: bool) -> Resolved {
    let model = world.model();
    let root_len = model.root_len(path);
    let mut links = 0usize;
    let mut done = path[..root_len].to_owned();
    // Components still to walk, the next one last.
    let mut todo: Vec<String> = components_rev(path, root_len, model);
    let mut entry = Some(EntryKind::Dir);
    while let Some(part) = todo.pop() {
        if part == ".." {
            done.truncate(model.parent(&done).unwrap_or(&done).len());
            entry = Some(EntryKind::Dir);
            continue;
        }
        let next = model.join(&done, &part);
        entry = world.entry(&next);
        if entry == Some(EntryKind::Link) && (follow_last || !todo.is_empty()) {
            links += 1;
            let Some(text) = world.read_link(&next).filter(|_| links <= MAX_LINKS) else {
                return Resolved { path: next, entry, unresolvable: true };
            };
            let text_root = model.root_len(&text);
            if text_root > 0 {
                done.clear();
                done.push_str(&text[..text_root]);
            }
            todo.extend(components_rev(&text, text_root, model));
            entry = Some(EntryKind::Dir);
            continue;
        }
        done = next;
        if entry.is_none() {
            // Nothing here, so nothing below: the rest is text. `..` was normalised away by the caller, but a
            // link's own text may hold one.
            for part in todo.iter().rev() {
                done = model.join(&done, part);
            }
            break;
        }
    }
    Resolved { path: done, entry, unresolvable: false }
}

fn components_rev(path: &str, root_len: usize, model: crate::path::Model) -> Vec<String> {
    let mut parts: Vec<String> = path[root_len..]
        .split(|c| model.is_separator(c))
        .filter(|p| !p.is_empty() && *p != ".")
        .map(str::to_owned)
        .collect();
    parts.reverse();
    parts
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use crate::path::Model;
    use crate::world::FakeWorld;

    #[test]
    fn dots_and_links() {
        let world = FakeWorld::new(Model::Posix)
            .dir("/p/sub")
            .dir("/srv/data")
            .link("/p/out", "/srv/data")
            .link("/p/up", "../srv");
        let check = |path: &str, want: &str| assert_eq!(resolve(&world, path, true).path, want, "{path}");
        check("/p/sub/x", "/p/sub/x");
        check("/p/out/x", "/srv/data/x");
        check("/p/up/data", "/srv/data");
        check("/p/sub/../x", "/p/x");
        check("/srv/../p/x", "/p/x");
        check("/p/out/../x", "/srv/x");
        check("/p/none/../../srv/x", "/srv/x");
        check("/p/./sub//x", "/p/sub/x");
        check("/", "/");
        assert_eq!(resolve(&world, "/p/out", false).path, "/p/out");
    }
}
