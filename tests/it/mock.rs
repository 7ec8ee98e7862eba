//! A model on loopback that plays a script: the HTTP that clients need, whatever they say in it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use serde_json::Value;

/// What is sent back.
pub(crate) struct Reply {
    /// `200 OK` and the like.
    pub(crate) status: &'static str,
    /// The type of the body.
    pub(crate) kind: &'static str,
    /// The body.
    pub(crate) body: String,
    /// Whether the request was one to the model, and is kept.
    pub(crate) is_turn: bool,
}

impl Reply {
    /// A request that the script has nothing to do with.
    pub(crate) fn aside(status: &'static str, value: &Value) -> Self {
        Self { status, kind: "application/json", body: value.to_string(), is_turn: false }
    }

    /// A turn of the model, as one value.
    pub(crate) fn turn(value: &Value) -> Self {
        Self { status: "200 OK", kind: "application/json", body: value.to_string(), is_turn: true }
    }

    /// A turn of the model, as events.
    pub(crate) fn events(events: &[Value]) -> Self {
        let frame = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
        let body = events.iter().map(frame).collect::<Vec<_>>().concat();
        Self { status: "200 OK", kind: "text/event-stream; charset=utf-8", body, is_turn: true }
    }
}

/// What a model says.
pub(crate) trait Play: Send + Sync + 'static {
    /// The reply to one request.
    fn reply(&self, method: &str, path: &str, body: &Value) -> Reply;
}

/// The running model.
pub(crate) struct Mock {
    address: SocketAddr,
    bodies: Arc<Mutex<Vec<Value>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Mock {
    /// The prompt of the main conversation holds this word.
    pub(crate) const MAIN: &str = "PLAY-THE-MAIN-SCRIPT";
    /// The prompt that a script gives to a sub-agent holds this word.
    pub(crate) const SUB: &str = "PLAY-THE-SUB-SCRIPT";

    /// Starts it on a free port of the loopback interface.
    pub(crate) fn start(play: impl Play) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (kept, stopping, play) = (Arc::clone(&bodies), Arc::clone(&stop), Arc::new(play));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stopping.load(Ordering::SeqCst) {
                    break;
                }
                let (kept, play) = (Arc::clone(&kept), Arc::clone(&play));
                // A client that goes away in the middle is its own affair.
                std::thread::spawn(move || drop(serve(stream, &*play, &kept)));
            }
        });
        Self { address, bodies, stop, thread: Some(thread) }
    }

    /// Where the client finds it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request to the model so far, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.bodies.lock().unwrap().clone()
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// One request, one answer, then the connection is closed.
fn serve(mut stream: TcpStream, play: &impl Play, kept: &Mutex<Vec<Value>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next().unwrap_or("").to_owned(), words.next().unwrap_or("").to_owned());
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let reply = play.reply(&method, path.split('?').next().unwrap_or(""), &body);
    if reply.is_turn {
        kept.lock().unwrap().push(body);
    }
    let Reply { status, kind, body, .. } = reply;
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    // What follows a request for the head alone would be taken for the next answer.
    if method != "HEAD" {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}
