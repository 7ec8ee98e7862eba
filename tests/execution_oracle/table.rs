//! The commands, as text: `table/*.txt`.
//!
//! One command a line. Lines between `<<<<` and `>>>>` are one command. A line that begins with `#` is a comment,
//! and `@name value` says something of the next command:
//!
//! - `@needs PROGRAM…`: it is skipped (and named) where one of them is not installed (`jail`: where there is none);
//! - `@setup COMMAND`: run by bash first; what it makes counts as there before;
//! - `@shell NAME`: the shell that runs it, `bash` unless said;
//! - `@cwd DIR`: where it starts, `PROJECT` unless said;
//! - `@exit any`: it may fail; all others must end with 0, so that no command is there that does nothing;
//! - `@state PATH`: state that a program keeps there by itself, which nobody named;
//! - `@missed REASON`, `@overjudged REASON`, `@latent REASON`, `@loose REASON`: a disagreement that is known, and why.
//!   Each must still be one.
//!
//! `== TITLE` begins a part, whose title is shown with its commands; `== TITLE needs PROGRAM…` is as if each of them
//! had that line. `ROOT`, `PROJECT`, `HOME`, `OUT`, `SCRATCH` and `TMP` behind a `%` stand for absolute paths.

/// Programs that a machine may lack: a command that names one needs it, without saying so.
const OPTIONAL: &str = " 7z ar as busybox bzip2 cargo cc cmake column cpio cpp curl dos2unix ed ex gawk gcc gpg jar javac jq ld make \
    ninja nm node npm objcopy openssl parallel patch perl php python3 rsync ruby rustc sponge sqlite3 ssh ssh-keygen strace \
    strings strip tmux tree unxz unzip vim watch wget xxd xz zip zsh zstd ";

/// One command with what is known of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// File and line of the table.
    pub(crate) at: String,
    /// The command, paths not yet filled in.
    pub(crate) command: String,
    pub(crate) needs: Vec<String>,
    pub(crate) setup: Vec<String>,
    pub(crate) shell: Option<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) may_fail: bool,
    /// Relative to the root.
    pub(crate) state: Vec<String>,
    /// Something is created that the engine does not say.
    pub(crate) missed: Option<String>,
    /// The engine says a creation outside that does not happen.
    pub(crate) overjudged: Option<String>,
    /// A path is named as created that does not exist afterwards (a dead branch).
    pub(crate) latent: Option<String>,
    /// Changes and removals are not what the engine says.
    pub(crate) loose: Option<String>,
}

/// Every command of one table file.
///
/// # Panics
/// On a line that says nothing known.
pub(crate) fn parse(file: &str, text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut part_needs = Vec::new();
    let mut next = Entry::default();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let at = format!("{file}:{}", number + 1);
        if line.trim().is_empty() || line.starts_with("# ") {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            part_needs = title.split_once(" needs ").map_or_else(Vec::new, |(_, list)| words(list));
        } else if let Some(said) = line.strip_prefix('@') {
            next.attribute(&at, said);
        } else {
            next.command = if line == "<<<<" {
                let body: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != ">>>>").collect();
                body.join("\n")
            } else {
                line.to_owned()
            };
            next.needs.extend(part_needs.iter().cloned());
            next.needs.extend(optional(&next.command));
            next.at = at;
            entries.push(std::mem::take(&mut next));
        }
    }
    entries
}

/// The optional programs that a command names.
fn optional(command: &str) -> impl Iterator<Item = String> {
    let words = command.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'));
    words.filter(|word| !word.is_empty() && OPTIONAL.contains(&format!(" {word} "))).map(str::to_owned)
}

fn words(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

impl Entry {
    fn attribute(&mut self, at: &str, said: &str) {
        let (name, value) = said.split_once(' ').unwrap_or((said, ""));
        assert!(!value.trim().is_empty(), "{at}: @{name} says nothing");
        let text = value.to_owned();
        match name {
            "needs" => self.needs.extend(words(value)),
            "setup" => self.setup.push(text),
            "shell" => self.shell = Some(text),
            "cwd" => self.cwd = Some(text),
            "exit" => self.may_fail = value == "any",
            "state" => self.state.push(text),
            "missed" => self.missed = Some(text),
            "overjudged" => self.overjudged = Some(text),
            "latent" => self.latent = Some(text),
            "loose" => self.loose = Some(text),
            _ => panic!("{at}: @{name} is not known"),
        }
    }
}
