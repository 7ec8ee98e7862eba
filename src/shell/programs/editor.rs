//! Commands that editors and debuggers are given on their command line or on standard input.

use super::act::{Act, Arg, Language};
use super::job::Job;
use crate::limits::MAX_CALL_READS;
use crate::shell::{Certainty, EffectKind, Piece, Value};
use crate::world::EntryKind;

/// Commands of editors that write a file.
const WRITES: [&str; 13] =
    ["w", "W", "write", "wq", "x", "xit", "sav", "saveas", "up", "update", "redir", "mkvimrc", "mksession"];

/// Words that may stand before an editor's command and change nothing of what it writes.
const MODIFIERS: [&str; 11] = [
    "sil",
    "silent",
    "noautocmd",
    "noa",
    "keepalt",
    "keepjumps",
    "keepmarks",
    "lockmarks",
    "unsilent",
    "exe",
    "execute",
];

/// Functions of Vim that change the disk: the argument and what becomes of it.
const FUNCTIONS: [(&str, usize, Option<EffectKind>); 8] = [
    ("writefile(", 1, Some(EffectKind::Create)),
    ("mkdir(", 0, Some(EffectKind::Create)),
    ("delete(", 0, Some(EffectKind::Delete)),
    ("rename(", 0, Some(EffectKind::Delete)),
    ("rename(", 1, Some(EffectKind::Create)),
    ("filecopy(", 1, Some(EffectKind::Create)),
    ("system(", 0, None),
    ("systemlist(", 0, None),
];

/// Verbs of debuggers that write the file behind them.
const DUMPS: [&str; 9] = [
    "gcore ",
    "generate-core-file ",
    "save breakpoints ",
    "save gdb-index ",
    "set logging file ",
    "dump memory ",
    "dump binary memory ",
    "tsave ",
    "process save-core ",
];

impl Job<'_> {
    /// `:w FILE`, `:saveas FILE`, `:!COMMAND`, `:call writefile(…)` in an editor's `-c` or on a line of its script;
    /// `|` stands between two of them.
    pub(super) fn editor_command(&mut self, arg: &Arg) {
        if self.one_editor_command(arg) {
            return;
        }
        for value in commands(&arg.value).into_iter().skip(1) {
            if self.one_editor_command(&Arg { value, span: arg.span }) {
                return;
            }
        }
    }

    /// True where all that follows belongs to a shell.
    fn one_editor_command(&mut self, arg: &Arg) -> bool {
        let whole = arg.value.prefix();
        // An address may stand in front.
        let mut line = whole.trim_start_matches(|c: char| c.is_ascii_digit() || ": \t%$.,;".contains(c));
        while let Some((word, rest)) = line.split_once([' ', '\t'])
            && MODIFIERS.contains(&word.trim_end_matches('!'))
        {
            line = rest.trim_start();
            let quoted = line.strip_prefix(['\'', '"']).filter(|_| word.starts_with("exe"));
            line = quoted.unwrap_or(line).trim_start_matches(':');
        }
        let begins = whole.len() - line.len();
        if let Some(command) = line.strip_prefix('!') {
            self.editors_shell(arg, whole.len() - command.len());
            return true;
        }
        self.functions(split_outside(line, '|').first().unwrap_or(&line), arg);
        let Some((verb, rest)) = line.split_once(' ') else { return false };
        if let Some(command) = rest.trim_start().strip_prefix('!') {
            if matches!(verb, "w" | "r" | "e" | "read" | "write") {
                self.editors_shell(arg, whole.len() - command.len());
                return true;
            }
            return false;
        }
        if matches!(verb, "set" | "se" | "setlocal" | "let") {
            self.kept_by_editor(rest, arg);
        }
        if !WRITES.contains(&verb.trim_end_matches('!')) {
            return false;
        }
        let after = begins + verb.len() + 1;
        let skip = whole[after..].len() - whole[after..].trim_start_matches(['>', ' ']).len();
        let value = commands(&arg.value.skip(after + skip)).into_iter().next().unwrap_or_default();
        let value = match value.known() {
            Some(path) => Value::text(self.expanded(path.trim_end().trim_end_matches(['\'', '"']))),
            None => value,
        };
        self.path(EffectKind::Create, &Arg { value, span: arg.span });
        false
    }

    /// What functions in one of Vim's commands make of paths in quotes.
    fn functions(&mut self, line: &str, arg: &Arg) {
        for (name, place, kind) in FUNCTIONS {
            let mut budget = line.len() * MAX_CALL_READS;
            for (at, _) in line.match_indices(name) {
                if line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
                    continue;
                }
                let inside = &line[at + name.len()..];
                let (given, read) = argument(inside, place);
                let Some(left) = budget.checked_sub(read) else {
                    self.path(EffectKind::Opaque, &Arg { value: Value::any(), span: arg.span });
                    return;
                };
                budget = left;
                let Some(given) = given else { continue };
                let bare = given.trim();
                let bare = bare.strip_prefix("expand(").and_then(|b| b.strip_suffix(')')).unwrap_or(bare);
                let Some(text) = unquoted(bare) else { continue };
                match kind {
                    Some(kind) => {
                        let value = Value::text(self.expanded(text));
                        self.path(kind, &Arg { value, span: arg.span });
                    }
                    None => self.editors_shell(&Arg { value: Value::text(text), span: arg.span }, 0),
                }
            }
        }
    }

    /// `set backupdir=DIR`: what is written is kept there first.
    fn kept_by_editor(&mut self, settings: &str, arg: &Arg) {
        for setting in settings.split_whitespace() {
            let Some((name, list)) = setting.split_once('=') else { continue };
            let name = name.trim_start_matches('&').trim_end_matches(['+', '^']);
            if !matches!(name, "backupdir" | "bdir" | "undodir" | "udir") {
                continue;
            }
            for folder in list.trim_matches(['\'', '"']).split(',') {
                let value = Value::text(self.expanded(folder.trim_end_matches('/')));
                let place = Arg { value, span: arg.span };
                if self.entry(&place, true) == Some(EntryKind::Dir) {
                    self.inside(&place, Certainty::Assumed);
                }
            }
        }
    }

    /// `shell COMMAND`, `!COMMAND`, `python CODE`, `gcore FILE` of a debugger.
    pub(super) fn debugger_command(&mut self, arg: &Arg) {
        let text = arg.value.prefix();
        let line = text.trim_start();
        let begins = text.len() - line.len();
        if let Some(command) = line.strip_prefix('!') {
            return self.editors_shell(arg, text.len() - command.len());
        }
        for verb in ["shell ", "platform shell ", "make ", "python ", "py ", "script ", "pipe ", "| "] {
            let Some(rest) = line.strip_prefix(verb) else { continue };
            let at = begins + verb.len();
            match verb {
                "shell " => self.editors_shell(arg, at),
                // `platform shell -h -- COMMAND`
                "platform shell " => self.editors_shell(arg, rest.find("-- ").map_or(at, |skip| at + skip + 3)),
                "make " => self.editors_shell(arg, begins),
                // The debugger's own command, then the shell's.
                "pipe " | "| " => {
                    if let Some(skip) = rest.find('|') {
                        self.editors_shell(arg, at + skip + 1);
                    }
                }
                _ => {
                    let (language, text) = (Language::Python, arg.value.skip(at));
                    self.acts.push(Act::Code { language, text, args: Vec::new(), span: arg.span });
                }
            }
            return;
        }
        if let Some(file) = DUMPS.iter().find_map(|verb| line.strip_prefix(verb)) {
            let file = file.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
            self.path(EffectKind::Create, &Arg { value: Value::text(file), span: arg.span });
        }
    }
}

