//! `wsguard allow`: lets agents create in a place.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::failure::{Failure, Kind};
use super::output;
use super::place::{Place, operator_only};
use crate::home::Home;
use crate::ledger::{Audit, Grant, Grants, NewGrant, Scope, stamp};
use crate::path::{Model, resolve};
use crate::world::{RealWorld, World};

/// Lets agents create a path and everything below it. For the operator: an agent can't allow anything.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wsguard allow /srv/site                  until it is revoked
  wsguard allow /srv/site --for 2h
  wsguard allow ~/notes.md --once          for one tool call
  wsguard allow /srv/site --session 01a22b44-d425-7073-9b92-d63a9d9093ba")]
pub struct Args {
    /// The file or folder; it need not exist.
    path: String,
    /// Only for this session.
    #[arg(long, value_name = "ID", group = "scope", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    session: Option<String>,
    /// Only for a time: 30s, 15m, 2h, 7d or 1h30m.
    #[arg(long = "for", value_name = "TIME", group = "scope", value_parser = duration)]
    time: Option<u64>,
    /// Only for the next tool call that needs it.
    #[arg(long, group = "scope")]
    once: bool,
    /// Also where the path is the home folder or a whole drive.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    operator_only("allow")?;
    let place = Place::find()?;
    let path = real_path(&place.cwd, &args.path)?;
    check_width(&path, &place.home, args.force)?;
    let scope = match (&args.session, args.time, args.once) {
        (Some(_), ..) => Scope::Session,
        (_, Some(_), _) => Scope::Until,
        (.., true) => Scope::Once,
        _ => Scope::Forever,
    };
    let by = operator();
    let new = NewGrant {
        path: &path,
        scope,
        session: args.session.as_deref(),
        until_ms: args.time.map(|ms| stamp::now_ms().saturating_add(ms)),
        by: &by,
    };
    let grant = give(&place.home, &new)?;
    if args.json {
        output::print_json(&grant)?;
    } else {
        output::println(format_args!("Allowed: {path}, {} (number {})", holds(&grant), grant.id))?;
        output::hint(format_args!("take it back with: wsguard revoke {}", grant.id));
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives a grant, with its intent and outcome on file.
fn give(home: &Home, new: &NewGrant<'_>) -> anyhow::Result<Grant> {
    let audit = Audit::at(home);
    let until = new.until_ms.map(stamp::format_utc);
    let data = json!({
        "path": new.path, "scope": new.scope, "session": new.session, "until": until, "by": new.by,
    });
    let intent = audit.intent("grant", &data).map_err(Failure::from)?;
    let given = Grants::add(home, new);
    let outcome = match &given {
        Ok(grant) => json!({"ok": true, "id": grant.id}),
        Err(error) => json!({"ok": false, "error": error.to_string()}),
    };
    intent.outcome(&outcome).map_err(Failure::from)?;
    Ok(given.map_err(Failure::from)?)
}

/// How long a grant holds, for people.
pub(super) fn holds(grant: &Grant) -> String {
    match grant.scope {
        Scope::Forever => "until it is revoked".to_owned(),
        Scope::Session => format!("in session {}", grant.session.as_deref().unwrap_or("?")),
        Scope::Until => format!("until {}", grant.until.as_deref().unwrap_or("?")),
        Scope::Once if grant.used_by.is_some() => "for one call, used".to_owned(),
        Scope::Once => "for one call".to_owned(),
    }
}

/// The user who runs this, by name.
pub(super) fn operator() -> String {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    name.filter(|n| !n.is_empty())
        .unwrap_or_else(|| crate::sys::user_id().map_or_else(|| "unknown".to_owned(), |id| format!("user {id}")))
}

/// `text` as the gate compares paths: absolute, normal, links followed.
pub(super) fn real_path(cwd: &str, text: &str) -> anyhow::Result<String> {
    let world = RealWorld::default();
    let model = Model::native();
    if text.is_empty() || text.contains('\0') {
        return Err(Failure::msg(Kind::Usage, "path_empty", "the path is empty or holds a zero byte").into());
    }
    // As in the configuration; the shell has done it already, unless the word was quoted.
    let from_home = text.strip_prefix('~').or_else(|| text.strip_prefix("$HOME"));
    let from_home = from_home.filter(|r| r.is_empty() || r.starts_with(|c| model.is_separator(c)));
    let path = match (from_home, world.home()) {
        (Some(rest), Some(home)) => model.normalize(&format!("{home}{rest}")),
        _ => model.join(cwd, text),
    };
    let resolved = resolve(&world, &path, true);
    if resolved.unresolvable {
        let text = format!("the links of {path} lead in a circle");
        return Err(Failure::msg(Kind::Data, "path_links", text).into());
    }
    Ok(resolved.path)
}

/// Refuses what is too wide to be meant, and what no grant can open.
fn check_width(path: &str, home: &Home, force: bool) -> anyhow::Result<()> {
    let world = RealWorld::default();
    let model = Model::native();
    let real = |p: &str| resolve(&world, &model.normalize(p), true).path;
    let own = home.path().to_str().map(real);
    if own.is_some_and(|own| model.is_within(path, &own)) {
        let text = format!("{path} belongs to the guard itself, and no grant opens that");
        let hint = "name another folder; what lies here is changed by hand, or with `wsguard config`";
        return Err(Failure::msg(Kind::Usage, "allow_own", text).hint(hint).into());
    }
    if force {
        return Ok(());
    }
    let user = world.home().map(|h| real(&h));
    let what = if model.parent(path).is_none() {
        "a whole drive"
    } else if user.is_some_and(|user| model.is_within(&user, path)) {
        "the home folder, or holds it"
    } else if is_mount(Path::new(path)) {
        "the top of a whole mount"
    } else {
        return Ok(());
    };
    let text = format!("{path} is {what}: agents could create anything in it");
    Err(Failure::msg(Kind::Usage, "allow_wide", text).hint("name the folder that is needed, or add --force").into())
}

/// Whether something is mounted at `path`.
#[cfg(unix)]
fn is_mount(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let device = |p: &Path| p.metadata().map(|m| m.dev()).ok();
    let parent = path.parent().and_then(device);
    parent.is_some() && device(path).is_some_and(|d| Some(d) != parent)
}

/// A volume in a folder is a link to the volume's root here, and that was followed.
#[cfg(not(unix))]
const fn is_mount(_path: &Path) -> bool {
    false
}

/// Milliseconds of `1h30m`.
pub(super) fn duration(text: &str) -> Result<u64, String> {
    const MAX_MS: u64 = 10 * 366 * 86_400_000;
    let bad = || "a number and a unit (s, m, h, d), such as 2h or 1h30m, at most ten years".to_owned();
    let mut total = 0u64;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(bad)?;
        let (number, tail) = rest.split_at(end);
        let unit = tail.chars().next().ok_or_else(bad)?;
        let ms = match unit {
            's' => 1000,
            'm' => 60_000,
            'h' => 3_600_000,
            'd' => 86_400_000,
            _ => return Err(bad()),
        };
        let number: u64 = number.parse().map_err(|_| bad())?;
        total = number.checked_mul(ms).and_then(|n| n.checked_add(total)).ok_or_else(bad)?;
        rest = &tail[1..];
    }
    if total == 0 || total > MAX_MS { Err(bad()) } else { Ok(total) }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations() {
        let check = |text: &str, want: Option<u64>| assert_eq!(duration(text).ok(), want, "{text}");
        check("30s", Some(30_000));
        check("2h", Some(7_200_000));
        check("1h30m", Some(5_400_000));
        check("7d", Some(604_800_000));
        for text in ["", "2", "h", "2x", "-2h", "2h3", "0s", "1.5h", "99999999999999999999d", "9999999d", "2é"] {
            check(text, None);
        }
    }
}
