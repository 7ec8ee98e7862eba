//! The operator's entry.

fn main() {}
