//! What each role letter means. docs/ROLES.md lists them.

use super::act::{Act, Arg};
use super::apply::MAX_SUB;
use super::argv::Parsed;
use super::job::{Job, dialect, is_dash};
use super::row::{Role, Row};
use super::values::{
    base_name, cloned_name, ends_with_separator, is_remote, join, parent, url_name, without_extension, without_suffix,
};
use super::{find, table, unknown};
use crate::limits::MAX_FIND_STARTS;
use crate::path::Model;
use crate::shell::{Certainty, EffectKind, Piece, Value};
use crate::world::EntryKind;

impl Job<'_> {
    /// One role on one argument. `sources` are the operands before it.
    pub(super) fn role(&mut self, row: Row<'static>, parsed: &Parsed<'_>, role: Role<'_>, arg: &Arg, sources: &[Arg]) {
        let suffix = parameter(parsed, role);
        let model = self.model();
        match role.letter {
            'r' => self.path(EffectKind::Read, arg),
            'f' => {
                let at = parsed.operands.iter().position(|o| std::ptr::eq(o, arg)).map_or(0, |i| i + 1);
                self.script(row, arg, parsed.operands[at..].to_vec());
            }
            'c' | 'd' => self.path(EffectKind::Create, arg),
            'm' if suffix == "path" => self.pathspec(arg, true),
            'm' if suffix == "there" => {
                let at = parsed.operands.iter().position(|o| std::ptr::eq(o, arg));
                self.pathspec(arg, at >= Some(parsed.tail));
            }
            'm' => self.path(EffectKind::Modify, arg),
            'x' if suffix == "path" => self.removed_pathspec(arg),
            'x' => self.path(EffectKind::Delete, arg),
            'j' => self.inside(arg, Certainty::Assumed),
            '?' => self.stray(arg),
            'V' => self.variable(arg),
            'g' => self.addressed(arg),
            'F' | 'H' => self.formatted(role.letter, arg),
            'y' if suffix == "gdb" => self.debugger_command(arg),
            'y' => self.editor_command(arg),
            'Q' if suffix == "file" => self.sql_file(arg),
            'Q' => self.sql(arg),
            'L' if suffix == "patch" => self.patch(arg),
            'L' => self.transfers(arg),
            '"' => self.quoted_paths(arg),
            'O' => self.commands_on_stdin(&arg.value.known().unwrap_or_default()),
            'A' => self.pushed(arg),
            'W' if suffix == "wl" || suffix == "ld" => self.linker(parsed, arg, suffix == "wl"),
            'W' => self.module_arguments(arg),
            'o' => {
                let mut value = Value::text(suffix);
                value.append(arg.value.clone());
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            'T' => self.mention(arg),
            'w' => {
                self.path(EffectKind::Read, arg);
                self.change_folder(&arg.value);
            }
            'D' | 'C' | 'N' | 'Y' | 'I' | 'G' if row.has("remote") && is_remote(model, &arg.value) => self.mention(arg),
            'D' | 'C' | 'N' | 'Y' => self.destination(role.letter, arg, sources),
            'G' if self.entry(arg, true) != Some(EntryKind::Dir) => self.path(EffectKind::Create, arg),
            'i' | 'I' | 'G' => self.inside(arg, Certainty::Proven),
            't' | 'k' | 'M' if !self.hands_on(parsed.operands.len()) => {
                self.path(EffectKind::Create, &Arg { value: Value::any(), span: arg.span });
            }
            't' => self.fill_folder(arg, sources, parsed.has("-r") || parsed.has("-a")),
            'l' => match base_name(model, &arg.value) {
                Some(value) => self.path(EffectKind::Create, &Arg { value, span: arg.span }),
                None => self.inside(&Arg { value: Value::text("."), span: arg.span }, Certainty::Proven),
            },
            'U' => match cloned_name(&arg.value, &suffix) {
                Some(value) => self.path(EffectKind::Create, &Arg { value, span: arg.span }),
                None => self.inside(&Arg { value: Value::text("."), span: arg.span }, Certainty::Proven),
            },
            'b' if suffix.is_empty() => {}
            'b' | 'e' if row.has("folders") && self.entry(arg, true) == Some(EntryKind::Dir) => self.in_folder(arg),
            'b' => {
                let mut value = arg.value.clone();
                value.push_str(&suffix);
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            // A default extension: `zip x` makes x.zip.
            'a' if is_dash(arg) => {}
            'a' => {
                let mut value = arg.value.clone();
                let bare = base_name(model, &value).and_then(|n| n.known().map(|n| !n.contains('.')));
                if bare == Some(true) {
                    value.push_str(&suffix);
                }
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            'v' => self.stripped(arg, &suffix),
            'B' | 'e' => {
                let mut value = without_extension(model, arg.value.clone());
                if role.letter == 'B' {
                    value = base_name(model, &value).unwrap_or_else(Value::name);
                }
                value.push_str(&suffix);
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            'p' => {
                let mut value = arg.value.clone();
                value.push(Piece::Name);
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            'q' => {
                let value = parent(model, &arg.value).unwrap_or_else(|| Value::text("."));
                self.inside(&Arg { value, span: arg.span }, Certainty::Assumed);
            }
            'h' => self.volume(arg),
            'P' | 'S' | 'K' if self.dry => {}
            'P' => self.installs(arg),
            'z' if role.text.is_some() => {
                // The program sets this variable for the shell.
                self.env.push((suffix, Value::name()));
                let argv = ["sh", "-c"].map(|word| self.program_arg(word)).into_iter().chain([arg.clone()]).collect();
                self.run(argv, None, None);
            }
            's' | 'z' => self.shell(row, arg, Vec::new()),
            'J' => self.joined(row, arg, &parsed.operands),
            'X' => self.for_found(arg, parsed),
            'S' => {
                let args = if parsed.has("-s") { parsed.operands.clone() } else { Vec::new() };
                self.acts.push(Act::ShellStdin { dialect: dialect(row), args });
            }
            'R' => {
                let mut argv = vec![arg.clone()];
                argv.extend_from_slice(&parsed.operands[parsed.tail..]);
                self.run(argv, None, None);
            }
            'u' if suffix == "rename" => self.renamed_members(arg),
            'u' => self.setting(row, arg),
            'k' => {
                let at = parsed.operands.iter().position(|o| std::ptr::eq(o, arg)).map_or(0, |i| i + 1);
                self.code(row, arg, parsed.operands[at..].to_vec());
            }
            'K' => self.code_stdin(row, Vec::new()),
            'M' => {
                let operands = parsed.operands.clone();
                if !self.sub_command(row, arg, &operands) {
                    match arg.value.known().and_then(|name| table::find_program(&name)) {
                        Some(module) if self.depth < MAX_SUB => {
                            self.depth += 1;
                            self.row(module, &operands);
                        }
                        _ => self.unknown(&operands),
                    }
                }
            }
            _ => {}
        }
    }

    /// `fd PATTERN [FOLDER…] -x COMMAND`: started with paths below the folders, else the cwd.
    fn for_found(&mut self, program: &Arg, parsed: &Parsed<'_>) {
        let (before, rest) = parsed.operands.split_at(parsed.tail);
        let mut folders: Vec<Value> = before.iter().skip(1).map(|start| find::found(self, start)).collect();
        if folders.is_empty() {
            folders.push(Value::under(self.inv.cwd));
        }
        if folders.len() > MAX_FIND_STARTS {
            folders.truncate(MAX_FIND_STARTS);
            folders.push(Value::any());
        }
        let named = rest.iter().any(|a| a.value.prefix().contains('{'));
        for found in folders {
            let mut argv = vec![program.clone()];
            argv.extend(rest.iter().map(|a| Arg { value: a.value.replace("{}", &found), span: a.span }));
            if !named {
                argv.push(Arg { value: found, span: program.span });
            }
            self.run(argv, None, None);
        }
    }

    /// The last operand of cp and its like: a folder to copy into, or the copy's own path.
    fn destination(&mut self, letter: char, arg: &Arg, sources: &[Arg]) {
        let model = self.model();
        // A source with a separator at its end: rsync copies what is in it.
        let contents = letter == 'Y' && sources.iter().any(|s| ends_with_separator(model, &s.value));
        if contents {
            return self.inside(arg, Certainty::Proven);
        }
        let link_itself = letter == 'N' && self.entry(arg, false) == Some(EntryKind::Link);
        let folder = ends_with_separator(model, &arg.value)
            || sources.len() > 1
            || matches!(self.entry(arg, true), Some(EntryKind::Dir | EntryKind::Unreadable));
        if folder && !link_itself {
            self.fill_folder(arg, sources, letter == 'C' || letter == 'Y');
        } else {
            self.path(EffectKind::Create, arg);
        }
    }

    /// A program that writes beside files goes through a folder that is not empty.
    fn in_folder(&mut self, arg: &Arg) {
        let path = self.model().join(self.inv.cwd, &arg.value.known().unwrap_or_default());
        if self.inv.world.list(&path, 0).is_none() {
            self.inside(arg, Certainty::Assumed);
        }
    }

    /// `DIR/NAME` for each source; `merge`: a folder that is there already is filled.
    pub(super) fn fill_folder(&mut self, dir: &Arg, sources: &[Arg], merge: bool) {
        let model = self.model();
        if sources.is_empty() {
            return self.inside(dir, Certainty::Proven);
        }
        for source in sources {
            let from = if is_remote(model, &source.value) {
                url_name(&source.value, "")
            } else {
                base_name(model, &source.value)
            };
            let Some(name) = from else {
                self.inside(dir, Certainty::Proven);
                continue;
            };
            let target = Arg { value: join(model, &dir.value, &name), span: dir.span };
            if merge && self.entry(&target, true) == Some(EntryKind::Dir) {
                self.inside(&target, Certainty::Proven);
            } else {
                self.path(EffectKind::Create, &target);
            }
        }
    }

    /// What stands at an argument, where its path is known.
    pub(super) fn entry(&self, arg: &Arg, follow: bool) -> Option<EntryKind> {
        let model = self.model();
        let value = join(model, &self.base, &arg.value);
        let path = model.join(self.inv.cwd, &value.known()?);
        if follow { self.inv.world.target(&path) } else { self.inv.world.entry(&path) }
    }

    /// `f.gz` -> `f`: the suffixes that may be taken off stand in `suffixes`, separated by `|`; one of them
    /// with `>` says what comes instead (`.tgz>.tar`).
    fn stripped(&mut self, arg: &Arg, suffixes: &str) {
        let made = suffixes.split('|').find_map(|s| {
            let (from, to) = s.split_once('>').unwrap_or((s, ""));
            let mut value = without_suffix(arg.value.clone(), from)?;
            value.push_str(to);
            Some(value)
        });
        match made {
            Some(value) => self.path(EffectKind::Create, &Arg { value, span: arg.span }),
            None if arg.value.known().is_some() => {}
            None => {
                let value = parent(self.model(), &arg.value).unwrap_or_else(|| Value::text("."));
                self.inside(&Arg { value, span: arg.span }, Certainty::Assumed);
            }
        }
    }

    /// `NAME=VALUE` where only a value that is clearly a path counts.
    fn variable(&mut self, arg: &Arg) {
        let text = arg.value.prefix();
        let Some(at) = text.find('=') else { return };
        if unknown::starts_like_path(self.model(), &text[at + 1..]) {
            self.stray(&Arg { value: arg.value.skip(at + 1), span: arg.span });
        }
    }

    /// `1:out.mkv` of mkvextract, `CREATE:/x,mode=600` of socat; without a colon the path itself.
    fn addressed(&mut self, arg: &Arg) {
        let text = arg.value.prefix();
        let Some((kind, rest)) = text.split_once(':') else {
            return self.path(EffectKind::Create, arg);
        };
        let numbered = kind.bytes().all(|b| b.is_ascii_digit());
        if !numbered && (rest.starts_with("//") || !unknown::starts_like_path(self.model(), rest)) {
            return;
        }
        let value = match arg.value.known() {
            Some(_) if !numbered => Value::text(rest.split(',').next().unwrap_or(rest)),
            _ => arg.value.skip(kind.len() + 1),
        };
        self.path(EffectKind::Create, &Arg { value, span: arg.span });
    }

    /// `png:FILE`, `html:FOLDER`: a format before the path; without one the argument is the path (`F`) or none (`H`).
    fn formatted(&mut self, letter: char, arg: &Arg) {
        let text = arg.value.prefix();
        match text.split_once(':') {
            // One letter is a drive.
            Some((format, _)) if format.len() > 1 && format.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                let value = arg.value.skip(format.len() + 1);
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            _ if letter == 'F' => self.path(EffectKind::Create, arg),
            _ => {}
        }
    }

    /// `path=/x dest=/y` of a module that ansible runs; they are this machine's where it runs locally. `type=local,dest=/x`
    /// of a build.
    fn module_arguments(&mut self, arg: &Arg) {
        for word in arg.value.prefix().split([' ', ',']) {
            if let Some(("path" | "dest", path)) = word.split_once('=') {
                let value = Value::text(path.trim_matches(['\'', '"']));
                self.stray(&Arg { value, span: arg.span });
            }
        }
    }

    /// `-Wl,-Map,FILE` and all of `-Xlinker -Map -Xlinker FILE`: options that a compiler hands on to the linker.
    fn linker(&mut self, parsed: &Parsed<'_>, arg: &Arg, joined: bool) {
        let words: Vec<Arg> = match arg.value.prefix().strip_prefix("l,") {
            Some(rest) if joined => {
                rest.split(',').map(|word| Arg { value: Value::text(word), span: arg.span }).collect()
            }
            _ if joined => return,
            // Once for all of them.
            _ if parsed.args_of("-Xlinker").next().is_some_and(|first| std::ptr::eq(first, arg)) => {
                parsed.args_of("-Xlinker").cloned().collect()
            }
            _ => return,
        };
        if let Some(row) = table::find("ld").filter(|_| self.depth < MAX_SUB) {
            self.depth += 1;
            let dry = self.dry;
            self.row(row, &words);
            self.depth -= 1;
            self.dry = dry;
        }
    }

    /// `--transform s,FROM,TO,` of an archive whose names are taken as they are: where `TO` leads out of the folder,
    /// or can't be read, so may what is unpacked.
    fn renamed_members(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known() else {
            return self.inside(&Arg { value: Value::any(), span: arg.span }, Certainty::Proven);
        };
        for rule in text.split(';').map(str::trim) {
            let Some(mark) = rule.strip_prefix('s').and_then(|rest| rest.chars().next()) else { continue };
            let Some(to) = rule.split(mark).nth(2) else { continue };
            if self.model().is_absolute(to) || to.starts_with("..") {
                let folder = to.rfind('/').map_or(to, |at| &to[..=at]);
                self.inside(&Arg { value: Value::text(folder), span: arg.span }, Certainty::Proven);
            }
        }
    }

    /// `-v HOST:CONTAINER[:mode]`: the host's side is made as a folder where it is missing.
    fn volume(&mut self, arg: &Arg) {
        let text = arg.value.prefix();
        let model = self.model();
        let from = if model == Model::Windows && model.is_absolute(text) { 2 } else { 0 };
        let host = match text[from..].find(':') {
            Some(at) => Value::text(&text[..from + at]),
            None if arg.value.known().is_some() => return,
            None => arg.value.clone(),
        };
        let named = !host.prefix().contains(['/', '\\']) && !host.prefix().starts_with(['.', '~']);
        if !named {
            self.path(EffectKind::Create, &Arg { value: host, span: arg.span });
        }
    }
}

/// The text that a role's parameter stands for.
fn parameter(parsed: &Parsed<'_>, role: Role<'_>) -> String {
    match (role.text, role.option) {
        (Some(text), _) => text.to_owned(),
        (None, Some(option)) => parsed.last_arg(option).and_then(|a| a.value.known()).unwrap_or_default().into_owned(),
        (None, None) => String::new(),
    }
}
