#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::{Import, Index, Row, State, Step, Store, export};
use crate::home::Home;
use crate::ledger::Audit;
use crate::ledger::journal::{Entry, Event, Journal, Kind};
use crate::ledger::observed::{Attribution, Candidate, EntryKind, Evidence, Grade, Observed};
use crate::ledger::stamp;
use crate::path::Model;

fn observed(signature: &str) -> Observed {
    Observed {
        entry_kind: EntryKind::Dir,
        signature: signature.to_owned(),
        birth: None,
        attribution: Attribution {
            grade: Grade::Certain,
            evidence: vec![Evidence::OnlyCall, Evidence::BornWithin],
            candidates: vec![Candidate { session: "s1".to_owned(), call: "c1".to_owned() }],
        },
        between: false,
    }
}

fn event(kind: Kind, path: &str, signature: &str, ms: u64) -> Event {
    Event {
        kind,
        time: stamp::format_utc(ms),
        session: "s1".to_owned(),
        call: Some("c1".to_owned()),
        tool: "shell".to_owned(),
        path: Some(path.to_owned()),
        excerpt: "mkdir".to_owned(),
        observed: observed(signature),
        ..Event::default()
    }
}

fn marked(path: &str, signature: &str, state: &str, ms: u64) -> Event {
    Event { state: state.to_owned(), by: "me".to_owned(), ..event(Kind::Mark, path, signature, ms) }
}

fn fold(events: &[Event]) -> Index {
    let mut index = Index::default();
    for event in events {
        index.apply(event);
    }
    index
}

fn steps(row: &Row) -> Vec<(Step, State)> {
    row.story.iter().map(|told| (told.step, told.state)).collect()
}

#[test]
fn an_entry_goes_through_its_states() {
    let mut events = vec![
        Event { harness: "claude-code".to_owned(), ..event(Kind::CallStart, "", "", 1) },
        event(Kind::Appeared, "/a", "1", 2),
    ];
    let row = fold(&events).get("/a").unwrap().clone();
    assert_eq!((row.state, row.session.as_deref(), row.call.as_deref()), (State::Pending, Some("s1"), Some("c1")));
    assert_eq!((&*row.harness, row.attribution.grade), ("claude-code", Grade::Certain));
    events.push(marked("/a", "1", "confirmed", 3));
    assert_eq!(fold(&events).get("/a").unwrap().state, State::Confirmed);
    events.push(marked("/a", "1", "dismissed", 4));
    assert_eq!(fold(&events).get("/a").unwrap().state, State::Dismissed);
    // The same again, and a mark of something else, change nothing.
    let before = fold(&events);
    for extra in [
        event(Kind::Appeared, "/a", "1", 9),
        event(Kind::Changed, "/a", "1", 9),
        marked("/a", "1", "dismissed", 9),
        marked("/a", "0", "confirmed", 9),
        marked("/a", "1", "odd", 9),
        marked("/b", "1", "confirmed", 9),
        event(Kind::Vanished, "/a", "0", 9),
    ] {
        let mut more = events.clone();
        more.push(extra.clone());
        assert_eq!(fold(&more), before, "{extra:?}");
    }
    events.push(event(Kind::Vanished, "/a", "1", 5));
    let gone = fold(&events).get("/a").unwrap().clone();
    assert_eq!((gone.is_present(), gone.state), (false, State::Dismissed));
    // As it was: still dismissed. Something else: pending.
    events.push(event(Kind::Appeared, "/a", "1", 6));
    let back = fold(&events).get("/a").unwrap().clone();
    assert_eq!((back.is_present(), back.state), (true, State::Dismissed));
    events.push(event(Kind::Changed, "/a", "2", 7));
    let other = fold(&events).get("/a").unwrap().clone();
    assert_eq!((other.state, &*other.signature), (State::Pending, "2"));
    assert_eq!((other.first_seen.unwrap(), other.observed_at.unwrap()), (stamp::format_utc(2), stamp::format_utc(7)));
    let want = [
        (Step::Appeared, State::Pending),
        (Step::Marked, State::Confirmed),
        (Step::Marked, State::Dismissed),
        (Step::Vanished, State::Dismissed),
        (Step::Returned, State::Dismissed),
        (Step::Changed, State::Pending),
    ];
    assert_eq!(steps(fold(&events).get("/a").unwrap()), want);
}

