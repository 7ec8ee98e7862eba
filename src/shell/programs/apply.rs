//! A row applied to an invocation.

use std::borrow::Cow;

use super::act::{Act, Arg, Invocation};
use super::argv::{Parsed, Seen, parse};
use super::job::{Job, is_dash};
use super::row::{Place, Role, Row, Token, places, roles};
use super::values::{base_name, join, parent};
use super::{bwrap, fetch, find, pwsh, table, tmux, xargs};
use crate::shell::{Certainty, EffectKind, Piece, Value};
use crate::world::EntryKind;

/// How often a sub-command may lead to another row.
pub(super) const MAX_SUB: usize = 6;

/// Programs that read further arguments from a variable.
const ARGUMENTS: [(&str, &str); 3] = [("tar", "TAR_OPTIONS"), ("zip", "ZIPOPT"), ("unzip", "UNZIP")];

/// What the invocation would do, in the order in which its arguments say so.
pub fn acts(inv: &Invocation) -> Vec<Act> {
    let Some((program, args)) = inv.argv.split_first() else { return Vec::new() };
    let mut job = Job::new(inv, program.span);
    // Of `$TOOLS/bin/mkdir` the name is known, though the folder is not.
    let known = program.value.known();
    let name = match &known {
        Some(name) => Some(Cow::Borrowed(name.as_ref())),
        None => base_name(inv.world.model(), &program.value).and_then(|n| Some(Cow::Owned(n.known()?.into_owned()))),
    };
    if let Some(row) = name.as_deref().and_then(table::find_program) {
        job.row(row, args);
    } else {
        // Not even the name is known, or it is a file of somebody's own.
        if known.is_none_or(|name| name.contains(['/', '\\'])) {
            job.path(EffectKind::Opaque, program);
        }
        job.unknown(args);
    }
    job.acts
}

