//! Calls of the guard a second on one core: `cargo bench --bench guard`.
//!
//! `-- --check` ends with code 1 when ordinary names are judged slower than [`GOAL`].

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use workspace_guard::path::guard::{PathGuard, Rules};

/// Ordinary names a second.
const GOAL: f64 = 10e6;

/// As source trees have them.
const ORDINARY: [&str; 16] = [
    "src/main.rs",
    "README.md",
    "src/path/guard/mod.rs",
    "tests/it/shell_gate.rs",
    "package.json",
    "node_modules/react-dom/cjs/react-dom.production.min.js",
    "app/(shop)/[id]/page.tsx",
    ".github/workflows/release.yml",
    "docs/Getting Started.md",
    "lib/python3.12/site-packages/numpy/_core/__init__.py",
    "a.txt",
    "Cargo.lock",
    "crates/regex-automata/src/dfa/dense.rs",
    "target/debug/deps/libserde-3f1c5b2a9d7e6f01.rmeta",
    "assets/logo@2x.png",
    "connectors/auxiliary/null_test.go",
];

/// In other scripts, and with what sends them the long way.
const OTHER: [&str; 6] = [
    "文件/設計書.md",
    "café/menü.txt",
    "Документы/отчёт.pdf",
    "C++/a+b.cc",
    r"src\main.rs",
    "./a//b/50% off & more.txt",
];

/// What is refused.
const REFUSED: [&str; 6] = ["../../etc/passwd", "/etc/passwd", r"C:\x", "a/NUL.txt", "%2e%2e/x", "a/．．/x"];

fn per_second(paths: &[&str]) -> f64 {
    let guard = PathGuard::new(Rules::Portable);
    let mut best = 0.0f64;
    // The best of many short rounds: other load on the machine only ever makes one slower.
    for _ in 0..200 {
        let start = Instant::now();
        let mut calls = 0u32;
        while start.elapsed() < Duration::from_millis(2) {
            for _ in 0..16 {
                for path in paths {
                    calls += 1;
                    drop(black_box(guard.judge(black_box(path.as_bytes()))));
                }
            }
        }
        best = best.max(f64::from(calls) / start.elapsed().as_secs_f64());
    }
    best
}

fn main() -> ExitCode {
    let ordinary = per_second(&ORDINARY);
    for (name, rate) in [("ordinary", ordinary), ("other", per_second(&OTHER)), ("refused", per_second(&REFUSED))] {
        println!("{name:<9} {:>6.1} million a second", rate / 1e6);
    }
    let fails = std::env::args().any(|arg| arg == "--check") && ordinary < GOAL;
    if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
