//! Which entries are meant, and in which order.

use clap::ValueEnum;

use crate::cli::allow::duration;
use crate::cli::units::parse_bytes;
use crate::ledger::observed::Grade;
use crate::ledger::{Row, State};
use crate::path::Model;

/// What an entry's state may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Wanted {
    /// Nobody has looked at it.
    Pending,
    /// It is an agent's.
    Confirmed,
    /// It is none of our business.
    Dismissed,
    /// It is there no more.
    Gone,
    /// Whatever its state.
    All,
}

/// By what entries are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// By path.
    Path,
    /// The newest first.
    Age,
    /// The largest first; what was not measured comes last.
    Size,
    /// By session, then path.
    Session,
    /// By state, then path.
    State,
}

/// How sure the attribution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Sure {
    /// Only one call can have made it.
    Certain,
    /// Its maker is named by the command or by owner and time.
    Likely,
    /// Several calls can have made it.
    Ambiguous,
    /// Nothing speaks for any call.
    Unattributed,
}

/// Options that pick entries.
#[derive(Debug, clap::Args)]
pub(super) struct Select {
    /// Only those that this session made, or may have made.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only those of sessions of this harness.
    #[arg(long, value_name = "NAME")]
    harness: Option<String>,
    /// Only those in this folder.
    #[arg(long, value_name = "DIR")]
    root: Option<String>,
    /// Only those in these states.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "pending,confirmed")]
    state: Vec<Wanted>,
    /// Only those whose maker is known so surely.
    #[arg(long, value_enum, value_delimiter = ',')]
    grade: Vec<Sure>,
    /// Only those that were first seen longer ago than this: 30s, 15m, 2h, 7d.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    older: Option<u64>,
    /// Only those that were first seen within this time.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    newer: Option<u64>,
    /// Only those that are at least so large: 1500, 10K, 1.5M, 2G.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    min_size: Option<u64>,
    /// Only those that are at most so large.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_size: Option<u64>,
    /// The order.
    #[arg(long, value_enum, default_value = "age")]
    sort: Order,
    /// The other way round.
    #[arg(long)]
    reverse: bool,
    /// At most so many.
    #[arg(short = 'n', long, value_name = "NUMBER")]
    limit: Option<usize>,
}

impl Select {
    /// The entries that are meant, in order. `now` is in milliseconds since 1970.
    pub(super) fn pick<'a>(&self, rows: impl Iterator<Item = &'a Row>, now: u64) -> anyhow::Result<Vec<&'a Row>> {
        let root = self.root.as_deref().map(super::entry_path).transpose()?;
        let mut picked: Vec<&Row> = rows.filter(|row| self.takes(row, root.as_deref(), now)).collect();
        let largest_first = |row: &Row| std::cmp::Reverse(row.bytes);
        // Rows come by path, and sorting keeps the order of equals.
        match self.sort {
            Order::Path => {}
            Order::Age => picked.sort_by_key(|row| std::cmp::Reverse(row.seen_ms())),
            Order::Size => picked.sort_by_key(|row| largest_first(row)),
            Order::Session => picked.sort_by(|a, b| a.session.cmp(&b.session)),
            Order::State => picked.sort_by_key(|row| (!row.is_present(), row.state)),
        }
        if self.reverse {
            picked.reverse();
        }
        picked.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(picked)
    }

    fn takes(&self, row: &Row, root: Option<&str>, now: u64) -> bool {
        let age = row.seen_ms().map(|seen| now.saturating_sub(seen));
        let size = row.bytes;
        self.state.iter().any(|wanted| is_in(row, *wanted))
            && (self.grade.is_empty() || self.grade.iter().any(|sure| grade(*sure) == row.attribution.grade))
            && self.session.as_deref().is_none_or(|id| may_be_of(row, id))
            && self.harness.as_deref().is_none_or(|name| row.harness == name)
            && root.is_none_or(|root| is_within(&row.path, root))
            && self.older.is_none_or(|least| age.is_some_and(|age| age >= least))
            && self.newer.is_none_or(|most| age.is_some_and(|age| age <= most))
            && self.min_size.is_none_or(|least| size.is_some_and(|size| size >= least))
            && self.max_size.is_none_or(|most| size.is_some_and(|size| size <= most))
    }
}

/// Whether `path`, in whatever spelling it was noted, is `root` or lies in it.
fn is_within(path: &str, root: &str) -> bool {
    let model = Model::native();
    model.is_within(&model.normalize(path), root)
}

fn is_in(row: &Row, wanted: Wanted) -> bool {
    match wanted {
        Wanted::All => true,
        Wanted::Gone => !row.is_present(),
        Wanted::Pending => row.is_present() && row.state == State::Pending,
        Wanted::Confirmed => row.is_present() && row.state == State::Confirmed,
        Wanted::Dismissed => row.is_present() && row.state == State::Dismissed,
    }
}

fn grade(sure: Sure) -> Grade {
    match sure {
        Sure::Certain => Grade::Certain,
        Sure::Likely => Grade::Likely,
        Sure::Ambiguous => Grade::Ambiguous,
        Sure::Unattributed => Grade::Unattributed,
    }
}

fn may_be_of(row: &Row, session: &str) -> bool {
    row.session.as_deref() == Some(session) || row.attribution.candidates.iter().any(|c| c.session == session)
}
