//! The hook's entry: what clients start at every tool call.

fn main() {
    workspace_guard::hook::main(std::env::args_os().skip(1));
}
