//! Whether a `find` finds anything: a folder outside the cwd where no name matches now has nothing to start
//! a command for. Below the cwd an earlier part of the same command may make files, so it is not asked there.

use super::act::Arg;
use super::job::Job;
use crate::limits::MAX_FIND_ENTRIES;
use crate::world::{EntryKind, World};

/// Tests that must all hold; everything else in the expression is taken as true.
#[derive(Default)]
struct Tests<'a> {
    names: Vec<(&'a str, bool)>,
    kind: Option<EntryKind>,
    depth: Option<usize>,
}

/// False only where nothing below `start` passes the expression's names and types.
pub(super) fn may_find(job: &Job<'_>, start: &Arg, expression: &[Arg]) -> bool {
    let (model, world) = (job.model(), job.inv.world);
    let Some(start) = start.value.known().map(|s| model.join(job.inv.cwd, &s)) else { return true };
    let temp = world.env("TMPDIR").unwrap_or_default();
    let grows = [job.inv.cwd, "/tmp", &temp]
        .iter()
        .any(|&f| !f.is_empty() && (model.is_within(&start, &model.normalize(f)) || model.is_within(f, &start)));
    if grows || world.target(&start) != Some(EntryKind::Dir) {
        return true;
    }
    match tests(expression) {
        Some(tests) if !tests.names.is_empty() => walk(world, start, &tests),
        _ => true,
    }
}

/// `None` where the expression is more than a row of tests.
fn tests(expression: &[Arg]) -> Option<Tests<'_>> {
    let mut out = Tests::default();
    let mut words = expression.iter().map(|a| a.value.prefix());
    while let Some(word) = words.next() {
        match word {
            "-o" | "-or" | "!" | "-not" | "(" | "," => return None,
            "-name" => out.names.push((words.next()?, false)),
            "-iname" => out.names.push((words.next()?, true)),
            "-maxdepth" => out.depth = Some(words.next()?.parse().ok()?),
            "-type" => {
                out.kind = match words.next()? {
                    "f" => Some(EntryKind::File),
                    "d" => Some(EntryKind::Dir),
                    _ => return None,
                }
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => break,
            _ => {}
        }
    }
    let known = expression.iter().all(|a| a.value.known().is_some());
    known.then_some(out)
}

fn walk(world: &dyn World, start: String, tests: &Tests<'_>) -> bool {
    let model = world.model();
    let mut left = MAX_FIND_ENTRIES;
    let mut todo = vec![(start, 0)];
    while let Some((path, depth)) = todo.pop() {
        let Some(rest) = left.checked_sub(1) else { return true };
        left = rest;
        let kind = world.entry(&path);
        let name = model.base_name(&path);
        let fits = |(pattern, fold): &(&str, bool)| {
            if *fold { fits(&pattern.to_lowercase(), &name.to_lowercase()) } else { fits(pattern, name) }
        };
        if tests.names.iter().all(fits) && tests.kind.is_none_or(|k| kind == Some(k)) {
            return true;
        }
        if kind == Some(EntryKind::Unreadable) {
            return true;
        }
        let is_dir = kind == Some(EntryKind::Dir) || depth == 0;
        if is_dir && tests.depth.is_none_or(|max| depth < max) {
            let Some(names) = world.list(&path, left) else { return true };
            todo.extend(names.iter().map(|n| (model.join(&path, n), depth + 1)));
        }
    }
    false
}

/// Whether a file name fits a shell pattern; brackets are taken to fit.
fn fits(pattern: &str, name: &str) -> bool {
    if pattern.contains(['[', '\\']) {
        return true;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to go on after the last `*` when the rest does not fit.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|&c| c == '?' || c == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((star, from)) = retry {
            retry = Some((star, from + 1));
            p = star + 1;
            n = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns() {
        for (pattern, name, want) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "a.txt.gz", false),
            ("a*b*c", "aXbYbZc", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("[ab]", "c", true),
        ] {
            assert_eq!(fits(pattern, name), want, "{pattern} {name}");
        }
    }
}
