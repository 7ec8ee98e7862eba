//! Text that a program is given as commands in a small language of its own: editors, database shells, file transfer.

use super::act::{Act, Arg};
use super::job::Job;
use super::values::join;
use crate::limits::{MAX_SOURCED_BYTES, MAX_SQL_FILES};
use crate::shell::patch::patched_files;
use crate::shell::{Certainty, Dialect, EffectKind, Value};
use crate::world::EntryKind;

impl Job<'_> {
    /// Commands that come from standard input, where it is known: `ed`'s, a database shell's, `sftp`'s.
    pub(super) fn commands_on_stdin(&mut self, language: &str) {
        if self.dry {
            return;
        }
        let value = (self.inv.input)();
        if language == "patch" {
            return self.patch(&self.program_arg(value));
        }
        let Some(text) = value.known().filter(|t| !t.is_empty()) else { return };
        match language {
            "ed" => {
                for line in text.lines() {
                    self.editor_command(&self.program_arg(line));
                }
            }
            "text" => self.quoted_paths(&self.program_arg(text.as_ref())),
            "words" => self.spelled_paths(&self.program_arg(text.as_ref())),
            "sql" => self.sql(&self.program_arg(text.as_ref())),
            _ => self.transfers(&self.program_arg(text.as_ref())),
        }
    }

    /// What the files that a patch in the form of `apply_patch` names become; anything, where it can't be read.
    pub(super) fn patch(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known() else {
            return self.path(EffectKind::Create, &Arg { value: Value::any(), span: arg.span });
        };
        // What is no patch is refused by the program itself.
        for file in patched_files(&text).unwrap_or_default() {
            self.path(EffectKind::Create, &Arg { value: Value::text(file), span: arg.span });
        }
    }

    pub(super) fn editors_shell(&mut self, arg: &Arg, at: usize) {
        let (text, span) = (arg.value.skip(at), arg.span);
        let cwd = (!self.base.is_empty()).then(|| self.base.clone());
        self.acts.push(Act::Shell { text, dialect: Dialect::Bash, args: Vec::new(), span, cwd });
    }

    /// `~/x`, `$HOME/x`, `${HOME}/x` as an editor or a database shell reads them.
    pub(super) fn expanded(&self, path: &str) -> String {
        let world = self.inv.world;
        if let Some(rest) = path.strip_prefix("~/")
            && let Some(home) = world.home()
        {
            return format!("{home}/{rest}");
        }
        if let Some(rest) = path.strip_prefix('$') {
            let bare = rest.trim_start_matches('{');
            let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(bare.len());
            if let Some(value) = world.env(&bare[..end]) {
                return format!("{value}{}", bare[end..].trim_start_matches('}'));
            }
        }
        path.to_owned()
    }

    /// What a database shell's text writes: `.output FILE`, `\o FILE`, `ATTACH 'FILE'`, `VACUUM INTO 'FILE'`,
    /// `COPY … TO 'FILE'`; and a plotter's: `set output 'FILE'`.
    pub(super) fn sql(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known() else { return };
        for line in text.lines().map(str::trim) {
            let mut words = line.split_whitespace().filter(|w| !w.starts_with("--"));
            let Some(verb) = words.next() else { continue };
            let file = match verb {
                ".output" | ".once" | ".log" | ".trace" | "\\o" | "\\out" | "\\w" | "\\write" => words.next(),
                ".open" => words.find(|w| !w.starts_with("--")).filter(|w| *w != ":memory:"),
                ".cd" => {
                    if let Some(folder) = words.next() {
                        self.change_folder(&Value::text(self.expanded(folder.trim_matches(['\'', '"']))));
                    }
                    None
                }
                ".read" => {
                    if let Some(file) = words.next() {
                        let value = Value::text(self.expanded(file.trim_matches(['\'', '"'])));
                        self.sql_file(&Arg { value, span: arg.span });
                    }
                    None
                }
                // `.backup ?DB? FILE`
                ".backup" | ".save" | ".clone" => words.next_back(),
                ".shell" | ".system" | "\\!" => {
                    let at = line.find(verb).map_or(0, |at| at + verb.len());
                    self.editors_shell(&self.program_arg(&line[at..]), 0);
                    None
                }
                _ => None,
            };
            if let Some(file) = file.map(|f| f.trim_matches(['\'', '"'])).filter(|f| !f.starts_with('|')) {
                let value = Value::text(self.expanded(file));
                self.path(EffectKind::Create, &Arg { value, span: arg.span });
            }
        }
        let lower = text.to_ascii_lowercase();
        for verb in ["writefile(", "attach ", "into ", " to ", "set output ", "set out ", "set table ", "save "] {
            for (at, _) in lower.match_indices(verb) {
                let Some(rest) = text.get(at + verb.len()..).map(str::trim_start) else { continue };
                let rest = rest.strip_prefix("database ").or(rest.strip_prefix("DATABASE ")).unwrap_or(rest);
                let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) else { continue };
                if let Some(file) = rest[1..].split(quote).next() {
                    self.path(EffectKind::Create, &Arg { value: Value::text(file), span: arg.span });
                }
            }
        }
    }

    /// A file of a database shell's text, where it can be read.
    pub(super) fn sql_file(&mut self, arg: &Arg) {
        self.path(EffectKind::Read, arg);
        let at = join(self.model(), &self.base, &arg.value);
        let Some(path) = at.known().map(|path| self.model().join(self.inv.cwd, &path)) else { return };
        // One may name itself on every line; what it does depends on the folder that it is read in.
        let place = (path, self.base.clone());
        if self.sql_files.contains(&place) {
            return;
        }
        if self.sql_files.len() >= MAX_SQL_FILES {
            return self.path(EffectKind::Opaque, arg);
        }
        let text = self.inv.world.read_text(&place.0, MAX_SOURCED_BYTES);
        self.sql_files.push(place);
        if let Some(text) = text {
            self.sql(&Arg { value: Value::text(text), span: arg.span });
        }
    }

    /// Program text in a language that nobody here reads: where it speaks of writing at all, a path in quotes may be
    /// written, like an argument of a program that no row knows.
    pub(super) fn quoted_paths(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known().filter(|text| speaks_of_writing(text)) else { return };
        let mut rest = text.as_ref();
        while let Some(at) = rest.find(['\'', '"']) {
            let quote = rest[at..].chars().next().unwrap_or('"');
            let before = &text[..text.len() - rest.len() + at];
            rest = &rest[at + 1..];
            let Some(end) = rest.find(quote) else { return };
            if !is_only_measured(before, &rest[end + 1..]) {
                self.may_be_written(&rest[..end], arg);
            }
            rest = &rest[end + 1..];
        }
    }

    /// The same where words need no quotes (Tcl).
    fn spelled_paths(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known() else { return };
        for word in text.split(|c: char| c.is_whitespace() || "'\"[]{}();".contains(c)) {
            self.may_be_written(word, arg);
        }
    }

    fn may_be_written(&mut self, path: &str, arg: &Arg) {
        let path = self.expanded(path);
        if path.len() > 1 && super::unknown::starts_like_path(self.model(), &path) {
            self.stray(&Arg { value: Value::text(path), span: arg.span });
        }
    }

    /// `get REMOTE [LOCAL]`, `mirror REMOTE LOCAL`, `lcd FOLDER`, `!COMMAND` of a file transfer program.
    pub(super) fn transfers(&mut self, arg: &Arg) {
        let Some(text) = arg.value.known() else { return };
        let mut here = Value::text(".");
        for line in text.split(['\n', ';']).map(str::trim) {
            if let Some(command) = line.strip_prefix('!') {
                self.editors_shell(&self.program_arg(command), 0);
                continue;
            }
            let mut words = line.split_whitespace().map(|w| w.trim_matches(['\'', '"']));
            let verb = words.next().unwrap_or_default();
            let mut named: Option<&str> = None;
            let mut operands = Vec::new();
            while let Some(word) = words.next() {
                match word {
                    "-o" | "-O" => named = words.next(),
                    _ if word.starts_with('-') => {}
                    _ => operands.push(word),
                }
            }
            let model = self.model();
            let local = |path: &str| Arg { value: join(model, &here, &path.into()), span: arg.span };
            match verb {
                "lcd" => {
                    let folder = operands.first().map(|folder| local(folder));
                    here = folder.map_or(here, |folder| folder.value);
                }
                "get" | "recv" | "reget" | "get1" | "pget" | "mirror" => {
                    match named.or_else(|| operands.get(1).copied()) {
                        Some(path) => self.fill_or_make(&local(path)),
                        None => self.inside(&local("."), Certainty::Proven),
                    }
                }
                "mget" => self.inside(&local(named.unwrap_or(".")), Certainty::Proven),
                _ => {}
            }
        }
    }

    /// A file of this name, or one in the folder of this name.
    fn fill_or_make(&mut self, to: &Arg) {
        if self.entry(to, true) == Some(EntryKind::Dir) {
            self.inside(to, Certainty::Proven);
        } else {
            self.path(EffectKind::Create, to);
        }
    }
}

