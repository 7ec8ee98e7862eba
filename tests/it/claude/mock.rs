//! A model that plays a script: the part of the Messages API that the client needs, on loopback.
//!
//! Which step comes next is read off the conversation itself (the ids of the calls that it already holds), so
//! that repeated and side requests do not disturb the play.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use serde_json::{Value, json};

/// One tool call of the model.
#[derive(Clone, Debug)]
pub(crate) struct Use(pub(crate) &'static str, pub(crate) Value);

/// What the model does: one call a turn, first in the main conversation, and in each sub-agent's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// Distinguishes the ids of two plays in one conversation (resume).
    pub(crate) tag: &'static str,
    /// The main conversation.
    pub(crate) main: Vec<Use>,
    /// A sub-agent's.
    pub(crate) sub: Vec<Use>,
}

impl Script {
    /// The id of the call at `step`.
    pub(crate) fn id(&self, who: &str, step: usize) -> String {
        format!("toolu_{}_{who}_{step}", self.tag)
    }

    /// The next call in this conversation.
    fn next(&self, body: &Value) -> Option<(String, &Use)> {
        // A request without tools is one of the client's own errands (titles, summaries).
        body["tools"].as_array().filter(|tools| !tools.is_empty())?;
        let talk = body["messages"].to_string();
        let (who, steps) = if talk.contains(Mock::MAIN) {
            ("main", &self.main)
        } else if talk.contains(Mock::SUB) {
            ("sub", &self.sub)
        } else {
            return None;
        };
        let quoted = |step: usize| format!("\"{}\"", self.id(who, step));
        let step = (0..steps.len()).find(|&step| !talk.contains(&quoted(step)))?;
        Some((self.id(who, step), &steps[step]))
    }
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
    pub(crate) fn start(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (kept, stopping, script) = (Arc::clone(&bodies), Arc::clone(&stop), Arc::new(script));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stopping.load(Ordering::SeqCst) {
                    break;
                }
                let (kept, script) = (Arc::clone(&kept), Arc::clone(&script));
                // A client that goes away in the middle is its own affair.
                std::thread::spawn(move || drop(serve(stream, &script, &kept)));
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
fn serve(stream: TcpStream, script: &Script, kept: &Mutex<Vec<Value>>) -> std::io::Result<()> {
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
    match (method.as_str(), path.split('?').next().unwrap_or("")) {
        ("POST", "/v1/messages") => {
            kept.lock().unwrap().push(body.clone());
            answer(stream, script, &body)
        }
        ("POST", "/v1/messages/count_tokens") => send_json(stream, "200 OK", &json!({"input_tokens": 1000})),
        ("HEAD", _) => send(stream, "200 OK", "application/json", ""),
        _ => {
            let error = json!({"type": "error", "error": {"type": "not_found_error", "message": "not played here"}});
            send_json(stream, "404 Not Found", &error)
        }
    }
}

fn answer(stream: TcpStream, script: &Script, body: &Value) -> std::io::Result<()> {
    let (block, reason) = match script.next(body) {
        Some((id, Use(name, input))) => {
            (json!({"type": "tool_use", "id": id, "name": name, "input": input}), "tool_use")
        }
        None => (json!({"type": "text", "text": "The script is at its end."}), "end_turn"),
    };
    let mut message = json!({
        "id": "msg_played", "type": "message", "role": "assistant", "model": body["model"], "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 1000, "output_tokens": 50},
    });
    if body["stream"] != json!(true) {
        message["content"] = json!([block]);
        message["stop_reason"] = json!(reason);
        return send_json(stream, "200 OK", &message);
    }
    let (start, delta) = if reason == "tool_use" {
        let mut start = block.clone();
        start["input"] = json!({});
        (start, json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}))
    } else {
        (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]}))
    };
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": start}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 50}}),
        json!({"type": "message_stop"}),
    ];
    let frame = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    let text = events.iter().map(frame).collect::<Vec<_>>().concat();
    send(stream, "200 OK", "text/event-stream; charset=utf-8", &text)
}

fn send_json(stream: TcpStream, status: &str, value: &Value) -> std::io::Result<()> {
    send(stream, status, "application/json", &value.to_string())
}

fn send(mut stream: TcpStream, status: &str, kind: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}
