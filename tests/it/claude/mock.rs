//! The part of the Messages API that Claude Code needs, played from a script.
//!
//! Which step comes next is read off the conversation itself (the ids of the calls that it already holds), so
//! that repeated and side requests do not disturb the play.

use serde_json::{Value, json};

use crate::mock::{Mock, Play, Reply};

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

impl Play for Script {
    fn reply(&self, method: &str, path: &str, body: &Value) -> Reply {
        match (method, path) {
            ("POST", "/v1/messages") => turn(self, body),
            ("POST", "/v1/messages/count_tokens") => Reply::aside("200 OK", &json!({"input_tokens": 1000})),
            ("HEAD", _) => Reply::aside("200 OK", &Value::Null),
            _ => {
                let error =
                    json!({"type": "error", "error": {"type": "not_found_error", "message": "not played here"}});
                Reply::aside("404 Not Found", &error)
            }
        }
    }
}

fn turn(script: &Script, body: &Value) -> Reply {
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
        return Reply::turn(&message);
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
    Reply::events(&events)
}
