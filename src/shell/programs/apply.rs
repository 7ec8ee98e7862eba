//! A row applied to an invocation.

use super::act::{Act, Arg, Invocation, Language};
use super::argv::{Parsed, parse};
use super::row::{Place, Role, Row, Token, places, roles};
use super::values::{
    base_name, ends_with_separator, is_existing, is_remote, join, parent, url_name, without_extension, without_suffix,
};
use super::{fetch, find, table, unknown, xargs};
use crate::path::Model;
use crate::shell::{Certainty, Dialect, EffectKind, Piece, Span, Value};
use crate::world::EntryKind;

/// How often a sub-command may lead to another row.
const MAX_SUB: usize = 6;

/// What the invocation would do, in the order in which its arguments say so.
pub fn acts(inv: &Invocation) -> Vec<Act> {
    let Some((program, args)) = inv.argv.split_first() else { return Vec::new() };
    let mut job = Job::new(inv, program.span);
    match program.value.known().and_then(|name| table::find_program(&name)) {
        Some(row) => job.row(row, args),
        None => job.unknown(args),
    }
    job.acts
}

/// The acts of one invocation as they are found.
pub(super) struct Job<'a> {
    /// What is judged.
    pub(super) inv: &'a Invocation<'a>,
    /// What was found.
    pub(super) acts: Vec<Act>,
    /// Folder that relative paths are seen from (`git -C`); empty: the cwd itself.
    base: Value,
    /// The program's own word.
    program: Span,
    /// Variables set for a program that is run.
    env: Vec<(String, Value)>,
    /// `--dry-run` and the like: writes are reads.
    dry: bool,
    /// Sub-commands followed so far.
    depth: usize,
}

impl<'a> Job<'a> {
    fn new(inv: &'a Invocation<'a>, program: Span) -> Self {
        Self { inv, acts: Vec::new(), base: Value::default(), program, env: Vec::new(), dry: false, depth: 0 }
    }

    pub(super) fn model(&self) -> Model {
        self.inv.world.model()
    }

    /// The program's own span, for what no argument names.
    pub(super) fn program_arg(&self, value: impl Into<Value>) -> Arg {
        Arg { value: value.into(), span: self.program }
    }

    /// Applies `row` to the arguments behind its name.
    fn row(&mut self, row: Row<'static>, args: &[Arg]) {
        if let Some(Token::Code(code)) = row.tokens().find(|t| matches!(t, Token::Code(_))) {
            match code {
                "curl" => return fetch::curl(self, row, args),
                "wget" => return fetch::wget(self, row, args),
                "find" => return find::find(self, args),
                "xargs" => return xargs::xargs(self, row, args),
                "parallel" => return xargs::parallel(self, row, args),
                "cmd" => return self.cmd(row, args),
                _ => return self.unknown(args),
            }
        }
        let parsed = parse(row, args);
        let pattern = row.tokens().find_map(|t| match t {
            Token::Operands { when, pattern } if parsed.holds(when) => Some(pattern),
            _ => None,
        });
        if pattern == Some("0") || is_help(row, &parsed) {
            self.dry = true;
        }
        for seen in &parsed.options {
            if let Some(arg) = &seen.arg {
                for role in roles(seen.role) {
                    self.role(row, &parsed, role, arg, &parsed.operands);
                }
            }
        }
        for stray in &parsed.strays {
            self.stray(stray);
        }
        self.operands(row, &parsed, pattern.unwrap_or(""));
        for token in row.tokens() {
            if let Token::Also { when, roles: text } = token
                && parsed.holds(when)
            {
                self.also(row, &parsed, text);
            }
        }
    }

    fn also(&mut self, row: Row<'static>, parsed: &Parsed<'_>, text: &str) {
        for role in roles(text) {
            let Some(option) = role.option else {
                let arg = self.program_arg(role.text.unwrap_or(""));
                self.role(row, parsed, Role { text: None, ..role }, &arg, &parsed.operands);
                continue;
            };
            for arg in parsed.args_of(option) {
                self.role(row, parsed, Role { option: None, ..role }, arg, &parsed.operands);
            }
        }
    }