/// Whether a path in quotes is handed to a call that reads it, looks at it or works on its text (R, Lua, Julia).
fn is_only_measured(before: &str, after: &str) -> bool {
    const CALLS: &str = " print cat message stop warning nchar file.exists dir.exists basename dirname normalizePath \
        path.expand file.info file.size list.files list.dirs Sys.glob readLines readRDS read.csv read.table read_csv \
        scan source library require requireNamespace grepl grep sub gsub regexpr strsplit startsWith endsWith toupper \
        tolower substr substring identical is.character dofile loadfile loadstring tostring string.len string.find \
        string.match string.gmatch string.gsub string.sub string.upper string.lower string.rep os.getenv io.lines len \
        assert println isfile isdir ispath splitext splitpath joinpath include occursin replace ";
    const METHODS: &str = " len find match gmatch gsub sub upper lower rep byte reverse ";
    let named = |names: &str, name: &str| !name.is_empty() && names.contains(&format!(" {name} "));
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    if let Some(call) = before.trim_end().strip_suffix('(') {
        let name = call[call.trim_end_matches(is_part).len()..].trim_start_matches('.');
        if named(CALLS, name) {
            return true;
        }
        let method = after.trim_start().strip_prefix("):").unwrap_or_default();
        return name.is_empty() && named(METHODS, &method[..method.len() - method.trim_start_matches(is_part).len()]);
    }
    false
}

/// Whether a program text holds a mode, a word or a call that goes with making files.
fn speaks_of_writing(text: &str) -> bool {
    const WORDS: [&str; 12] =
        ["\"w", "'w", "\"a\"", "'a'", "write", "save", "sink", "mkdir", "create", "copy", "rename", "file="];
    WORDS.iter().any(|word| text.contains(word))
}
