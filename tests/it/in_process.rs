//! The hook's way from bytes to an answer without a process and without a disk, and what must hold on it for any
//! bytes. Shared by the tests and the fuzz target `hook_stdin`.

use workspace_guard::{
    config::Policy,
    gate::{Inputs, Place, ToolCall, Verdict, judge},
    harness::{Access, Answer, Payload, scan_malformed},
    path::Model,
    world::FakeWorld,
};

/// How far an input came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is no payload.
    Malformed,
    /// It is a payload without a tool call that could be judged.
    Unjudged,
    /// It was judged and passed.
    Passed,
    /// It was judged and refused.
    Refused,
}

/// A small machine under either model of paths.
struct Machine {
    world: FakeWorld,
    place: Place,
    policy: Policy,
    cwd: &'static str,
}

impl Machine {
    fn posix() -> Self {
        let world = FakeWorld::new(Model::Posix)
            .with_home("/home/u")
            .dir("/home/u/p/src")
            .file("/home/u/p/a.txt", "text")
            .link("/home/u/p/out", "/srv/data")
            .link("/home/u/p/loop", "loop")
            .dir("/srv/data")
            .dir("/tmp")
            .var("HOME", "/home/u");
        let place = Place {
            home: "/home/u/.wsguard".into(),
            project: Some("/home/u/p".into()),
            scratch: "/home/u/.wsguard/scratch/s".into(),
            temp: "/home/u/.wsguard/cache/tmp".into(),
            system_temp: Vec::new(),
            harness_state: vec!["/home/u/.claude".into()],
            fenced: vec!["/home/u/.claude/settings.json".into()],
        };
        Self { world, place, policy: Policy::for_model(Model::Posix), cwd: "/home/u/p" }
    }

    fn windows() -> Self {
        let world = FakeWorld::new(Model::Windows)
            .with_home(r"C:\Users\u")
            .dir(r"C:\Users\u\p\src")
            .file(r"C:\Users\u\p\a.txt", "text")
            .dir(r"C:\data");
        let place = Place {
            home: r"C:\Users\u\.wsguard".into(),
            project: Some(r"C:\Users\u\p".into()),
            scratch: r"C:\Users\u\.wsguard\scratch\s".into(),
            temp: r"C:\Users\u\.wsguard\cache\tmp".into(),
            system_temp: Vec::new(),
            harness_state: vec![],
            fenced: vec![],
        };
        Self { world, place, policy: Policy::for_model(Model::Windows), cwd: r"C:\Users\u\p" }
    }

    fn judge(&self, call: &ToolCall) -> Verdict {
        let granted = |_: &str| false;
        let inputs = Inputs { call, world: &self.world, policy: &self.policy, place: &self.place, granted: &granted };
        judge(&inputs).verdict
    }
}

/// Takes one input as far as it goes.
///
/// # Panics
/// When something does not hold.
pub(crate) fn drive(data: &[u8]) -> Way {
    let Ok(payload) = Payload::parse(data, None) else {
        for found in scan_malformed(data, "tool_name") {
            assert!(found.len() < data.len());
        }
        return Way::Malformed;
    };
    let Some(name) = payload.tool() else { return Way::Unjudged };
    let client = payload.client();
    let Ok(tool) = client.tool_of(name, payload.input()) else {
        assert_eq!(client.access_of(name), Access::Writes, "{name}: a tool that only reads is never held up");
        return Way::Unjudged;
    };
    let mut way = Way::Passed;
    for machine in [Machine::posix(), Machine::windows()] {
        let call = ToolCall {
            writes: Vec::new(),
            harness: client.name(),
            session: payload.session().to_owned(),
            call: payload.call().map(str::to_owned),
            cwd: machine.cwd.to_owned(),
            tool: tool.clone(),
        };
        let verdict = machine.judge(&call);
        assert_eq!(verdict, machine.judge(&call), "the same call gets the same verdict");
        let answer = match verdict {
            Verdict::Allow => continue,
            Verdict::Deny { reason } => Answer::Deny { reason },
            Verdict::Ask { reason } => Answer::Ask { reason },
        };
        check(&answer);
        way = Way::Refused;
    }
    way
}

/// A refusal is one the client understands and a person can read.
fn check(answer: &Answer) {
    let (Answer::Deny { reason } | Answer::Ask { reason }) = answer else { return };
    assert!(!reason.trim().is_empty());
    assert!(reason.chars().count() <= 600, "{} characters", reason.chars().count());
    // A corrected command may have lines; nothing else that controls a terminal comes through.
    let bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!reason.chars().any(bad), "{reason:?}");
    let bytes = answer.to_json().unwrap();
    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(value["hookSpecificOutput"]["permissionDecisionReason"].as_str(), Some(reason.as_str()));
}