    /// `cmd /c COMMAND`.
    fn cmd(&mut self, row: Row<'static>, args: &[Arg]) {
        let is_switch = |a: &Arg| matches!(a.value.prefix(), "/c" | "/C" | "/k" | "/K" | "//c" | "//C");
        if let Some(at) = args.iter().position(is_switch)
            && let Some((first, rest)) = args[at + 1..].split_first()
        {
            self.joined(row, first, rest);
        }
    }

    /// Words that a program joins with blanks and hands to a shell.
    fn joined(&mut self, row: Row<'static>, first: &Arg, rest: &[Arg]) {
        let mut text = first.value.clone();
        for more in rest {
            text.push_str(" ");
            text.append(more.value.clone());
        }
        self.shell(row, &Arg { value: text, span: first.span }, Vec::new());
    }

    /// Gives each operand its roles.
    fn operands(&mut self, row: Row<'static>, parsed: &Parsed<'_>, pattern: &str) {
        if pattern == "0" {
            return;
        }
        let plain: Vec<Arg>;
        let mut operands = parsed.operands.as_slice();
        if row.tokens().any(|t| matches!(t, Token::Key { .. })) {
            plain = operands.iter().filter(|arg| !self.key(row, parsed, arg)).cloned().collect();
            operands = &plain;
        }
        let all: Vec<Place<'_>> = places(pattern).collect();
        let star = all.iter().position(|p| p.star);
        let after = star.map_or(0, |s| all.len() - s - 1);
        let mut at = 0;
        for (i, place) in all.iter().enumerate() {
            if place.roles == "E" {
                at += self.assignments(&operands[at..]);
                continue;
            }
            let count = match star {
                Some(s) if i == s => operands.len().saturating_sub(at + after),
                _ => usize::from(at < operands.len()),
            };
            for _ in 0..count {
                let arg = &operands[at];
                at += 1;
                for role in roles(place.roles) {
                    if self.takes_rest(row, role, arg, &operands[at..]) {
                        return;
                    }
                    self.role(row, parsed, role, arg, &operands[..at - 1]);
                }
            }
        }
        // More operands than the row has places for: it does not know this form.
        for arg in &operands[at..] {
            self.stray(arg);
        }
    }

    /// `of=FILE`; true where the row lists the key.
    fn key(&mut self, row: Row<'static>, parsed: &Parsed<'_>, arg: &Arg) -> bool {
        let text = arg.value.prefix();
        let Some(at) = text.find('=') else { return false };
        let Some(role) = row.tokens().find_map(|t| match t {
            Token::Key { key, role } if key == &text[..at] => Some(role),
            _ => None,
        }) else {
            return false;
        };
        let value = Arg { value: arg.value.skip(at + 1), span: arg.span };
        for role in roles(role) {
            self.role(row, parsed, role, &value, &[]);
        }
        true
    }

    /// Takes the `NAME=value` at the start; how many there were.
    fn assignments(&mut self, operands: &[Arg]) -> usize {
        let mut count = 0;
        for arg in operands {
            let text = arg.value.prefix();
            let Some((name, _)) = text.split_once('=') else { break };
            if name.is_empty() {
                break;
            }
            self.env.push((name.to_owned(), arg.value.skip(name.len() + 1)));
            count += 1;
        }
        count
    }

    /// Roles that swallow everything behind them; false where `role` is none of these.
    fn takes_rest(&mut self, row: Row<'static>, role: Role<'_>, arg: &Arg, rest: &[Arg]) -> bool {
        match role.letter {
            // `flock FILE -c TEXT`, `sg GROUP -c TEXT`.
            'R' if arg.value.known().is_some_and(|v| v == "-c") => match rest.first() {
                Some(text) => self.shell(row, text, Vec::new()),
                None => return false,
            },
            'R' => {
                let mut argv = vec![arg.clone()];
                argv.extend_from_slice(rest);
                self.run(argv, false, None);
            }
            'J' => self.joined(row, arg, rest),
            's' => self.shell(row, arg, rest.to_vec()),
            'k' if row.lang() != Some("awk") && row.lang() != Some("sed") => self.code(row, arg, rest.to_vec()),
            'f' if is_dash(arg) => self.code_stdin(row, rest.to_vec()),
            '/' => return self.sub_command(row, arg, rest),
            _ => return false,
        }
        true
    }

