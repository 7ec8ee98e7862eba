//! `wsguard env`: the variables of a session's shell.

use std::path::Path;
use std::process::ExitCode;

use super::failure::{Failure, Kind};
use super::output;
use super::place::Place;
use crate::session::{Shell, exports, temp};

/// Prints the commands that point TEMP, TMP and TMPDIR of a shell at HOME/cache/tmp.
///
/// With a session its scratch folder is created and named too, as `WSGUARD_SCRATCH`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  eval \"$(wsguard env --shell bash)\"
  wsguard env --shell fish | source
  wsguard env --shell pwsh | Out-String | Invoke-Expression
  for /f \"delims=\" %i in ('wsguard env --shell cmd') do @%i")]
pub struct Args {
    /// The shell; taken from SHELL where it is not named.
    #[arg(long, value_enum)]
    shell: Option<Name>,
    /// The session, as the harness spells its id.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// A shell by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Name {
    Bash,
    Zsh,
    Fish,
    #[value(alias = "powershell")]
    Pwsh,
    Cmd,
}

impl Name {
    fn shell(self) -> Shell {
        match self {
            Self::Bash => Shell::Bash,
            Self::Zsh => Shell::Zsh,
            Self::Fish => Shell::Fish,
            Self::Pwsh => Shell::Pwsh,
            Self::Cmd => Shell::Cmd,
        }
    }

    /// The shell that `SHELL` names; every unknown one is taken for a POSIX shell.
    fn guess(shell: Option<&str>) -> Self {
        match shell.and_then(|path| Path::new(path).file_stem()?.to_str()) {
            Some("zsh") => Self::Zsh,
            Some("fish") => Self::Fish,
            Some("pwsh") => Self::Pwsh,
            None if cfg!(windows) => Self::Pwsh,
            _ => Self::Bash,
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let place = Place::find()?;
    let variables = variables(&place, args.session.as_deref())?;
    let shell = args.shell.unwrap_or_else(|| Name::guess(std::env::var("SHELL").ok().as_deref())).shell();
    let pairs: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let text = exports(shell, &pairs).ok_or_else(|| {
        Failure::msg(Kind::Data, "env_unspeakable", "a value holds characters that this shell can't be given")
            .hint("set WSGUARD_HOME to a path of ordinary characters")
    })?;
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}

/// The variables of a session's processes. A temp folder that can't be used is a warning: the system's own stays.
pub(super) fn variables(place: &Place, session: Option<&str>) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut variables = Vec::new();
    if place.policy.redirect_temp {
        match temp::prepare(&place.home) {
            Ok(temp) => variables.extend(temp::TEMP_VARIABLES.map(|name| (name, temp.clone()))),
            Err(error) => {
                output::warn(format_args!("TEMP stays as it is: {error}"));
                output::hint(error.hint());
            }
        }
    }
    if let Some(session) = session {
        let scratch = place.scratch(session);
        place.ensure(&scratch)?;
        variables.push(("WSGUARD_SESSION", session.to_owned()));
        let path = scratch.path().to_str().ok_or_else(|| {
            let text = format!("the path {} is not UTF-8", scratch.path().display());
            Failure::msg(Kind::Data, "scratch_encoding", text).hint("set scratch_root to another folder")
        })?;
        variables.push(("WSGUARD_SCRATCH", path.to_owned()));
    }
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn shells_are_guessed() {
        let check = |shell: &str, want: Name| assert_eq!(Name::guess(Some(shell)), want, "{shell}");
        check("/bin/bash", Name::Bash);
        check("/usr/bin/zsh", Name::Zsh);
        check("/opt/fish", Name::Fish);
        check("/usr/bin/pwsh", Name::Pwsh);
        check("/bin/dash", Name::Bash);
        check("", if cfg!(windows) { Name::Pwsh } else { Name::Bash });
    }
}
