//! The manual of the settings, made from their table.

use super::settings::{SETTINGS, Setting};

const INTRODUCTION: &str = "\
# Configuration

<!-- Made by `wsguard config list --markdown`; a test keeps it in step. -->

`HOME` is `$WSGUARD_HOME`, else `$DSH_HOME`, else `~/.wsguard` (Windows: `%USERPROFILE%\\.wsguard`).

A value comes from the last of these layers that gives one:

1. the defaults below,
2. the compiled-in profile that `profile` names,
3. `HOME/config.toml`,
4. the environment: `WSGUARD_` and the setting's name in capitals. An empty variable counts as not set, a list is
   separated like `PATH`, a switch is `true`, `1`, `on`, `yes` or `false`, `0`, `off`, `no`,
5. `.wsguard.toml` in the project's folder, which can only tighten: what would loosen is ignored, and
   `wsguard config show` says so.

All settings are top-level keys (`key = value`); there are no tables. Paths are absolute, or start with `~/` or
`$HOME/`, both the user's home folder. The environment is that of the harness; whoever sets it is trusted like the
operator.

What can't be read counts as closed: a file that is there but is unreadable, larger than 256 KiB, not UTF-8 or not
TOML, an unknown key, a value of a wrong type or out of range. The gate then refuses every call that writes or runs
something, and names file, line and key. `wsguard config check` lists all that is wrong; `wsguard config show` says
where each value came from; `wsguard config set KEY VALUE` changes one line and keeps all others.

The names of the published dsh-workspace-mgr plugin are accepted as aliases, at the top level. Both spellings at once
are an error.

## Profiles

| profile | what it is for |
|---|---|
| `default` | the defaults, spelled out |
| `strict` | both shell rules, no changes of what exists outside, no package installs |
| `dsh` | the published plugin's rules and names |
| `ci` | an unattended machine that is thrown away afterwards |

## Settings
";

/// `docs/CONFIG.md`.
pub fn manual() -> String {
    SETTINGS.iter().fold(INTRODUCTION.to_owned(), |out, setting| out + &section(setting))
}

fn section(setting: &Setting) -> String {
    let name = setting.key.name();
    let alias = setting.alias.map_or_else(String::new, |alias| format!("- alias: `{alias}`\n"));
    format!(
        "\n### `{name}`\n\n{}\n\n- default: `{}`\n- takes: {}\n{alias}- environment: `{}`\n- in a project: {}\n",
        setting.doc,
        setting.default,
        setting.takes(),
        setting.key.env_name(),
        setting.project,
    )
}

/// Every setting with its default and what it does, for a terminal.
pub fn summary() -> String {
    SETTINGS.iter().map(entry).collect::<Vec<_>>().join("\n")
}

fn entry(setting: &Setting) -> String {
    let alias = setting.alias.map_or_else(String::new, |alias| format!("; alias {alias}"));
    let text = format!("{} Takes {}.", setting.doc, setting.takes());
    format!(
        "{} = {}\n    {}\n    {}{alias}; in a project: {}\n",
        setting.key.name(),
        setting.default,
        wrap(&text, 84).join("\n    "),
        setting.key.env_name(),
        setting.project,
    )
}

/// Lines of at most `width` characters where words allow it; back-quotes are for the manual only.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.replace('`', "").split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_is_in_step() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CONFIG.md");
        let stored = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(stored == manual(), "run: cargo run --bin wsguard -- config list --markdown > docs/CONFIG.md");
    }

    #[test]
    fn every_setting_is_documented() {
        let (manual, summary) = (manual(), summary());
        for setting in SETTINGS {
            assert!(setting.doc.ends_with('.') && setting.doc.len() > 20, "{:?}", setting.key);
            assert!(!setting.project.is_empty() && !setting.default.is_empty(), "{:?}", setting.key);
            assert!(manual.contains(&format!("\n### `{}`\n", setting.key.name())), "{:?}", setting.key);
            assert!(summary.contains(&format!("{} = {}\n", setting.key.name(), setting.default)), "{:?}", setting.key);
        }
    }

    #[test]
    fn every_profile_is_documented() {
        for name in super::super::PROFILES {
            assert!(INTRODUCTION.contains(&format!("\n| `{name}` |")), "{name}");
        }
    }
}
