//! The integration tests: the real binaries against real input, in one test binary.
//!
//! Every test makes its own [`env::TestEnv`]: a cleared environment, a home folder of its own and a project
//! that no allowed root covers. See `ARCHITECTURE.md`, "Tests".

// A test that can't go on stops with the message of its `unwrap`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests stop at the first surprise")]

mod answer;
mod audit;
#[cfg(unix)]
mod budget;
#[cfg(unix)]
mod claude;
mod cli;
mod cmd_labelled;
#[cfg(unix)]
mod codex;
mod codex_calls;
mod complaints;
mod complaints_windows;
mod config;
mod corpus;
#[cfg(unix)]
mod corrected;
mod doctor;
mod doctor_codex;
mod env;
mod events;
mod explain;
mod failures;
mod fence;
mod fuzzed;
mod grants;
mod in_process;
mod install;
mod install_codex;
mod ledger;
mod links;
#[cfg(unix)]
mod mock;
mod modes;
mod noise;
#[cfg(unix)]
mod npm;
mod observe;
#[cfg(unix)]
mod observe_stress;
#[cfg(unix)]
mod odd_files;
mod payload;
mod platform;
mod plugin;
mod powershell;
mod process;
#[cfg(unix)]
mod readme;
#[cfg(unix)]
mod real_claude;
#[cfg(unix)]
mod real_codex;
#[cfg(unix)]
mod release;
mod report;
mod session_cli;
mod sessions;
mod settings_change;
mod shell_gate;
mod tidy;
mod trash;
#[cfg(unix)]
mod trash_hazards;
#[cfg(target_os = "linux")]
mod trash_kill;
mod trash_refusals;
#[cfg(target_os = "linux")]
mod trash_volumes;
mod watch;
#[cfg(windows)]
mod windows;
mod write_gate;
