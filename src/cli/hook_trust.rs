//! Codex runs no hook that its user has not trusted, and says nothing about it: what is said, and done, about that.

use serde_json::json;

use super::failure::{Failure, Kind};
use super::output;
use crate::harness::Client;
use crate::harness::codex::app_server::{AppServer, ListedHook, ServerError};
use crate::harness::codex::places::Places;
use crate::harness::codex::trust::{Recorded, Trust};
use crate::harness::hooks::entry::{entries, is_hook_program, program};
use crate::harness::hooks::install::Outcome;
use crate::harness::settings::JsonText;

/// What the user can do.
const HOW: &str =
    "start `codex` and choose to trust the hooks (later: /hooks, then t), or run `wsguard install codex --trust`";

/// How the hooks of one file stand with the client.
#[derive(Debug)]
pub struct Standing {
    /// All of ours in the file.
    hooks: usize,
    /// Those that do not run, as `event: why`.
    off: Vec<String>,
    /// It was this run that had them trusted.
    done: bool,
}

impl Standing {
    /// For people.
    pub fn show(&self) -> anyhow::Result<()> {
        if self.off.is_empty() {
            let when = if self.done { "now trusts" } else { "trusts" };
            return output::println(format_args!("Codex {when} its {} hooks", self.hooks));
        }
        output::warn(format_args!(
            "the guard is off: Codex runs no hook that you have not trusted ({} of {})",
            self.off.len(),
            self.hooks
        ));
        output::hint(HOW);
        Ok(())
    }

    /// For programs.
    pub fn as_json(&self) -> serde_json::Value {
        json!({"hooks": self.hooks, "off": self.off})
    }
}

/// How they stand as the client's own settings have it; the client is not started.
pub(super) fn recorded(outcome: &Outcome) -> anyhow::Result<Standing> {
    let record = Recorded::read(&Places::from_env(super::current_dir()?)).map_err(|error| {
        let hint = "mend that file: Codex itself can't read it";
        Failure::new(Kind::Data, "codex_config", error).hint(hint)
    })?;
    let value = JsonText::parse(&outcome.after).map(|doc| doc.value()).unwrap_or_default();
    let mut standing = Standing { hooks: 0, off: Vec::new(), done: false };
    for event in Client::Codex.events() {
        for entry in entries(&value, event.name).iter().filter(|entry| entry.ours) {
            standing.hooks += 1;
            let trust = record.of(&outcome.path, event.name, entry);
            if trust != Trust::Trusted {
                standing.off.push(format!("{}: {}", event.name, trust.word()));
            }
        }
    }
    Ok(standing)
}

/// Has the client trust what was written, by its own means.
pub(super) fn trust(outcome: &Outcome) -> anyhow::Result<Standing> {
    let cwd = super::current_dir()?;
    let real = crate::sys::real_path(&outcome.path).unwrap_or_else(|_| outcome.path.clone());
    let is_ours = |hook: &&ListedHook| {
        let file = hook.source_path.as_deref().map(std::path::Path::new);
        let command = json!({"command": hook.command});
        file.is_some_and(|file| file == real || file == outcome.path)
            && program(&command).is_some_and(|program| is_hook_program(&program))
    };
    let mut server = AppServer::start(&cwd).map_err(failure)?;
    let listed = server.hooks(&cwd).map_err(failure)?;
    let own: Vec<&ListedHook> = listed.hooks.iter().filter(is_ours).collect();
    if own.is_empty() {
        let text = format!("Codex does not list the hooks of {}", outcome.path.display());
        let hint = match listed.warnings.first() {
            Some(warning) => format!("it says: {warning}"),
            None => {
                "Codex reads a project's hooks only where the project is trusted: start `codex` in it once".to_owned()
            }
        };
        return Err(Failure::msg(Kind::Data, "hooks_unlisted", text).hint(hint).into());
    }
    let off: Vec<&ListedHook> = own.iter().copied().filter(|hook| !hook.runs()).collect();
    if !off.is_empty() {
        server.trust(&off).map_err(failure)?;
    }
    let listed = server.hooks(&cwd).map_err(failure)?;
    let own: Vec<&ListedHook> = listed.hooks.iter().filter(is_ours).collect();
    let name = |hook: &&ListedHook| format!("{}: {}", hook.key, Trust::listed(hook).word());
    let still = own.iter().filter(|hook| !hook.runs()).map(name).collect();
    Ok(Standing { hooks: own.len(), off: still, done: !off.is_empty() })
}

fn failure(error: ServerError) -> Failure {
    let hint = "start `codex` yourself and choose to trust the hooks (later: /hooks, then t)";
    let kind = if matches!(error, ServerError::NoProgram) { Kind::Missing } else { Kind::Io };
    Failure::new(kind, "codex_unreachable", error).hint(hint)
}
