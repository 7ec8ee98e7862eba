//! Starting processes, with a limit to everything.

use std::{
    io::{Read, Write},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A process that has not ended by then is killed, and the test fails. Far above any deadline of the product.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a process left behind.
#[derive(Clone, Debug)]
pub(crate) struct RawOutput {
    /// The exit code; none where a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output, which must be UTF-8.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// From start to end.
    pub(crate) took: Duration,
}

/// Starts a process, feeds it and waits for it, with a limit.
pub(crate) fn run(mut command: Command, stdin: &[u8]) -> RawOutput {
    let start = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(&mut command);
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // A thread, since the process may answer before it has read everything, or never read at all.
    let feeder = std::thread::spawn(move || {
        // A process that does not want its input is no fault of the test.
        drop(pipe.write_all(&stdin));
    });
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let code = wait(&mut child, start);
    feeder.join().unwrap();
    RawOutput { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), took: start.elapsed() }
}

/// "An internal error occurred": what a busy Wine sometimes says to the start of a process.
const WINE_BUSY: i32 = 1359;

/// Starts a process. Another test that forks while this one copies a program keeps the copy open for writing
/// for a moment, and the kernel then refuses to run it.
pub(crate) fn spawn(command: &mut Command) -> Child {
    let busy = |e: &std::io::Error| {
        e.kind() == std::io::ErrorKind::ExecutableFileBusy || cfg!(windows) && e.raw_os_error() == Some(WINE_BUSY)
    };
    for _ in 0..200 {
        match command.spawn() {
            Err(e) if busy(&e) => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other.unwrap_or_else(|e| panic!("{command:?}: {e}")),
        }
    }
    panic!("{command:?} stays busy")
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        String::from_utf8(bytes).expect("output is UTF-8")
    })
}

fn wait(child: &mut Child, start: Instant) -> Option<i32> {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("the process hung");
        }
        // Under Wine each look is a question to a server that all processes share.
        std::thread::sleep(if cfg!(windows) { Duration::from_millis(4) } else { Duration::from_micros(300) });
    }
}
