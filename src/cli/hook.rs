//! `wsguard hook`: the hook itself, for trying it out.

use std::ffi::OsString;
use std::process::ExitCode;

/// Judges one tool call like `wsguard-hook`.
///
/// JSON on standard input, the answer on standard output. For trying things out. Clients start `wsguard-hook`, which is quicker to load.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  echo '{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s1\",\"cwd\":\"/tmp\",\"tool_name\":\"Bash\",
         \"tool_input\":{\"command\":\"mkdir /opt/new\"}}' | wsguard hook")]
pub struct Args {
    /// Arguments of `wsguard-hook`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    args: Vec<OsString>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> ExitCode {
    crate::hook::main(args.args.iter().cloned());
    ExitCode::SUCCESS
}