impl Job<'_> {
    /// Applies `row` to the arguments behind its name.
    pub(super) fn row(&mut self, row: Row<'static>, args: &[Arg]) {
        if let Some(Token::Code(code)) = row.tokens().find(|t| matches!(t, Token::Code(_))) {
            match code {
                "bwrap" => return bwrap::bwrap(self, args),
                "curl" => return fetch::curl(self, row, args),
                "wget" => return fetch::wget(self, row, args),
                "find" => return find::find(self, args),
                "xargs" => return xargs::xargs(self, row, args),
                "parallel" => return xargs::parallel(self, row, args),
                "cmd" => return self.cmd(row, args),
                "tmux" if tmux::sequence(self, args) => return,
                "tmux" => {}
                "pwsh" => return pwsh::pwsh(self, row, row.name, args),
                _ => return self.unknown(args),
            }
        }
        let with_more: Vec<Arg>;
        let args = match self.further_arguments(row) {
            more if more.is_empty() => args,
            more => {
                with_more = args.iter().cloned().chain(more).collect();
                &with_more
            }
        };
        let mut parsed = parse(row, args);
        self.variables(row, &mut parsed);
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
        let followed = self.followed;
        self.operands(row, &parsed, pattern.unwrap_or(""));
        // A sub-command with a row of its own says itself what it does.
        let own = self.followed > followed;
        for token in row.tokens() {
            if let Token::Also { when, roles: text } = token
                && parsed.holds(when)
                && !(own && when.is_empty())
            {
                self.also(row, &parsed, text);
            }
        }
        let asked = || {
            ["-b", "--backup", "--backup-dir"].iter().any(|name| parsed.has(name))
                || parsed.args_of("-S").next().is_some()
        };
        if row.has("backup") && asked() {
            self.backups(&parsed);
        }
        if row.has("inplace") && parsed.holds("-i@inplace") {
            self.kept_in_place(&parsed);
        }
    }

    /// `cp -b`: what stands where a file is written is kept beside it.
    fn backups(&mut self, parsed: &Parsed<'_>) {
        let simple = !parsed
            .args_of("--backup")
            .any(|kind| !matches!(&*kind.value.known().unwrap_or_default(), "simple" | "never"));
        if parsed.args_of("--backup").any(|kind| matches!(kind.value.known().as_deref(), Some("none" | "off"))) {
            return;
        }
        if let Some(dir) = parsed.args_of("--backup-dir").last() {
            return self.kept_in_folder(dir);
        }
        let suffix = match parsed.args_of("-S").chain(parsed.args_of("--suffix")).last() {
            Some(given) => given.value.clone(),
            None => Value::text("~"),
        };
        let mut kept = Vec::new();
        for act in &self.acts {
            if let Act::Path { kind: EffectKind::Create, value, span, .. } = act {
                let arg = Arg { value: value.clone(), span: *span };
                if self.entry(&arg, false).is_some_and(|e| e != EntryKind::Dir) {
                    kept.push(arg);
                }
            }
        }
        for mut arg in kept {
            if simple {
                arg.value.append(suffix.clone());
            } else {
                arg.value.push(Piece::Name);
            }
            self.path(EffectKind::Create, &arg);
        }
    }

    /// `rsync --backup-dir=DIR`, which is relative to the destination.
    fn kept_in_folder(&mut self, dir: &Arg) {
        let model = self.model();
        let folders = self.acts.iter().filter_map(|act| match act {
            Act::Inside { value, .. } => Some(value.clone()),
            Act::Path { kind: EffectKind::Create, value, .. } => {
                Some(parent(model, value).unwrap_or_else(|| Value::text(".")))
            }
            _ => None,
        });
        let kept: Vec<Value> = folders.map(|folder| join(model, &folder, &dir.value)).collect();
        for value in kept {
            self.inside(&Arg { value, span: dir.span }, Certainty::Proven);
        }
    }

    /// `gawk -i inplace -v inplace::suffix=.bak`: the files are kept under that name.
    fn kept_in_place(&mut self, parsed: &Parsed<'_>) {
        let suffix = parsed.args_of("-v").find_map(|arg| {
            let (name, suffix) = arg.value.prefix().split_once('=')?;
            matches!(name, "inplace::suffix" | "INPLACE_SUFFIX").then(|| suffix.to_owned())
        });
        let Some(suffix) = suffix.filter(|s| !s.is_empty()) else { return };
        let files = parsed.operands.iter().skip(usize::from(!parsed.has("-f")));
        for file in files.filter(|f| self.entry(f, true).is_some()).cloned().collect::<Vec<_>>() {
            let mut value = file.value;
            value.push_str(&suffix);
            self.path(EffectKind::Create, &Arg { value, span: file.span });
        }
    }

    /// Arguments that a program takes from a variable which the command sets.
    fn further_arguments(&self, row: Row<'_>) -> Vec<Arg> {
        let Some((_, variable)) = ARGUMENTS.iter().find(|(name, _)| *name == row.name) else { return Vec::new() };
        let Some(text) = (self.inv.assigned)(variable) else { return Vec::new() };
        let text = text.known().unwrap_or_default();
        text.split_whitespace().map(|word| self.program_arg(word)).collect()
    }

    fn also(&mut self, row: Row<'static>, parsed: &Parsed<'_>, text: &str) {
        for role in roles(text) {
            let Some(option) = role.option else {
                let arg = self.literal(role.text.unwrap_or(""));
                self.role(row, parsed, Role { text: None, ..role }, &arg, &parsed.operands);
                continue;
            };
            for arg in parsed.args_of(option) {
                self.role(row, parsed, Role { option: None, ..role }, arg, &parsed.operands);
            }
        }
    }

    /// Variables that the row asks for count as options that were given.
    fn variables<'r>(&self, row: Row<'r>, parsed: &mut Parsed<'r>) {
        for token in row.tokens() {
            if let Token::Option { names, role } = token
                && let Some(name) = names.strip_prefix('$')
                && let Some(value) = (self.inv.assigned)(name).filter(|v| !v.is_empty())
            {
                parsed.options.push(Seen { name: names, role, arg: Some(self.program_arg(value)) });
            }
        }
    }

    /// A literal of a row; `$USER` at its end is the environment's, `*` any name.
    fn literal(&self, text: &str) -> Arg {
        if let Some(path) = text.strip_suffix('*') {
            let mut value = Value::text(path);
            value.push(Piece::Name);
            return self.program_arg(value);
        }
        let Some((path, name)) = text.split_once('$') else { return self.program_arg(text) };
        let mut value = Value::text(path);
        match self.inv.world.env(name) {
            Some(known) => value.push_str(&known),
            None => value.push(Piece::Name),
        }
        self.program_arg(value)
    }

    /// `cmd /c COMMAND`.
    fn cmd(&mut self, row: Row<'static>, args: &[Arg]) {
        let is_switch = |a: &Arg| matches!(a.value.prefix(), "/c" | "/C" | "/k" | "/K" | "//c" | "//C");
        if let Some(at) = args.iter().position(is_switch)
            && let Some((first, rest)) = args[at + 1..].split_first()
        {
            let delayed = |a: &Arg| matches!(a.value.prefix().trim_start_matches('/').get(..1), Some("v" | "V"));
            let mut text = Value::default();
            if args[..at].iter().any(|a| delayed(a) && !a.value.prefix().to_ascii_lowercase().ends_with("off")) {
                // What `/v:on` switches on.
                text.push_str("setlocal enabledelayedexpansion & ");
            }
            if rest.is_empty() {
                text.append(without_quotes(&first.value));
            }
            for (i, word) in std::iter::once(first).chain(rest).enumerate().filter(|_| !rest.is_empty()) {
                text.push_str(if i > 0 { " " } else { "" });
                // Whoever starts a Windows program puts quotes around words with blanks.
                let blanks = word.value.pieces.iter().any(|p| matches!(p, Piece::Text(t) if t.contains([' ', '\t'])));
                let quote = if blanks && !word.value.prefix().starts_with('"') { "\"" } else { "" };
                text.push_str(quote);
                text.append(word.value.clone());
                text.push_str(quote);
            }
            self.shell(row, &Arg { value: text, span: first.span }, Vec::new());
        }
    }

    /// Words that a program joins with blanks and hands to a shell.
    pub(super) fn joined(&mut self, row: Row<'static>, first: &Arg, rest: &[Arg]) {
        let mut text = first.value.clone();
        for more in rest {
            text.push_str(" ");
            text.append(more.value.clone());
        }
        self.shell(row, &Arg { value: text, span: first.span }, Vec::new());
    }

    /// Gives each operand its roles.
    pub(super) fn operands(&mut self, row: Row<'static>, parsed: &Parsed<'_>, pattern: &str) {
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
                if row.has("fresh") {
                    self.leave_environment();
                }
                let mut argv = vec![arg.clone()];
                argv.extend_from_slice(rest);
                self.run(argv, None, None);
            }
            'J' => self.joined(row, arg, rest),
            'Z' => tmux::typed(self, arg, rest),
            's' => self.shell(row, arg, rest.to_vec()),
            'k' if row.lang() != Some("awk") && row.lang() != Some("sed") => self.code(row, arg, rest.to_vec()),
            'f' if is_dash(arg) => {
                let own = if row.lang() == Some("node") { std::slice::from_ref(arg) } else { &[] };
                self.code_stdin(row, own.iter().chain(rest).cloned().collect());
            }
            '/' => return self.sub_command(row, arg, rest),
            _ => return false,
        }
        true
    }

    /// Follows a sub-command; false where there is no row for it.
    pub(super) fn sub_command(&mut self, row: Row<'static>, arg: &Arg, rest: &[Arg]) -> bool {
        let Some(mut name) = arg.value.known() else { return false };
        if row.has("slash") {
            name.to_mut().make_ascii_lowercase();
        }
        if self.depth == MAX_SUB {
            return false;
        }
        let Some(sub) = table::find(&format!("{}/{name}", row.name)) else {
            return row.name == "git" && self.git_alias(&name, rest);
        };
        self.depth += 1;
        self.followed += 1;
        self.row(sub, rest);
        true
    }
}

/// `--help` and `--version` do nothing else, where the row's program reads its options like GNU's and does not
/// take an argument with them.
fn is_help(row: Row<'_>, parsed: &Parsed<'_>) -> bool {
    let asks = |o: &Seen<'_>| o.arg.is_none() && matches!(o.name, "--help" | "--version");
    !row.has("whole") && parsed.options.iter().any(asks)
}

/// What cmd.exe makes of quotes around the whole text of `/c`.
fn without_quotes(value: &Value) -> Value {
    let Some(text) = value.known() else { return value.clone() };
    match text.trim().strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(inner) if inner.contains(['"', '&', '|', '<', '>']) || !inner.contains(".exe") => Value::text(inner),
        _ => value.clone(),
    }
}
