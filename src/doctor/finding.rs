//! One thing that was looked at.

use serde::Serialize;

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Right.
    Ok,
    /// Deserves a look; guards all the same.
    Warn,
    /// Wrong: something is not guarded, or works against the user.
    Fail,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How it stands.
    pub level: Level,
    /// What it belongs to: `home`, `config`, `program`, or a harness.
    pub section: &'static str,
    /// Stable code.
    pub code: &'static str,
    /// What was found.
    pub text: String,
    /// Particulars, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Collects findings of one section.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    name: &'static str,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Section<'a> {
    pub(crate) fn new(name: &'static str, findings: &'a mut Vec<Finding>) -> Self {
        Self { name, findings }
    }

    pub(crate) fn ok(&mut self, code: &'static str, text: impl Into<String>) {
        self.add(Level::Ok, code, text.into(), None);
    }

    pub(crate) fn warn(&mut self, code: &'static str, text: impl Into<String>, hint: impl Into<String>) {
        self.add(Level::Warn, code, text.into(), Some(hint.into()));
    }

    pub(crate) fn fail(&mut self, code: &'static str, text: impl Into<String>, hint: impl Into<String>) {
        self.add(Level::Fail, code, text.into(), Some(hint.into()));
    }

    /// Adds a particular to the last finding.
    pub(crate) fn detail(&mut self, text: impl Into<String>) {
        if let Some(last) = self.findings.last_mut() {
            last.detail.push(text.into());
        }
    }

    pub(crate) fn add(&mut self, level: Level, code: &'static str, text: String, hint: Option<String>) {
        self.findings.push(Finding { level, section: self.name, code, text, detail: Vec::new(), hint });
    }
}
