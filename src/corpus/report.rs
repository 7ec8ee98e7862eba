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
    /// The kind of hazard: `links`, `mounts`.
    pub hazard: &'static str,
    /// What was tried.
    pub name: String,
    /// Whether it ended as it must.
    pub passed: bool,
    /// The code or the text of what came of it.
    pub got: String,
}

/// A hazard that was not tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotTried {
    /// Its kind.
    pub hazard: &'static str,
    /// Why not.
    pub reason: String,
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
    pub not_tried: Vec<NotTried>,
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
            not_tried: Vec::new(),
        }
    }

    /// The same with what came of the scenarios, and what was not tried of them. Before the sweep.
    #[must_use]
    pub fn tried(mut self, scenarios: Vec<Scenario>, not_tried: Vec<NotTried>) -> Self {
        self.scenarios = scenarios;
        self.not_tried = not_tried;
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
        self.write_scenarios(f)?;
        match &self.sweep {
            None => writeln!(f, "no sweep")?,
            Some(sweep) => {
                let extent = if sweep.complete { "everything" } else { "NOT everything" };
                writeln!(f, "sweep: {} files, {extent} around the root", sweep.files)?;
                for gap in &sweep.gaps {
                    writeln!(f, "  {gap}")?;
                }
                if !sweep.not_entered.is_empty() {
                    let paths: Vec<_> = sweep.not_entered.iter().map(|path| path.display().to_string()).collect();
                    writeln!(f, "  other file systems, not entered: {}", paths.join(", "))?;
                }
                for stray in &sweep.strays {
                    writeln!(f, "  STRAY {}", stray.display())?;
                }
            }
        }
        write!(f, "{}", if self.passed { "passed" } else { "NOT passed" })
    }
}

impl Report {
    fn write_scenarios(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scenarios.is_empty() {
            let held = self.scenarios.iter().filter(|scenario| scenario.passed).count();
            let mut hazards: Vec<&str> = self.scenarios.iter().map(|scenario| scenario.hazard).collect();
            hazards.sort_unstable();
            hazards.dedup();
            writeln!(f, "on the disk: {held} of {} scenarios held: {}", self.scenarios.len(), hazards.join(", "))?;
        }
        for Scenario { name, got, .. } in self.scenarios.iter().filter(|scenario| !scenario.passed) {
            writeln!(f, "  GOT THROUGH {name}: {got}")?;
        }
        for NotTried { hazard, reason } in &self.not_tried {
            writeln!(f, "not tried: {hazard}: {reason}")?;
        }
        Ok(())
    }
}
