//! Holds an implementation against the corpus.

use super::report::{CaseResult, Report, Verdict};
use super::{Case, cases};

/// What an implementation did with a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// It refused the path, with this code.
    Refused(String),
    /// It wrote.
    Accepted,
    /// It failed in another way; that is no refusal.
    Failed(String),
}

/// Something that writes files below a root of its own.
pub trait Subject {
    /// Writes `content` to the file `path`, as it would for anyone.
    fn write(&mut self, path: &[u8], content: &[u8]) -> Attempt;
}

/// One run of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    marker: String,
}

impl Runner {
    /// A run whose files hold this marker: a text that no other file holds. [`super::sweep`] finds it again.
    pub fn new(marker: impl Into<String>) -> Self {
        Self { marker: marker.into() }
    }

    /// The marker.
    pub fn marker(&self) -> &str {
        &self.marker
    }

    /// Lets `subject` write to the path of every case. Only a refusal with the case's own code is a pass, so a run that passes
    /// writes nothing. Sweep afterwards and add what was found to the report.
    pub fn run(&self, subject: &mut dyn Subject) -> Report {
        Report::new(cases().map(|case| self.attempt(subject, &case)).collect())
    }

    fn attempt(&self, subject: &mut dyn Subject, case: &Case) -> CaseResult {
        let (verdict, got) = match subject.write(&case.path, self.marker.as_bytes()) {
            Attempt::Refused(code) if code == case.refusal.code() => (Verdict::Refused, code),
            Attempt::Refused(code) => (Verdict::WrongCode, code),
            Attempt::Accepted => (Verdict::Accepted, String::new()),
            Attempt::Failed(text) => (Verdict::Errored, text),
        };
        CaseResult { id: case.id, path: case.shown, expected: case.refusal.code(), verdict, got }
    }
}
