//! The part of the Responses API that Codex needs, played from a script.
//!
//! Which step comes next is read off the conversation itself (the ids of the calls that it already holds), so
//! that repeated and side requests do not disturb the play.

use serde_json::{Value, json};

use crate::mock::{Mock, Play, Reply};

/// One tool call of the model: a function's when the input is an object, a tool's with free text when it is a string.
#[derive(Clone, Debug)]
pub(crate) struct Use(pub(crate) &'static str, pub(crate) Value);

/// What the model does: one call a turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script(pub(crate) Vec<Use>);

impl Script {
    /// The id of the call at `step`.
    pub(crate) fn id(step: usize) -> String {
        format!("call_played_{step}")
    }

    /// The next item of the conversation.
    fn next(&self, body: &Value) -> Value {
        let talk = body["input"].to_string();
        let quoted = |step: usize| format!("\"{}\"", Self::id(step));
        let step = (0..self.0.len()).find(|&step| !talk.contains(&quoted(step)));
        match step.filter(|_| talk.contains(Mock::MAIN)).map(|step| (Self::id(step), &self.0[step])) {
            Some((id, Use(name, Value::String(text)))) => {
                json!({"type": "custom_tool_call", "call_id": id, "name": name, "input": text})
            }
            Some((id, Use(name, input))) => {
                json!({"type": "function_call", "call_id": id, "name": name, "arguments": input.to_string()})
            }
            None => {
                let text = json!([{"type": "output_text", "text": "The script is at its end."}]);
                json!({"type": "message", "role": "assistant", "id": "msg_played", "content": text})
            }
        }
    }
}

impl Play for Script {
    fn reply(&self, method: &str, path: &str, body: &Value) -> Reply {
        match (method, path) {
            ("POST", "/v1/responses") => {
                let item = self.next(body);
                let usage = json!({"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050});
                let response = json!({"id": "resp_played", "output": [item], "usage": usage});
                Reply::events(&[
                    json!({"type": "response.created", "response": {"id": "resp_played"}}),
                    json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
                    json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
                    json!({"type": "response.completed", "response": response}),
                ])
            }
            ("GET", "/v1/models") => Reply::aside("200 OK", &json!({"object": "list", "data": [], "models": []})),
            _ => Reply::aside("404 Not Found", &json!({"error": {"message": "not played here"}})),
        }
    }
}
