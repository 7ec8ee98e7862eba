//! The operator's entry.

fn main() -> std::process::ExitCode {
    workspace_guard::cli::main()
}
