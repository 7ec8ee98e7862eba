//! The hook's entry.

fn main() {}
