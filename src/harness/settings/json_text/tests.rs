#![expect(clippy::unwrap_used, reason = "a test that can't go on should stop")]

use proptest::prelude::*;

use super::{JsonText, Step};

fn edited(text: &str, edit: impl FnOnce(&mut JsonText)) -> String {
    let mut doc = JsonText::parse(text).unwrap();
    edit(&mut doc);
    JsonText::parse(&doc.to_text()).unwrap();
    doc.to_text()
}

#[test]
fn insertion_follows_the_files_own_style() {
    let check = |text: &str, want: &str| {
        assert_eq!(edited(text, |d| d.insert_key(&[], "k", &[1]).unwrap()), want, "{text}");
    };
    check("", "{\n  \"k\": [\n    1\n  ]\n}\n");
    check("{}", "{\n  \"k\": [\n    1\n  ]\n}");
    check("// only a comment", "// only a comment\n{\n  \"k\": [\n    1\n  ]\n}\n");
    check("{\"a\":1}", "{\"a\":1,\"k\":[1]}");
    check("{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"k\": [\n\t\t1\n\t]\n}\n");
    check("{\r\n    \"a\": 1\r\n}\r\n", "{\r\n    \"a\": 1,\r\n    \"k\": [\r\n        1\r\n    ]\r\n}\r\n");
    check("\u{feff}{\n  \"a\": 1\n}", "\u{feff}{\n  \"a\": 1,\n  \"k\": [\n    1\n  ]\n}");
    check("{\n  \"a\": 1 // one\n  // end\n}", "{\n  \"a\": 1, // one\n  \"k\": [\n    1\n  ]\n  // end\n}");
    check("{\n  // nothing yet\n}", "{\n  // nothing yet\n  \"k\": [\n    1\n  ]\n}");
    check("{ \"a\": 1 /* , */ }", "{ \"a\": 1,\"k\":[1] /* , */ }");
    check("{\"a\": \"//\"\n}", "{\"a\": \"//\",\"k\":[1]\n}");
}

#[test]
fn removal_takes_one_comma_and_no_comment() {
    let check = |text: &str, key: &str, want: &str| {
        assert_eq!(edited(text, |d| d.remove(&[Step::Key(key)]).unwrap()), want, "{text}");
    };
    check(r#"{"a":1}"#, "a", "{}");
    check("{\n  \"a\": 1\n}", "a", "{}");
    check(r#"{"a":1,"b":2}"#, "a", r#"{"b":2}"#);
    check(r#"{"a":1,"b":2}"#, "b", r#"{"a":1}"#);
    check("{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}");
    check("{\n  \"a\": 1, // one\n  \"b\": 2\n}", "b", "{\n  \"a\": 1 // one\n}");
    check("{\n  \"a\": 1, // one\n  \"b\": 2}", "b", "{\n  \"a\": 1 // one\n}");
    check("{\n  // c\n  \"a\": 1\n}", "a", "{\n  // c\n}");
    check("{\n  \"a\": 1, // one\n  \"b\": 2\n}", "a", "{\n   // one\n  \"b\": 2\n}");
    check(r#"{"a":1}"#, "b", r#"{"a":1}"#);
}

#[test]
fn extensions_are_refused_with_their_place() {
    let check = |text: &str, line: usize, column: usize| {
        let error = JsonText::parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
    };
    check("{\"permissions\":{\"deny\":[\"x\"]},}", 1, 30);
    check("{\n  \"a\": [1,]\n}", 2, 10);
    check("{a:1}", 1, 2);
    check("{'a':1}", 1, 2);
    check("{\"a\":1 \"b\":2}", 1, 7);
    check("{\"a\":1", 1, 1);
    check("{} {}", 1, 4);
}

#[test]
fn nesting_is_bounded() {
    let deep = "[".repeat(100_000);
    assert!(JsonText::parse(&deep).is_err());
}

/// JSON values whose keys don't clash with the one that is inserted.
fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i32>().prop_map(serde_json::Value::from),
        "[a-z /*\\\\\"{}\\[\\],:]{0,6}".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-d]{1,2}", inner, 0..4)
                .prop_map(|m| serde_json::Value::Object(m.into_iter().collect())),
        ]
    })
}

/// Text of an object with some layout: compact or indented, line ends, comments after commas and brackets.
fn texts() -> impl Strategy<Value = String> {
    let object = prop::collection::btree_map("[a-d]{1,2}", values(), 1..5)
        .prop_map(|m| serde_json::Value::Object(m.into_iter().collect()));
    (object, any::<bool>(), any::<bool>(), prop::sample::select(vec!["", " // c, \"x\": [", " /* { */"])).prop_map(
        |(value, pretty, crlf, comment)| {
            if !pretty {
                return value.to_string();
            }
            let text = serde_json::to_string_pretty(&value).unwrap();
            let lines: Vec<String> = text.lines().map(|l| format!("{l}{comment}")).collect();
            lines.join(if crlf { "\r\n" } else { "\n" })
        },
    )
}

proptest! {
    #[test]
    fn removing_what_was_inserted_gives_the_same_bytes(text in texts(), value in values()) {
        let mut doc = JsonText::parse(&text).unwrap();
        let before = doc.value();
        doc.insert_key(&[], "inserted", &value).unwrap();
        let mut want = before;
        want["inserted"] = value;
        prop_assert_eq!(doc.value(), want, "{}", doc.to_text());
        doc.remove(&[Step::Key("inserted")]).unwrap();
        prop_assert_eq!(doc.to_text(), text);
    }

    #[test]
    fn an_edit_changes_the_data_that_it_names(text in texts(), pick in any::<prop::sample::Index>()) {
        let mut doc = JsonText::parse(&text).unwrap();
        let mut want = doc.value();
        let keys: Vec<String> = want.as_object().unwrap().keys().cloned().collect();
        let key = &keys[pick.index(keys.len())];
        doc.replace(&[Step::Key(key)], &[true]).unwrap();
        want[key] = serde_json::json!([true]);
        prop_assert_eq!(doc.value(), want.clone(), "{}", doc.to_text());
        doc.remove(&[Step::Key(key)]).unwrap();
        want.as_object_mut().unwrap().remove(key);
        prop_assert_eq!(doc.value(), want, "{}", doc.to_text());
    }
}