#[test]
fn one_entry_has_one_place() {
    let check = |model: Model, path: &str, want: &str| assert_eq!(super::key_under(model, path), want, "{path}");
    for path in [r"C:\a\B", "c:/A/b", r"\\?\C:\a\b", r"C:\a\.\b\"] {
        check(Model::Windows, path, r"c:\a\b");
    }
    for path in ["/a/B", "/a//B", r"C:\a"] {
        check(Model::Posix, path, path);
    }
}

#[test]
fn what_was_never_seen_may_vanish_and_notices_are_kept_once() {
    let mut index = fold(&[event(Kind::Vanished, "/x", "1", 5)]);
    assert!(!index.get("/x").unwrap().is_present());
    for ms in [6, 8, 7] {
        index.apply(&event(Kind::Transient, "/opt", "", ms));
    }
    assert_eq!(index.notices().len(), 1);
    assert_eq!(index.notices()[0].time, stamp::format_utc(8));
}

#[test]
fn an_entry_goes_into_the_trash_and_comes_back() {
    let item = |kind, ms| Event { text: "i1".to_owned(), by: "me".to_owned(), ..event(kind, "/x", "s", ms) };
    let mut index = fold(&[event(Kind::Appeared, "/x", "s", 1), marked("/x", "s", "confirmed", 2)]);
    // A look may be faster than whoever recycled it.
    index.apply(&event(Kind::Vanished, "/x", "s", 3));
    index.apply(&item(Kind::Recycled, 4));
    let row = index.get("/x").unwrap();
    assert_eq!((row.trash.as_deref(), row.is_present(), row.state), (Some("i1"), false, State::Confirmed));
    // A copy from another volume has another signature; looks that find it say nothing new.
    index.apply(&Event { observed: observed("copy"), ..item(Kind::Restored, 5) });
    index.apply(&event(Kind::Appeared, "/x", "copy", 6));
    let row = index.get("/x").unwrap();
    assert_eq!((row.trash.as_deref(), row.is_present(), row.state), (None, true, State::Confirmed));
    index.apply(&Event { observed: observed("copy"), ..item(Kind::Recycled, 7) });
    index.apply(&Event { text: "another".to_owned(), ..item(Kind::Purged, 8) });
    assert_eq!(index.get("/x").unwrap().trash.as_deref(), Some("i1"));
    index.apply(&item(Kind::Purged, 9));
    let told: Vec<Step> = index.get("/x").unwrap().story.iter().map(|told| told.step).collect();
    let want =
        [Step::Appeared, Step::Marked, Step::Vanished, Step::Recycled, Step::Restored, Step::Recycled, Step::Purged];
    assert_eq!(told, want);
    // What was recycled elsewhere is known once it is back.
    index.apply(&Event { path: Some("/y".to_owned()), ..item(Kind::Restored, 10) });
    assert_eq!(index.get("/y").map(|row| row.state), Some(State::Confirmed));
}

/// Any line of a small world, in which everything meets.
fn any_event() -> impl Strategy<Value = Event> {
    let kind = prop_oneof![
        4 => Just(Kind::Appeared),
        2 => Just(Kind::Changed),
        2 => Just(Kind::Vanished),
        3 => Just(Kind::Mark),
        1 => Just(Kind::Transient),
        1 => Just(Kind::CallStart),
        1 => Just(Kind::CallEnd),
        2 => Just(Kind::Recycled),
        2 => Just(Kind::Restored),
        1 => Just(Kind::Purged),
        1 => Just(Kind::Other),
    ];
    let state = prop_oneof![Just("pending"), Just("confirmed"), Just("dismissed"), Just("")];
    (kind, 0..3_u8, 0..3_u8, state, 0..50_u64).prop_map(|(kind, path, signature, state, ms)| Event {
        state: state.to_owned(),
        text: if matches!(kind, Kind::Recycled | Kind::Purged) { format!("item{}", ms % 3) } else { String::new() },
        harness: if kind == Kind::CallStart { "claude-code".to_owned() } else { String::new() },
        ..event(kind, &format!("/{path}"), &signature.to_string(), ms)
    })
}

fn line(event: &Event) -> Vec<u8> {
    let mut line = serde_json::to_vec(event).unwrap();
    line.push(b'\n');
    line
}

fn write_journal(home: &Home, bytes: &[u8]) {
    fs::create_dir_all(home.ledger()).unwrap();
    fs::OpenOptions::new().create(true).append(true).open(Journal::at(home).path()).unwrap().write_all(bytes).unwrap();
}

