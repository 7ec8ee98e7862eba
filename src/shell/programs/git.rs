//! What a repository's own settings say: where its remotes lie, what its aliases run.

use super::act::{Act, Arg};
use super::job::Job;
use crate::limits::{MAX_NESTING, MAX_SOURCED_BYTES};
use crate::shell::{Certainty, Dialect, Value};
use crate::world::EntryKind;

impl Job<'_> {
    /// The folder that git stands in, where it is known.
    fn git_start(&self) -> Option<String> {
        let base = if self.base.is_empty() { Value::text(".") } else { self.base.clone() };
        Some(self.model().join(self.inv.cwd, &base.known()?))
    }

    /// The work tree that the folder belongs to, and the text of the repository's settings.
    fn repository(&self) -> Option<(String, String)> {
        let (world, model) = (self.inv.world, self.model());
        let start = self.git_start()?;
        let mut at = Some(start.as_str());
        for _ in 0..MAX_NESTING {
            let dir = at?;
            let own = model.join(dir, ".git");
            let config = match world.target(&own) {
                Some(EntryKind::Dir) => Some(model.join(&own, "config")),
                // A linked work tree: its settings are those of the main one.
                Some(EntryKind::File) => {
                    let text = world.read_text(&own, MAX_SOURCED_BYTES)?;
                    let main = model.join(dir, text.trim().strip_prefix("gitdir:")?.trim());
                    Some(model.join(&main, "../../config"))
                }
                _ if world.target(&model.join(dir, "HEAD")).is_some() => Some(model.join(dir, "config")),
                _ => None,
            };
            if let Some(text) = config.and_then(|path| world.read_text(&path, MAX_SOURCED_BYTES)) {
                return Some((dir.to_owned(), text));
            }
            at = model.parent(dir);
        }
        None
    }

    /// The top of the work tree that git stands in.
    pub(super) fn work_tree(&self) -> Option<String> {
        self.repository().map(|(top, _)| top)
    }

    /// What is pushed goes into the repository of the remote, where that lies on this machine.
    pub(super) fn pushed(&mut self, arg: &Arg) {
        let model = self.model();
        let Some(name) = arg.value.known() else { return };
        let name = if name.is_empty() { "origin" } else { name.as_ref() };
        let repository = self.repository();
        let section = format!("remote \"{name}\"");
        let url = repository.as_ref().and_then(|(top, text)| {
            let url = value_of(text, &section, "pushurl").or_else(|| value_of(text, &section, "url"))?;
            Some((top.clone(), url))
        });
        let (from, url) = match url {
            Some(found) => found,
            None if arg.value.is_empty() => return,
            None => (self.git_start().unwrap_or_default(), name.to_owned()),
        };
        let path = url.strip_prefix("file://").unwrap_or(&url);
        let colon = path.find(':').filter(|&at| !path[..at].contains('/'));
        if path.contains("://") || colon.is_some() || from.is_empty() {
            return;
        }
        let to = Arg { value: Value::text(model.join(&from, path)), span: arg.span };
        // What is not there can't be pushed to.
        if self.entry(&to, true).is_some() {
            self.inside(&to, Certainty::Proven);
        }
    }

    /// A sub-command that only the settings know.
    pub(super) fn git_alias(&mut self, name: &str, rest: &[Arg]) -> bool {
        let (world, model) = (self.inv.world, self.model());
        let repository = self.repository();
        let of_user = || {
            let home = world.home()?;
            let files = [".gitconfig", ".config/git/config"];
            files.iter().find_map(|file| {
                let text = world.read_text(&model.join(&home, file), MAX_SOURCED_BYTES)?;
                value_of(&text, "alias", name)
            })
        };
        let given = self.aliases.iter().rev().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let text = match given {
            Some((_, text)) => Some(text.clone()),
            None => repository.as_ref().and_then(|(_, text)| value_of(text, "alias", name)).or_else(of_user),
        };
        let Some(text) = text else { return false };
        let span = self.program;
        if let Some(script) = text.strip_prefix('!') {
            let mut all = Value::text(script);
            if !rest.is_empty() {
                all.push_str(" \"$@\"");
            }
            let mut args = vec![Arg { value: Value::text("git"), span }];
            args.extend_from_slice(rest);
            // It runs at the top of the work tree.
            let cwd = repository.map(|(top, _)| Value::text(top));
            self.acts.push(Act::Shell { text: all, dialect: Dialect::Bash, args, span, cwd });
            return true;
        }
        let words = text.split_whitespace().map(|w| Arg { value: Value::text(w.trim_matches(['\'', '"'])), span });
        let mut argv = vec![Arg { value: Value::text("git"), span }];
        argv.extend(words);
        if argv.get(1).is_some_and(|a| a.value.known().as_deref() == Some(name)) {
            return false;
        }
        argv.extend_from_slice(rest);
        self.run(argv, None, None);
        true
    }
}

/// The last value of `key` in a section of git's settings; both are compared without regard to case but for a quoted
/// part of the section's name.
fn value_of(text: &str, section: &str, key: &str) -> Option<String> {
    let (head, quoted) = section.split_once(' ').map_or((section, None), |(h, q)| (h, Some(q)));
    let is_section = |line: &str| {
        let inner = line.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
        let (h, q) = inner.split_once(char::is_whitespace).map_or((inner, None), |(h, q)| (h, Some(q.trim())));
        h.eq_ignore_ascii_case(head) && q == quoted
    };
    let mut inside = false;
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = is_section(line);
        }
        let line = if line.starts_with('[') { line.split_once(']').map_or("", |(_, rest)| rest.trim()) } else { line };
        if !inside || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case(key)
        {
            found = Some(unquoted(value.trim()));
        }
    }
    found
}

fn unquoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {}
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn settings() {
        const TEXT: &str = "[core]\n\tbare = false\n[Remote \"origin\"]\n  URL = /srv/g.git\n[remote \"Other\"] url = x\n\
                            [alias]\n# c = no\nc = commit -v\n\td = \"!f() { echo \\\"a\\\"; }; f\"\n c = commit\n";
        for (section, key, want) in [
            ("remote \"origin\"", "url", Some("/srv/g.git")),
            ("remote \"Origin\"", "url", None),
            ("remote \"Other\"", "url", Some("x")),
            ("alias", "c", Some("commit")),
            ("alias", "d", Some("!f() { echo \"a\"; }; f")),
            ("alias", "bare", None),
        ] {
            assert_eq!(value_of(TEXT, section, key).as_deref(), want, "{section} {key}");
        }
    }
}
