//! The command line: one file a subcommand. Parses, calls the library, prints; decides nothing.

mod app;
pub mod context;
pub mod edit_report;
pub mod excerpt;
pub mod explain_batch;
pub mod explain_view;
pub mod failure;
mod looking;
pub mod output;
pub mod place;
pub mod target;
pub mod units;

pub mod allow;
pub mod audit;
pub mod completions;
pub mod config;
pub mod corpus;
pub mod doctor;
pub mod env;
pub mod explain;
pub mod grants;
pub mod hook;
mod hook_trust;
pub mod install;
pub mod ledger;
pub mod prompt;
pub mod recycle;
pub mod revoke;
pub mod run;
pub mod scan;
pub mod session;
pub mod status;
pub mod trash;
pub mod uninstall;
pub mod watch;

pub use app::main;
pub use context::{current_dir, timestamp};