    /// Follows a sub-command; false where there is no row for it.
    fn sub_command(&mut self, row: Row<'static>, arg: &Arg, rest: &[Arg]) -> bool {
        let Some(name) = arg.value.known() else { return false };
        if self.depth == MAX_SUB {
            return false;
        }
        let Some(sub) = table::find(&format!("{}/{name}", row.name)) else { return false };
        self.depth += 1;
        self.row(sub, rest);
        true
    }

    /// One role on one argument. `sources` are the operands before it.
    fn role(&mut self, row: Row<'static>, parsed: &Parsed<'_>, role: Role<'_>, arg: &Arg, sources: &[Arg]) {
        let suffix = parameter(parsed, role);
        let model = self.model();
        match role.letter {
            'r' | 'f' => self.path(EffectKind::Read, arg),
            'c' | 'd' => self.path(EffectKind::Create, arg),
            'm' => self.path(EffectKind::Modify, arg),
            'x' => self.path(EffectKind::Delete, arg),
            'j' => self.inside(arg, Certainty::Assumed),
            '?' => self.stray(arg),
            'V' if arg.value.prefix().contains('=') => self.stray(arg),
            'T' => self.mention(arg),
            'w' => {
                self.path(EffectKind::Read, arg);
                self.base = join(model, &self.base, &arg.value);
            }
            'D' | 'C' | 'N' | 'Y' | 'I' if row.has("remote") && is_remote(model, &arg.value) => self.mention(arg),
            'D' | 'C' | 'N' | 'Y' => self.destination(role.letter, arg, sources),
            'i' | 'I' => self.inside(arg, Certainty::Proven),
            't' => self.fill_folder(arg, sources, parsed.has("-r") || parsed.has("-a")),
            'l' => match base_name(model, &arg.value) {
                Some(value) => self.path(EffectKind::Create, &Arg { value, span: arg.span }),
                None => self.inside(&Arg { value: Value::text("."), span: arg.span }, Certainty::Proven),
            },
            'U' => match url_name(&arg.value, &suffix) {
                Some(value) => self.path(EffectKind::Create, &Arg { value, span: arg.span }),
                None => self.inside(&Arg { value: Value::text("."), span: arg.span }, Certainty::Proven),
            },
            'b' if suffix.is_empty() => {}
            'b' => {
                let mut value = arg.value.clone();
                value.push_str(&suffix);
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
            // A default extension: `zip x` makes x.zip.
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
            'P' => self.acts.push(Act::Path {
                kind: EffectKind::Create,
                value: Value::any(),
                certainty: Certainty::Proven,
                span: arg.span,
                package_install: true,
            }),
            's' | 'z' => self.shell(row, arg, Vec::new()),
            'J' => self.joined(row, arg, &parsed.operands),
            'X' => self.for_found(arg, &parsed.operands[parsed.tail..]),
            'S' => self.acts.push(Act::ShellStdin { dialect: dialect(row) }),
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

    /// `fd … -x COMMAND`: started with paths below the cwd.
    fn for_found(&mut self, program: &Arg, rest: &[Arg]) {
        let found = Value::under(self.inv.cwd);
        let named = rest.iter().any(|a| a.value.prefix().contains('{'));
        let mut argv = vec![program.clone()];
        argv.extend(rest.iter().map(|a| Arg { value: find::replace(&a.value, "{}", &found), span: a.span }));
        if !named {
            argv.push(Arg { value: found, span: program.span });
        }
        self.run(argv, false, None);
    }

    /// An effect on a path, relative to the folder that was changed to.
    pub(super) fn path(&mut self, kind: EffectKind, arg: &Arg) {
        if is_dash(arg) || arg.value.is_empty() {
            return;
        }
        let kind = match kind {
            EffectKind::Read | EffectKind::Mention => kind,
            _ if self.dry => EffectKind::Read,
            EffectKind::Create if is_existing(&arg.value) => EffectKind::Modify,
            kind => kind,
        };
        let value = join(self.model(), &self.base, &arg.value);
        self.acts.push(Act::Path { kind, value, certainty: Certainty::Proven, span: arg.span, package_install: false });
    }

    /// Entries with unknown names in a folder.
    pub(super) fn inside(&mut self, arg: &Arg, certainty: Certainty) {
        if self.dry {
            return self.path(EffectKind::Read, arg);
        }
        let value = join(self.model(), &self.base, &arg.value);
        self.acts.push(Act::Inside { value, certainty, span: arg.span });
    }

    fn mention(&mut self, arg: &Arg) {
        self.path(EffectKind::Mention, arg);
    }

    /// An argument that no row explains.
    pub(super) fn stray(&mut self, arg: &Arg) {
        self.unknown(std::slice::from_ref(arg));
    }

    /// The arguments of something unknown.
    pub(super) fn unknown(&mut self, args: &[Arg]) {
        let (model, base, dry) = (self.model(), self.base.clone(), self.dry);
        let acts = &mut self.acts;
        unknown::acts(self.inv.world, args, &mut |value, kind, arg| {
            let kind = if dry { EffectKind::Read } else { kind };
            acts.push(unknown::act(join(model, &base, &value), kind, arg));
        });
    }

    /// Starts another program.
    pub(super) fn run(&mut self, argv: Vec<Arg>, more_from_stdin: bool, stdin_placeholder: Option<String>) {
        let cwd = (!self.base.is_empty()).then(|| self.base.clone());
        let env = std::mem::take(&mut self.env);
        self.acts.push(Act::Run { argv, cwd, env, more_from_stdin, stdin_placeholder });
    }

    fn shell(&mut self, row: Row<'_>, text: &Arg, args: Vec<Arg>) {
        let cwd = (!self.base.is_empty()).then(|| self.base.clone());
        let text_value = text.value.clone();
        self.acts.push(Act::Shell { text: text_value, dialect: dialect(row), args, span: text.span, cwd });
    }

    fn code(&mut self, row: Row<'_>, text: &Arg, args: Vec<Arg>) {
        if let Some(language) = language(row) {
            self.acts.push(Act::Code { language, text: text.value.clone(), args, span: text.span });
        }
    }

    fn code_stdin(&mut self, row: Row<'_>, args: Vec<Arg>) {
        match language(row) {
            Some(language) => self.acts.push(Act::CodeStdin { language, args }),
            None => self.acts.push(Act::ShellStdin { dialect: dialect(row) }),
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

/// `-`: standard input or output.
fn is_dash(arg: &Arg) -> bool {
    arg.value.known().is_some_and(|v| v == "-")
}

/// `--help` and `--version` do nothing else, where the row's program reads its options like GNU's.
fn is_help(row: Row<'_>, parsed: &Parsed<'_>) -> bool {
    !row.has("whole") && (parsed.has("--help") || parsed.has("--version"))
}

fn dialect(row: Row<'_>) -> Dialect {
    match row.lang() {
        Some("powershell") => Dialect::PowerShell,
        Some("cmd") => Dialect::Cmd,
        _ => Dialect::Bash,
    }
}

fn language(row: Row<'_>) -> Option<Language> {
    Some(match row.lang()? {
        "python" => Language::Python,
        "node" => Language::Node,
        "perl" => Language::Perl,
        "ruby" => Language::Ruby,
        "php" => Language::Php,
        "awk" => Language::Awk,
        "sed" => Language::Sed,
        _ => return None,
    })
}

/// The text that a role's parameter stands for.
fn parameter(parsed: &Parsed<'_>, role: Role<'_>) -> String {
    match (role.text, role.option) {
        (Some(text), _) => text.to_owned(),
        (None, Some(option)) => {
            parsed.args_of(option).last().and_then(|a| a.value.known()).unwrap_or_default().into_owned()
        }
        (None, None) => String::new(),
    }
}