fn rows(index: &Index) -> Vec<Row> {
    index.rows().cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn folding_in_two_parts_is_folding_at_once(
        events in prop::collection::vec(any_event(), 0..40),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        torn in any::<bool>(),
        aside in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let store = Store::at(&home);
        let bytes: Vec<u8> = events.iter().flat_map(line).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(bytes.len());
        let mut at = 0;
        for (n, cut) in cuts.into_iter().enumerate() {
            // Anywhere, also within a line: it is folded when its end is there.
            write_journal(&home, &bytes[at..cut]);
            at = cut;
            let ((), opened) = store.update(|_| Ok(())).unwrap();
            prop_assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
            let at_line_end = at == 0 || bytes[at - 1] == b'\n';
            if aside && at_line_end && Journal::at(&home).path().exists() {
                let name = format!("journal-{:06}.jsonl", n + 1);
                fs::rename(Journal::at(&home).path(), home.ledger().join(name)).unwrap();
            }
        }
        if torn {
            write_journal(&home, b"{\"v\":1,\"kind\":\"appeared\",\"path\":\"/9");
        }
        let whole = fold(&events);
        let read = store.read().unwrap();
        prop_assert_eq!(rows(&read.index), rows(&whole));
        prop_assert_eq!(read.index.notices(), whole.notices());
        // Without the stored index the same comes of the journal alone.
        if store.path().exists() {
            fs::remove_file(store.path()).unwrap();
        }
        prop_assert_eq!(rows(&store.read().unwrap().index), rows(&whole));
    }

    #[test]
    fn the_same_line_twice_changes_nothing(events in prop::collection::vec(any_event(), 1..40)) {
        let twice: Vec<Event> = events.iter().flat_map(|event| [event.clone(), event.clone()]).collect();
        prop_assert_eq!(fold(&twice), fold(&events));
    }

    #[test]
    fn a_damaged_index_is_mended_from_the_journal(
        events in prop::collection::vec(any_event(), 1..30),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let store = Store::at(&home);
        write_journal(&home, &events.iter().flat_map(line).collect::<Vec<u8>>());
        store.update(|_| Ok(())).unwrap();
        prop_assume!(store.path().exists());
        let mut bytes = fs::read(store.path()).unwrap();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        fs::write(store.path(), &bytes).unwrap();
        let whole = fold(&events);
        if serde_json::from_slice::<serde_json::Value>(&bytes).is_ok() {
            // A changed letter in a text is no damage that anybody could see.
            store.read().unwrap();
            return Ok(());
        }
        prop_assert_eq!(store.read().unwrap().index.rows().count(), whole.rows().count());
        let ((), opened) = store.update(|_| Ok(())).unwrap();
        prop_assert!(!opened.warnings.is_empty());
        let states = |index: &Index| -> Vec<_> {
            index.rows().map(|row| (row.path.clone(), row.signature.clone(), row.gone.clone())).collect()
        };
        prop_assert_eq!(states(&opened.index), states(&whole));
        let aside = fs::read_dir(home.ledger()).unwrap().map(|e| e.unwrap().path());
        let kept: Vec<_> = aside.filter(|p| p.to_string_lossy().contains("index-damaged-")).collect();
        prop_assert_eq!(kept.len(), 1);
        prop_assert_eq!(fs::read(&kept[0]).unwrap(), bytes);
        prop_assert!(opened.index.notices().iter().any(|n| n.code == "index_damaged"));
        prop_assert!(store.update(|_| Ok(())).unwrap().1.warnings.is_empty());
    }
}

#[test]
fn damaged_lines_are_put_aside_once() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let store = Store::at(&home);
    write_journal(&home, &line(&event(Kind::Appeared, "/a", "1", 1)));
    write_journal(&home, b"\xff\xfe rubbish\n{\"v\":1,\"ki\n");
    write_journal(&home, &line(&event(Kind::Appeared, "/b", "1", 2)));
    assert_eq!(store.read().unwrap().warnings.len(), 1);
    assert!(!home.ledger().join("index.json").exists(), "reading writes nothing");
    let ((), opened) = store.update(|_| Ok(())).unwrap();
    assert_eq!((opened.index.rows().count(), opened.warnings.len()), (2, 1));
    let kept = fs::read(home.ledger().join("journal-damaged.txt")).unwrap();
    assert_eq!(kept, b"\xff\xfe rubbish\n{\"v\":1,\"ki\n");
    let ((), opened) = store.update(|_| Ok(())).unwrap();
    assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
    assert_eq!(opened.index.notices().iter().filter(|n| n.code == "journal_damaged").count(), 1);
}

