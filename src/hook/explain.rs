//! A decision for the operator's eyes: the hook's own way from call to judgement, and not one write.

use super::decide::{self, Setting, Unjudged};
use super::place;
use crate::gate::{Inputs, Judgement, Place, Tool, ToolCall, judge};
use crate::harness::Client;
use crate::ledger::Asked;
use crate::shell::Dialect;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The command.
    pub command: &'a str,
    /// Its language.
    pub dialect: Dialect,
    /// The folder it runs in: absolute, normal. Also the project, unless the session's record or
    /// `CLAUDE_PROJECT_DIR` names one.
    pub cwd: &'a str,
    /// The session, for its scratch, its project and its grants.
    pub session: &'a str,
}

/// The decision and what it rests on.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The call as the gate saw it.
    pub call: ToolCall,
    /// The folders of its session.
    pub place: Place,
    /// Effects, gaps and verdict.
    pub judgement: Judgement,
    /// `gate = false`: nothing is judged.
    pub gate_off: bool,
}

/// Why there is no answer: the hook would refuse such a call.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct NotExplained {
    text: String,
    code: &'static str,
    hint: Option<String>,
}

impl NotExplained {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What to do next.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl From<Unjudged> for NotExplained {
    fn from(why: Unjudged) -> Self {
        let (code, hint) = match &why {
            Unjudged::Config(error) => (error.code(), Some(error.hint())),
            Unjudged::NoHome => ("no_home", None),
            Unjudged::TooLong => ("command_too_long", None),
            Unjudged::LongCwd => ("cwd_too_long", None),
            Unjudged::Input(_) | Unjudged::NoCwd | Unjudged::NoTool => ("no_call", None),
        };
        Self { text: why.to_string(), code, hint }
    }
}

/// Judges a command as the hook would.
pub fn explain(question: &Question<'_>) -> Result<Explanation, NotExplained> {
    if question.command.len() > crate::limits::MAX_COMMAND_BYTES {
        return Err(Unjudged::TooLong.into());
    }
    let client = Client::default();
    let Setting { home, policy, world, scratch, project } = decide::setting(client, question.session, question.cwd)?;
    let call = ToolCall {
        writes: Vec::new(),
        harness: client.name(),
        session: question.session.to_owned(),
        call: None,
        cwd: question.cwd.to_owned(),
        tool: Tool::Shell { dialect: question.dialect, command: question.command.to_owned(), workdir: None },
    };
    let place = place::of(client, &world, &home, &scratch, project);
    let asked = Asked::new(&home, &call.session, None);
    let granted = |path: &str| asked.allows(path);
    let judgement = judge(&Inputs { call: &call, world: &world, policy: &policy, place: &place, granted: &granted });
    Ok(Explanation { call, place, judgement, gate_off: !policy.gate })
}
