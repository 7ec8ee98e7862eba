//! `wsguard revoke`: takes back what was allowed.

use std::process::ExitCode;

use serde_json::json;

use super::allow::{operator, real_path};
use super::failure::{Failure, Kind};
use super::output;
use super::place::{Place, operator_only};
use crate::ledger::{Audit, Grant, Grants};

/// Takes back what was allowed, by path or by number. For the operator.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  wsguard revoke /srv/site\n  wsguard revoke 3")]
pub struct Args {
    /// Paths as they were allowed, or numbers as `wsguard grants` shows them.
    #[arg(required = true, value_name = "PATH|NUMBER")]
    which: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    operator_only("revoke")?;
    let place = Place::find()?;
    let picks = args.which.iter().map(|which| Pick::of(&place, which)).collect::<anyhow::Result<Vec<_>>>()?;
    let known = Grants::load(&place.home).map_err(Failure::from)?;
    // Everything that was named, or nothing.
    if let Some(pick) = picks.iter().find(|pick| !known.iter().any(|grant| pick.takes(grant))) {
        let text = format!("nothing is allowed as {}", pick.named);
        return Err(Failure::msg(Kind::Missing, "grant_missing", text).hint("wsguard grants lists what is").into());
    }
    let gone = revoke(&place, &picks)?;
    if args.json {
        output::print_json(&gone)?;
    } else {
        for grant in &gone {
            output::println(format_args!("Revoked: {} (number {})", grant.path, grant.id))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What one argument means.
struct Pick<'a> {
    named: &'a str,
    number: Option<u64>,
    /// As the path leads today.
    path: Option<String>,
}

impl<'a> Pick<'a> {
    fn of(place: &Place, named: &'a str) -> anyhow::Result<Self> {
        let number = named.parse().ok();
        let path = if number.is_none() { Some(real_path(&place.cwd, named)?) } else { None };
        Ok(Self { named, number, path })
    }

    fn takes(&self, grant: &Grant) -> bool {
        match self.number {
            Some(number) => grant.id == number,
            None => grant.path == self.named || Some(&grant.path) == self.path.as_ref(),
        }
    }
}

fn revoke(place: &Place, picks: &[Pick<'_>]) -> anyhow::Result<Vec<Grant>> {
    let named: Vec<_> = picks.iter().map(|p| p.named).collect();
    let audit = Audit::at(&place.home);
    let intent = audit.intent("revoke", &json!({"which": named, "by": operator()})).map_err(Failure::from)?;
    let gone = Grants::revoke(&place.home, |grant| picks.iter().any(|pick| pick.takes(grant)));
    let outcome = match &gone {
        Ok(gone) => json!({"ok": true, "grants": gone}),
        Err(error) => json!({"ok": false, "error": error.to_string()}),
    };
    intent.outcome(&outcome).map_err(Failure::from)?;
    Ok(gone.map_err(Failure::from)?)
}