#[test]
fn marks_are_journalled_and_audited() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let store = Store::at(&home);
    let code = |result: Result<_, super::IndexError>| result.map(|_: (State, _)| ()).unwrap_err().code();
    assert_eq!(code(store.mark("/a", State::Confirmed, "me")), "entry_missing");
    let seen = observed("1");
    Journal::at(&home)
        .append(&Entry { path: Some("/a"), observed: Some(&seen), ..Entry::new(Kind::Appeared, "s1") })
        .unwrap();
    assert_eq!(store.mark("/a", State::Dismissed, "me").unwrap().0, State::Pending);
    assert_eq!(store.mark("/a", State::Dismissed, "me").unwrap().0, State::Dismissed);
    let row = store.read().unwrap().index.get("/a").unwrap().clone();
    assert_eq!((row.state, &*row.story[1].by), (State::Dismissed, "me"));
    // The mark is in the journal: it outlives the index.
    fs::remove_file(store.path()).unwrap();
    assert_eq!(store.read().unwrap().index.get("/a").unwrap().state, State::Dismissed);
    let audit = Audit::at(&home);
    assert_eq!((audit.verify().unwrap().lines, audit.verify().unwrap().open), (2, vec![]));
    assert_eq!(audit.tail(2).unwrap()[0]["act"], "mark");
    Journal::at(&home)
        .append(&Entry { path: Some("/a"), observed: Some(&seen), ..Entry::new(Kind::Vanished, "s1") })
        .unwrap();
    assert_eq!(code(store.mark("/a", State::Confirmed, "me")), "entry_gone");
}

#[test]
fn a_grown_journal_is_put_aside_while_hooks_write() {
    const WRITERS: usize = if cfg!(windows) { 2 } else { 4 };
    const LINES: usize = 40;
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let store = Store::at(&home);
    let text = "x".repeat(crate::limits::MAX_EXCERPT_BYTES);
    // Nearly full, so that it is put aside several times.
    let fill = |ms: u64| {
        let filler = line(&Event { text: text.clone(), ..event(Kind::Other, "/f", "1", ms) });
        let count = usize::try_from(crate::limits::MAX_JOURNAL_BYTES).unwrap() / filler.len() + 1;
        write_journal(&home, &filler.repeat(count));
    };
    fill(1);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let journal = Journal::at(&home);
                let text = &text;
                scope.spawn(move || {
                    for n in 0..LINES {
                        let path = format!("/{writer}/{n}");
                        let seen = observed("1");
                        let entry =
                            Entry { path: Some(&path), observed: Some(&seen), text, ..Entry::new(Kind::Appeared, "s") };
                        journal.append(&entry).unwrap();
                    }
                })
            })
            .collect();
        while writers.iter().any(|writer| !writer.is_finished()) {
            store.update(|_| Ok(())).unwrap();
        }
    });
    assert_eq!(store.read().unwrap().index.rows().count(), WRITERS * LINES);
    fill(2);
    let ((), opened) = store.update(|_| Ok(())).unwrap();
    assert_eq!(opened.index.rows().count(), WRITERS * LINES);
    assert!(opened.warnings.is_empty(), "{:?}", opened.warnings);
    let archives = fs::read_dir(home.ledger())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().starts_with("journal-0"));
    assert!(archives.count() >= 2);
    assert!(!Journal::at(&home).path().exists());
    fs::remove_file(store.path()).unwrap();
    assert_eq!(store.read().unwrap().index.rows().count(), WRITERS * LINES);
}

#[test]
fn a_journal_that_was_replaced_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let store = Store::at(&home);
    write_journal(&home, &line(&event(Kind::Appeared, "/a", "1", 1)));
    store.update(|_| Ok(())).unwrap();
    fs::remove_file(Journal::at(&home).path()).unwrap();
    write_journal(&home, &line(&event(Kind::Appeared, "/b", "1", 2)));
    let ((), opened) = store.update(|_| Ok(())).unwrap();
    assert_eq!(opened.index.rows().count(), 2, "what was known stays");
    assert!(opened.index.notices().iter().any(|n| n.code == "journal_replaced"));
    assert!(store.update(|_| Ok(())).unwrap().1.warnings.is_empty());
}

