//! The hook's entry: what clients start at every tool call.

#![cfg_attr(unix, no_main)]

workspace_guard::lean_entry!(workspace_guard::hook::main);
