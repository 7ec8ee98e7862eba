//! Putting a value into a policy: as it is, or only where it tightens.

use super::policy::{Policy, ShellMode};
use super::settings::Key;
use super::value::Value;
use crate::path::Model;

/// Why a project's value was not applied.
pub(super) type Ignored = &'static str;

const LOOSENS: Ignored = "a project can only tighten";
const OPERATORS: Ignored = "only the operator's own configuration sets this";

/// Sets `key`. A value of another type than the key's can't come from the readers and changes nothing.
pub(super) fn set(policy: &mut Policy, key: Key, value: Value) {
    match (key, value) {
        (Key::Gate, Value::Gate(on, action)) => {
            policy.gate = on;
            policy.action = action.unwrap_or(policy.action);
        }
        (Key::ProtectDrives, Value::List(v)) => policy.protect_drives = v,
        (Key::Shell, Value::Shell(v)) => policy.shell = v,
        (Key::Action, Value::Action(v)) => policy.action = v,
        (Key::Fail, Value::Fail(v)) => policy.fail = v,
        (Key::HookDeadlineMs, Value::Int(v)) => policy.hook_deadline_ms = v,
        (Key::AllowRoots, Value::List(v)) => policy.allow_roots = v,
        (Key::ProtectExisting, Value::Bool(v)) => policy.protect_existing = v,
        (Key::AllowHomeAsProject, Value::Bool(v)) => policy.allow_home_as_project = v,
        (Key::Opaque, Value::Choice(v)) => policy.opaque = v,
        (Key::PackageInstalls, Value::Choice(v)) => policy.package_installs = v,
        (Key::ScratchRoot, Value::Text(v)) => policy.scratch_root = Some(v),
        (Key::AutoCleanScratch, Value::Bool(v)) => policy.auto_clean_scratch = v,
        (Key::ScratchTtlHours, Value::Int(v)) => policy.scratch_ttl_hours = v,
        (Key::RedirectTemp, Value::Bool(v)) => policy.redirect_temp = v,
        (Key::Prompt, Value::Bool(v)) => policy.prompt = v,
        (Key::ScanRoots, Value::List(v)) => policy.scan_roots = v,
        (Key::ScanDepth, Value::Int(v)) => policy.scan_depth = v,
        (Key::ScanIgnore, Value::List(v)) => policy.scan_ignore = v,
        (Key::ScanCap, Value::Int(v)) => policy.scan_cap = v,
        (Key::Observe, Value::Bool(v)) => policy.observe = v,
        (Key::CallTtlHours, Value::Int(v)) => policy.call_ttl_hours = v,
        _ => {}
    }
}

/// Moves `key` towards `value` as far as that is stricter.
pub(super) fn tighten(policy: &mut Policy, key: Key, value: Value, model: Model) -> Result<(), Ignored> {
    match (key, value) {
        (Key::Gate, Value::Gate(on, action)) => {
            let switch = flag(&mut policy.gate, on, true);
            match action {
                Some(action) => switch.and(at_least(&mut policy.action, action)),
                None => switch,
            }
        }
        (Key::ProtectDrives, Value::List(v)) => drives(&mut policy.protect_drives, v),
        (Key::Shell, Value::Shell(v)) => shell(&mut policy.shell, v),
        (Key::Action, Value::Action(v)) => at_least(&mut policy.action, v),
        (Key::Fail, Value::Fail(v)) => at_least(&mut policy.fail, v),
        (Key::AllowRoots, Value::List(v)) => roots(&mut policy.allow_roots, &v, model),
        (Key::ProtectExisting, Value::Bool(v)) => flag(&mut policy.protect_existing, v, true),
        (Key::AllowHomeAsProject, Value::Bool(v)) => flag(&mut policy.allow_home_as_project, v, false),
        (Key::Opaque, Value::Choice(v)) => at_least(&mut policy.opaque, v),
        (Key::PackageInstalls, Value::Choice(v)) => at_least(&mut policy.package_installs, v),
        (Key::AutoCleanScratch, Value::Bool(v)) => flag(&mut policy.auto_clean_scratch, v, false),
        (Key::ScratchTtlHours, Value::Int(v)) => at_least(&mut policy.scratch_ttl_hours, v),
        (Key::RedirectTemp, Value::Bool(v)) => flag(&mut policy.redirect_temp, v, true),
        (Key::Prompt, Value::Bool(v)) => flag(&mut policy.prompt, v, true),
        (Key::Observe, Value::Bool(v)) => flag(&mut policy.observe, v, true),
        _ => Err(OPERATORS),
    }
}