fn import(dir: &Path, text: &str) -> Import {
    let path = dir.join("in.json");
    fs::write(&path, text).unwrap();
    Import::open(&path).unwrap()
}

#[test]
fn the_published_form_is_read_in_all_its_shapes() {
    let dir = tempfile::tempdir().unwrap();
    let row = r#"{"path":"/srv/x","firstSeen":"2026-01-01T00:00:00.000Z","lastScan":1767225600000,"bytes":12,"files":3,
        "signature":"d:1","state":"confirmed","session":"s","call":null,"observedAt":"2026-01-01T00:00:01.000Z",
        "attribution":"likely","color":"red"}"#;
    let by_path = format!("{{\"/srv/x\":{row}}}");
    for text in [
        format!("[{row}]"),
        format!("\u{feff}[{}]\r\n", row.replace('\n', "\r\n")),
        format!("{{\"version\":1,\"entries\":[{row}]}}"),
        format!("{{\"entries\":{by_path},\"other\":1}}"),
        by_path,
    ] {
        let mut index = Index::default();
        let done = import(dir.path(), &text).into_index(&mut index);
        assert_eq!((done.added, done.completed, done.kept), (1, 0, 0), "{text}");
        let row = index.get("/srv/x").unwrap();
        assert_eq!((row.bytes, row.files, row.state), (Some(12), Some(3), State::Confirmed));
        assert_eq!((row.session.as_deref(), row.call.as_deref()), (Some("s"), None));
        assert_eq!(row.last_scan.as_deref(), Some("2026-01-01T00:00:00.000Z"));
        assert_eq!(row.attribution.grade, Grade::Likely);
        assert_eq!(row.extra["color"], "red");
    }
    let odd = import(dir.path(), r#"[{"path":"/a","state":7,"bytes":"x","attribution":[1]},{"path":""},5]"#);
    assert_eq!((odd.len(), odd.damaged), (1, 2));
    for text in ["", "5", "{}x", "\"a\""] {
        let path = dir.path().join("no.json");
        fs::write(&path, text).unwrap();
        assert_eq!(Import::open(&path).unwrap_err().code(), "index_form", "{text:?}");
    }
}

#[test]
fn export_and_import_are_a_round_trip() {
    let dir = tempfile::tempdir().unwrap();
    let mut index = fold(&[
        event(Kind::Appeared, "/a", "1", 1),
        event(Kind::Appeared, "/b", "1", 2),
        marked("/b", "1", "confirmed", 3),
    ]);
    index.set_measured("/a", "1", |row| (row.bytes, row.files) = (Some(5), Some(1)));
    let exported = export(index.rows());
    let mut other = Index::default();
    import(dir.path(), &exported.to_string()).into_index(&mut other);
    assert_eq!(export(other.rows()), exported);
    // Importing it again changes nothing.
    let before = other.clone();
    let again = import(dir.path(), &exported.to_string()).into_index(&mut other);
    assert_eq!((again.completed, &other), (2, &before));
    // Something else stands there by now.
    let mut changed = fold(&[event(Kind::Appeared, "/a", "2", 1)]);
    assert_eq!(import(dir.path(), &exported.to_string()).into_index(&mut changed).kept, 1);
    assert_eq!(changed.get("/a").unwrap().signature, "2");
}

#[test]
fn an_index_of_the_plugin_is_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    fs::create_dir_all(home.ledger()).unwrap();
    let theirs =
        r#"{"version":1,"updated":"x","entries":[{"path":"/old","signature":"7","state":"dismissed","mtime":5}]}"#;
    fs::write(home.ledger().join("index.json"), theirs).unwrap();
    write_journal(&home, &line(&event(Kind::Appeared, "/new", "1", 1)));
    let store = Store::at(&home);
    store.update(|_| Ok(())).unwrap();
    let text = fs::read_to_string(store.path()).unwrap();
    assert!(text.contains("\"updated\":\"x\"") && text.contains("\"mtime\":5"), "fields of others survive: {text}");
    let index = store.read().unwrap().index;
    assert_eq!(index.get("/old").unwrap().state, State::Dismissed);
    assert_eq!(index.get("/new").unwrap().state, State::Pending);
}
