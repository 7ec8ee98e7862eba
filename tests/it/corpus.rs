//! `wsguard corpus`: the path guard from outside.

use serde_json::{Value, json};

use crate::env::{TestEnv, run};

fn judge(env: &TestEnv, args: &[&str], input: &[u8]) -> (Option<i32>, Vec<Value>) {
    let mut command = env.command(env.bin().join("wsguard"));
    command.args(["corpus", "judge"]).args(args);
    let out = run(command, input);
    assert!(out.stderr.is_empty(), "{out:?}");
    (out.code, out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn a_list_is_judged_line_by_line() {
    let env = TestEnv::new();
    let input = br#"{"id": 1, "path_b64": "Li4veA=="}
{"id": "two", "path_b64": "c3JjXG1haW4ucnM="}

{"id": null, "path_b64": "Tl VM"}
{"id": [3], "path_b64": "TlVM", "note": "kept out"}
{"id": 4}
not JSON
{"path_b64": "/w=="}
{"id": 6, "path_b64": ""}"#;
    let (code, answers) = judge(&env, &[], input);
    assert_eq!(code, Some(65));
    let error = |line: u32, code: &str, id: Value| (id, json!(code), json!(line));
    let got: Vec<_> = answers
        .iter()
        .map(|a| match a.get("error") {
            Some(error) => (a["id"].clone(), error["code"].clone(), error["line"].clone()),
            None => (a["id"].clone(), a["code"].clone(), a["normal"].clone()),
        })
        .collect();
    let want = [
        (json!(1), json!("path_traverses_outside_workspace"), Value::Null),
        (json!("two"), Value::Null, json!("src/main.rs")),
        error(4, "line_base64", Value::Null),
        (json!([3]), json!("path_is_reserved_device_name"), Value::Null),
        error(6, "line_form", json!(4)),
        error(7, "line_form", Value::Null),
        (Value::Null, json!("path_is_not_valid_utf8"), Value::Null),
        (json!(6), json!("path_is_empty"), Value::Null),
    ];
    assert_eq!(got, want);
    let verdicts: Vec<_> = answers.iter().filter_map(|a| a["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["refused", "accepted", "refused", "refused", "refused"]);
}

#[test]
fn bytes_that_are_no_text_lose_no_line() {
    let env = TestEnv::new();
    let (code, answers) = judge(&env, &[], b"\xff\xfe\n{\"id\": 2, \"path_b64\": \"YQ\"}\r\n");
    assert_eq!((code, answers.len()), (Some(65), 2), "{answers:?}");
    assert_eq!(answers[0]["error"]["line"], 1);
    assert_eq!(answers[1]["normal"], "a");
    let (code, answers) = judge(&env, &[], b"");
    assert_eq!((code, answers.len()), (Some(0), 0));
}

#[test]
fn the_model_decides() {
    let env = TestEnv::new();
    for (model, verdict) in [("windows", "refused"), ("portable", "refused"), ("posix", "accepted")] {
        let (code, answers) = judge(&env, &["--model", model], b"{\"id\": 1, \"path_b64\": \"YWE6Yg==\"}");
        assert_eq!((code, answers[0]["verdict"].as_str()), (Some(0), Some(verdict)), "{model}");
    }
    assert_eq!(env.wsguard(&["corpus", "judge", "--model", "amiga"]).code, Some(64));
}
