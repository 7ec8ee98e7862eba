//! The command line: one file a subcommand. Parses, calls the library, prints; decides nothing.

mod app;
pub mod failure;
pub mod output;

pub mod completions;

pub use app::main;
