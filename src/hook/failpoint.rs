//! Failures on demand, in debug builds alone.

/// Fails as `WSGUARD_FAILPOINT` asks: `panic`, `hang`, `slow` or `stack`.
pub(crate) fn fail(kind: &str) {
    match kind {
        "panic" => std::panic::panic_any("failpoint"),
        "hang" => loop {
            std::thread::sleep(std::time::Duration::from_mins(1));
        },
        "slow" => std::thread::sleep(std::time::Duration::from_millis(2_500)),
        "stack" => {
            std::hint::black_box(deeper(1));
        }
        _ => {}
    }
}

#[expect(unconditional_recursion, reason = "overflowing the stack is the purpose")]
fn deeper(n: u64) -> u64 {
    let pad = std::hint::black_box([n; 64]);
    deeper(n + 1) + pad[0]
}
