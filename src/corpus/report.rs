//! What came of a run.

use std::fmt;

use serde::Serialize;

use super::{Sweep, VERSION};

/// How one case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// With the right code: the only pass.
    Refused,
    /// Refused, but with another code.
    WrongCode,
    /// Written.
    Accepted,
    /// Another failure.
    Errored,
}

/// One case of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// The case.
    pub id: &'static str,
    /// Its path, printable.
    pub path: &'static str,
    /// The code it has to be refused with.
    pub expected: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// The code it was refused with, or the text of the failure.
    pub got: String,
}

/// One hazard that no text shows, tried on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scenario {
    /// What was tried.
    pub name: &'static str,
    /// Whether it ended as it must.
    pub passed: bool,
    /// The code or the text of what came of it.
    pub got: String,
}

/// A run of the corpus and the sweep behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Version of the corpus.
    pub corpus_version: u32,
    /// Cases that ran.
    pub cases: usize,
    /// Whether all is as it must be; see [`Report::passed`].
    pub passed: bool,
    /// Every case that was not refused with its code.
    pub failures: Vec<CaseResult>,
    /// The sweep; without one nothing passes.
    pub sweep: Option<Sweep>,
    /// Hazards that are no property of a text.
    pub scenarios: Vec<Scenario>,
    /// Those of them that were not tried.
    pub not_run: Vec<&'static str>,
}

impl Report {
    pub(super) fn new(results: Vec<CaseResult>) -> Self {
        let cases = results.len();
        let failures = results.into_iter().filter(|result| result.verdict != Verdict::Refused).collect();
        Self {
            corpus_version: VERSION,
            cases,
            passed: false,
            failures,
            sweep: None,
            scenarios: Vec::new(),
            not_run: Vec::new(),
        }
    }

    /// The same with what came of the scenarios. Before the sweep.
    #[must_use]
    pub fn tried(mut self, scenarios: Vec<Scenario>) -> Self {
        self.scenarios = scenarios;
        self
    }

    /// The same with what the sweep found.
    #[must_use]
    pub fn swept(mut self, sweep: Sweep) -> Self {
        let held = self.scenarios.iter().all(|scenario| scenario.passed);
        self.passed = held && self.failures.is_empty() && sweep.complete && sweep.strays.is_empty();
        self.sweep = Some(sweep);
        self
    }

    /// The same, naming what was not tried.
    #[must_use]
    pub fn not_run(mut self, hazards: impl IntoIterator<Item = &'static str>) -> Self {
        self.not_run.extend(hazards);
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refused = self.cases - self.failures.len();
        writeln!(
            f,
            "corpus version {}: {refused} of {} paths refused with their code",
            self.corpus_version, self.cases
        )?;
        for failure in &self.failures {
            let CaseResult { id, path, expected, verdict, got } = failure;
            let what = match verdict {
                Verdict::Refused | Verdict::WrongCode => format!("refused with {got}"),
                Verdict::Accepted => "WRITTEN".to_owned(),
                Verdict::Errored => format!("failed: {got}"),
            };
            writeln!(f, "  {id}  {path}\n    expected {expected}, {what}")?;
        }
        if !self.scenarios.is_empty() {
            let held = self.scenarios.iter().filter(|scenario| scenario.passed).count();
            writeln!(f, "on the disk: {held} of {} scenarios held", self.scenarios.len())?;
        }
        for scenario in self.scenarios.iter().filter(|scenario| !scenario.passed) {
            writeln!(f, "  GOT THROUGH {}: {}", scenario.name, scenario.got)?;
        }
        match &self.sweep {
            None => writeln!(f, "no sweep")?,
            Some(sweep) => {
                let extent = if sweep.complete { "everything" } else { "NOT everything" };
                writeln!(f, "sweep: {} files, {extent} around the root", sweep.files)?;
                for gap in &sweep.gaps {
                    writeln!(f, "  {gap}")?;
                }
                for stray in &sweep.strays {
                    writeln!(f, "  STRAY {}", stray.display())?;
                }
            }
        }
        if !self.not_run.is_empty() {
            writeln!(f, "not tried: {}", self.not_run.join(", "))?;
        }
        write!(f, "{}", if self.passed { "passed" } else { "NOT passed" })
    }
}