/// The commands of a line that may be known in part. Whatever is unknown stays where it stands.
fn commands(line: &Value) -> Vec<Value> {
    const HOLE: char = '\u{1}';
    let mut text = String::new();
    let mut holes = Vec::new();
    for piece in &line.pieces {
        match piece {
            Piece::Text(known) => text.push_str(&known.replace(HOLE, " ")),
            unknown => {
                text.push(HOLE);
                holes.push(unknown.clone());
            }
        }
    }
    let mut holes = holes.into_iter();
    let mut out = Vec::new();
    for command in split_outside(&text, '|') {
        let mut value = Value::default();
        for (at, known) in command.trim().split(HOLE).enumerate() {
            if let Some(hole) = (at > 0).then(|| holes.next()).flatten() {
                value.push(hole);
            }
            value.push_str(known);
        }
        out.push(value);
    }
    out
}

/// The parts of a text between marks that stand in no quotes. A quote that stays open is none.
fn split_outside(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut from, mut quote) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None if c == mark => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            Some(_) | None => {}
        }
    }
    if quote.is_some() {
        return text.split(mark).collect();
    }
    parts.push(&text[from..]);
    parts
}

/// The argument at `place` of a call from behind its `(` on, as it is spelled, and how far the text was read for it.
fn argument(text: &str, place: usize) -> (Option<&str>, usize) {
    let (mut before, mut from, mut quote, mut depth) = (0, 0, None, 0usize);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')') if depth == 0 => return ((before == place).then(|| &text[from..at]), at),
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 && before == place => return (Some(&text[from..at]), at),
            (None, ',') if depth == 0 => {
                before += 1;
                from = at + 1;
            }
            _ => {}
        }
    }
    ((before == place).then(|| &text[from..]), text.len())
}

/// The text in quotes, where nothing else stands there.
fn unquoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].strip_suffix(quote).filter(|inner| !inner.contains(quote))
}
