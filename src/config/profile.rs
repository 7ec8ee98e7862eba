//! Compiled-in profiles.

/// The names of the compiled-in profiles.
pub const PROFILES: &[&str] = &["default", "strict", "dsh", "ci"];

/// The text of the profile `name`.
pub fn profile(name: &str) -> Option<&'static str> {
    Some(match name {
        "default" => include_str!("../../profiles/default.toml"),
        "strict" => include_str!("../../profiles/strict.toml"),
        "dsh" => include_str!("../../profiles/dsh.toml"),
        "ci" => include_str!("../../profiles/ci.toml"),
        _ => return None,
    })
}