/// A switch that only goes to `strict`.
fn flag(slot: &mut bool, value: bool, strict: bool) -> Result<(), Ignored> {
    if value == strict || value == *slot {
        *slot = value;
        Ok(())
    } else {
        Err(LOOSENS)
    }
}

/// A value that only grows.
fn at_least<T: Ord>(slot: &mut T, value: T) -> Result<(), Ignored> {
    if value < *slot {
        return Err(LOOSENS);
    }
    *slot = value;
    Ok(())
}

/// What either denies is denied.
fn shell(slot: &mut ShellMode, value: ShellMode) -> Result<(), Ignored> {
    use ShellMode::{Off, Precise, Strict, StrictAndPrecise};
    *slot = match (*slot, value) {
        (now, value) if now == value => now,
        (Off, value) => value,
        (_, StrictAndPrecise) | (Precise, Strict) | (Strict, Precise) => StrictAndPrecise,
        _ => return Err(LOOSENS),
    };
    Ok(())
}

/// Both lists' drives; naming fewer than are protected is an attempt to loosen, though the named ones are added.
fn drives(slot: &mut Vec<String>, value: Vec<String>) -> Result<(), Ignored> {
    let fewer = slot.iter().any(|drive| !value.contains(drive));
    for drive in value {
        if !slot.contains(&drive) {
            slot.push(drive);
        }
    }
    if fewer { Err("drives are only added: those of the operator stay protected") } else { Ok(()) }
}

/// What both lists cover.
fn roots(slot: &mut Vec<String>, value: &[String], model: Model) -> Result<(), Ignored> {
    let inside = |path: &String, roots: &[String]| roots.iter().any(|root| model.is_within(path, root));
    let beyond = value.iter().any(|root| !inside(root, slot));
    let mut both: Vec<String> = slot.iter().filter(|root| inside(root, value)).cloned().collect();
    for root in value.iter().filter(|root| inside(root, slot)) {
        if !inside(root, &both) {
            both.push(root.clone());
        }
    }
    *slot = both;
    if beyond { Err("roots are only removed: those beyond the operator's stay forbidden") } else { Ok(()) }
}

/// The value that `policy` holds for `key`; `None` for a profile and for a scratch root that is not set.
pub(super) fn get(policy: &Policy, key: Key) -> Option<Value> {
    Some(match key {
        Key::Profile => return None,
        Key::Gate => Value::Gate(policy.gate, None),
        Key::ProtectDrives => Value::List(policy.protect_drives.clone()),
        Key::Shell => Value::Shell(policy.shell),
        Key::Action => Value::Action(policy.action),
        Key::Fail => Value::Fail(policy.fail),
        Key::HookDeadlineMs => Value::Int(policy.hook_deadline_ms),
        Key::AllowRoots => Value::List(policy.allow_roots.clone()),
        Key::ProtectExisting => Value::Bool(policy.protect_existing),
        Key::AllowHomeAsProject => Value::Bool(policy.allow_home_as_project),
        Key::Opaque => Value::Choice(policy.opaque),
        Key::PackageInstalls => Value::Choice(policy.package_installs),
        Key::ScratchRoot => Value::Text(policy.scratch_root.clone()?),
        Key::AutoCleanScratch => Value::Bool(policy.auto_clean_scratch),
        Key::ScratchTtlHours => Value::Int(policy.scratch_ttl_hours),
        Key::RedirectTemp => Value::Bool(policy.redirect_temp),
        Key::Prompt => Value::Bool(policy.prompt),
        Key::ScanRoots => Value::List(policy.scan_roots.clone()),
        Key::ScanDepth => Value::Int(policy.scan_depth),
        Key::ScanIgnore => Value::List(policy.scan_ignore.clone()),
        Key::ScanCap => Value::Int(policy.scan_cap),
        Key::Observe => Value::Bool(policy.observe),
        Key::CallTtlHours => Value::Int(policy.call_ttl_hours),
    })
}
