//! Where a path really leads: links in the nearest existing ancestor are followed first.

use std::borrow::Cow;

use super::Model;
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
    let path = &*real_drive(world, path);
    let mut end = model.root_len(path);
    let mut entry = Some(EntryKind::Dir);
    // Most paths hold no link: then nothing has to be put together anew.
    let bytes = path.as_bytes();
    while end < path.len() {
        let start = if model.separates(bytes[end]) { end + 1 } else { end };
        end = bytes[start..].iter().position(|&b| model.separates(b)).map_or(path.len(), |i| start + i);
        let part = &path[start..end];
        if part.is_empty() || part == "." || part == ".." || may_be_short(model, part) {
            return follow_links(world, path, follow_last);
        }
        entry = world.entry(&path[..end]);
        match entry {
            Some(EntryKind::Link) if follow_last || end < path.len() => return follow_links(world, path, follow_last),
            Some(_) => {}
            None if bytes[end..].windows(2).any(|two| two == b"..") => return follow_links(world, path, follow_last),
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
        let mut next = model.join(&done, &part);
        entry = world.entry(&next);
        if entry.is_some()
            && may_be_short(model, &part)
            && let Some(long) = world.long_name(&next)
        {
            next = model.join(&done, &long);
        }
        // Nothing is opened anew at a descriptor; where the reader's own leads says nothing of the command's.
        let descriptor = entry == Some(EntryKind::Link) && todo.is_empty() && is_own_descriptors(world, &done);
        if entry == Some(EntryKind::Link) && (follow_last || !todo.is_empty()) && !descriptor {
            links += 1;
            let Some(text) = world.read_link(&next).filter(|_| links <= MAX_LINKS) else {
                return Resolved { path: next, entry, unresolvable: true };
            };
            let text = if model == Model::Windows { windows_link(world, &done, &text) } else { text };
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
            todo.reverse();
            done = model.join(&done, &todo.join(model.separator().encode_utf8(&mut [0; 4])));
            break;
        }
    }
    Resolved { path: done, entry, unresolvable: false }
}

/// Whether `folder` is where Linux shows the descriptors of the process that looks (proc(5)): `/dev/stdout` leads there.
fn is_own_descriptors(world: &dyn World, folder: &str) -> bool {
    let Some(process) = folder.strip_prefix("/proc/").and_then(|rest| rest.strip_suffix("/fd")) else { return false };
    // The main thread's folder is the other spelling: `/proc/thread-self`.
    let process = process.split_once("/task/").map_or(process, |(process, _)| process);
    world.read_link("/proc/self").is_some_and(|own| own == process)
}

/// Whether a name may be the short one (`PROGRA~1`) that Windows keeps beside a long one.
fn may_be_short(model: Model, name: &str) -> bool {
    model == Model::Windows && name.contains('~')
}

/// A link's text in the usual spelling; text that starts with a separator starts at the drive that the link is on.
fn windows_link(world: &dyn World, folder: &str, text: &str) -> String {
    let model = Model::Windows;
    if model.is_absolute(text) || text.starts_with(['\\', '/']) {
        return real_drive(world, &model.join(folder, text)).into_owned();
    }
    text.to_owned()
}

/// The path on the drive that really holds it: a letter may stand for a folder of another drive (`subst`).
fn real_drive<'p>(world: &dyn World, path: &'p str) -> Cow<'p, str> {
    let model = world.model();
    let mut path = Cow::Borrowed(path);
    if model == Model::Posix {
        return path;
    }
    for _ in 0..MAX_LINKS {
        let bytes = path.as_bytes();
        if bytes.get(1) != Some(&b':') {
            break;
        }
        let Some(folder) = world.drive_target(char::from(bytes[0])) else { break };
        path = Cow::Owned(model.normalize(&format!("{folder}\\{}", &path[2..])));
    }
    path
}

fn components_rev(path: &str, root_len: usize, model: Model) -> Vec<String> {
    let parts = model.parts(&path[root_len..]).filter(|p| !p.is_empty() && *p != ".");
    let mut parts: Vec<String> = parts.map(str::to_owned).collect();
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

    /// `/dev/stdout` is the command's own output, wherever the output of the process that judges goes.
    #[test]
    fn descriptors_lead_nowhere() {
        let world = FakeWorld::new(Model::Posix)
            .link("/dev/stdout", "/proc/self/fd/1")
            .link("/dev/fd", "/proc/self/fd")
            .link("/proc/self", "77")
            .link("/proc/thread-self", "77/task/77")
            .link("/proc/77/fd/1", "/srv/log")
            .link("/proc/77/task/77/fd/1", "/srv/log")
            .link("/proc/77/cwd", "/srv")
            .link("/proc/78/fd/1", "/srv/log")
            .file("/srv/log", "");
        let check = |path: &str, want: &str| assert_eq!(resolve(&world, path, true).path, want, "{path}");
        check("/dev/stdout", "/proc/77/fd/1");
        check("/dev/fd/1", "/proc/77/fd/1");
        check("/proc/77/fd/1", "/proc/77/fd/1");
        check("/proc/thread-self/fd/1", "/proc/77/task/77/fd/1");
        check("/dev/fd/9", "/proc/77/fd/9");
        check("/proc/self/cwd/new", "/srv/new");
        check("/proc/78/fd/1", "/srv/log");
        check("/proc/self/fd/1/x", "/srv/log/x");
    }

    #[test]
    fn other_names_on_windows() {
        let world = FakeWorld::new(Model::Windows)
            .dir(r"C:\Users\Long Name\work")
            .dir(r"D:\data")
            .link(r"C:\junction", r"\\?\D:\data")
            .link(r"C:\rooted", r"\Users\LONGNA~1")
            .link(r"C:\substituted", r"S:\work")
            .short(r"C:\Users\LONGNA~1", "Long Name")
            .subst('S', r"C:\Users\LONGNA~1");
        let check = |path: &str, want: &str| assert_eq!(resolve(&world, path, true).path, want, "{path}");
        check(r"C:\junction\x", r"D:\data\x");
        check(r"C:\Users\LONGNA~1\work\x", r"C:\Users\Long Name\work\x");
        check(r"C:\users\longna~1\new", r"C:\users\Long Name\new");
        check(r"C:\rooted\work", r"C:\Users\Long Name\work");
        check(r"S:\work\x", r"C:\Users\Long Name\work\x");
        check(r"s:\", r"C:\Users\Long Name");
        check(r"C:\substituted\x", r"C:\Users\Long Name\work\x");
        check(r"C:\new~1\x", r"C:\new~1\x");
    }
}
