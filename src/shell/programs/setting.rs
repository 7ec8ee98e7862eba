//! Settings that a program is given on its command line and whose values it runs.

use super::act::Arg;
use super::job::Job;
use super::row::Row;

/// git's settings whose values are commands, by their last part. Those with `!` before the value run whatever the
/// name is.
const COMMANDS: &str = " fsmonitor pager editor sshcommand external textconv clean smudge process cmd program driver \
                        askpass exec proxycommand localcommand knownhostscommand ";

impl Job<'_> {
    /// `-c KEY=VALUE`, `-o KEY=VALUE`, `-o 'KEY VALUE'`.
    pub(super) fn setting(&mut self, row: Row<'_>, arg: &Arg) {
        let text = arg.value.prefix();
        let Some((key, value)) = text.split_once(['=', ' ']) else { return };
        // What an alias runs gets what follows its name; without being named it runs nothing.
        if let Some(name) = key.to_ascii_lowercase().strip_prefix("alias.")
            && let Some(text) = arg.value.known()
        {
            self.aliases.push((name.to_owned(), text[key.len() + 1..].to_owned()));
            return;
        }
        let last = key.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let at = key.len() + 1;
        let runs = match value.strip_prefix('!') {
            Some(_) => Some(at + 1),
            None if value == "none" => None,
            None => COMMANDS.contains(&format!(" {last} ")).then_some(at),
        };
        if let Some(at) = runs {
            self.shell(row, &Arg { value: arg.value.skip(at), span: arg.span }, Vec::new());
        }
    }
}
