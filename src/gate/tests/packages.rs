//! Package managers: what goes into the session's folders passes, what goes elsewhere follows `package_installs`.

use super::{Case, Rule};
use crate::world::FakeWorld;

fn case() -> Case {
    let mut case = Case::new();
    let environment = |world: FakeWorld, at: &str| {
        world
            .file(&format!("{at}/pyvenv.cfg"), "")
            .file(&format!("{at}/bin/pip"), "")
            .file(&format!("{at}/bin/python"), "")
    };
    let mut world =
        case.world.clone().var("PATH", "/usr/local/bin:/usr/bin").file("/usr/bin/pip", "").file("/usr/bin/uv", "");
    for at in ["/home/u/proj/.venv", "/home/u/envs/ml", "/opt/env"] {
        world = environment(world, at);
    }
    // As venv writes it: where the environment is depends on the system.
    let text = "if [ \"$OSTYPE\" = cygwin ]; then VIRTUAL_ENV=$(cygpath /x); else VIRTUAL_ENV=/home/u/proj/.venv; fi\n\
                export VIRTUAL_ENV\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\nexport PATH\n";
    case.world = world.file("/home/u/proj/.venv/bin/activate", text);
    case
}

fn broken(case: &Case, command: &str) -> Option<Rule> {
    case.shell(command).broken.map(|(rule, _)| rule)
}

#[test]
fn what_goes_into_the_project_needs_no_leave() {
    let case = case();
    for command in [
        ".venv/bin/pip install x",
        ".venv/bin/python -m pip install -r requirements.txt",
        "source .venv/bin/activate && pip install x",
        ". ./.venv/bin/activate; python -m pip install x",
        "bash -c 'source .venv/bin/activate && pip install -q x'",
        "source .venv/bin/activate; bash -c 'pip install x'",
        "export PATH=$PWD/.venv/bin:$PATH; pip install x",
        "python3 -m venv env && env/bin/pip install x",
        "python3 -m venv env && source env/bin/activate && pip install x",
        "virtualenv /tmp/v && /tmp/v/bin/pip install x",
        "uv pip install x",
        "cd src && uv pip install x",
        "uv venv other && VIRTUAL_ENV=$PWD/other uv pip install x",
        "pip install --target vendor x",
        "npm install",
        "npm install lodash",
        "npm install -g --prefix ./local x",
        "GOBIN=$PWD/bin go install example.com/x@latest",
        "cargo install --path . --root ./built",
    ] {
        assert_eq!(broken(&case, command), None, "{command}");
    }
}

#[test]
fn what_installs_nothing_needs_no_leave() {
    let case = case();
    for command in [
        "pip install --dry-run x",
        "pip uninstall -y x",
        "pip list",
        "apt-get update",
        "apt-get install -s jq",
        "apt-get install -y --download-only jq",
        "sudo apt-get remove -y jq",
        "dpkg -l",
        "dpkg -r jq",
        "rpm -qa",
        "pacman -Q",
        "pacman -Ss jq",
        "zypper search jq",
        "nix-env -q",
        "brew list",
    ] {
        assert_eq!(broken(&case, command), None, "{command}");
    }
}

#[test]
fn what_goes_elsewhere_follows_the_setting() {
    let case = case();
    for command in [
        "pip install x",
        "python3 -m pip install x",
        "/usr/bin/pip install x",
        "sudo pip install x",
        "source .venv/bin/activate && sudo pip install x",
        "( . .venv/bin/activate ); pip install x",
        "VIRTUAL_ENV=$PWD/.venv pip install x",
        "/home/u/envs/ml/bin/pip install x",
        "source /home/u/envs/ml/bin/activate && pip install x",
        "VIRTUAL_ENV=/opt/env uv pip install x",
        "uv pip install --system x",
        "uv tool install x",
        "npm i -g x",
        "go install example.com/x@latest",
        "apt-get install -y jq",
        "apt-get update && apt-get install -y jq",
        "dpkg -i x.deb",
        "rpm -U x.rpm",
        "pacman -S jq",
        "zypper --non-interactive install jq",
        "zypper in jq",
    ] {
        assert_eq!(broken(&case, command), Some(Rule::PackageInstall), "{command}");
    }
}

#[test]
fn an_environment_in_use_is_known_from_the_start() {
    let mut case = case();
    case.world =
        case.world.clone().var("PATH", "/home/u/proj/.venv/bin:/usr/bin").var("VIRTUAL_ENV", "/home/u/proj/.venv");
    assert_eq!(broken(&case, "pip install x"), None);
    assert_eq!(broken(&case, "cd /srv/data && uv pip install x"), None);
    assert_eq!(broken(&case, "sudo pip install x"), Some(Rule::PackageInstall));
    case.world = case.world.clone().var("PATH", "/usr/bin:/home/u/proj/.venv/bin");
    assert_eq!(broken(&case, "pip install x"), Some(Rule::PackageInstall));
}

#[test]
fn an_environment_that_the_operator_allowed_needs_no_leave() {
    let mut case = case();
    case.granted = &["/opt/env"];
    assert_eq!(broken(&case, "/opt/env/bin/pip install x"), None);
    assert_eq!(broken(&case, "/home/u/envs/ml/bin/pip install x"), Some(Rule::PackageInstall));
}

#[test]
fn no_environment_lies_behind_the_fence() {
    let mut case = case();
    case.world = case.world.clone().file("/home/u/.wsguard/bin/pip", "").file("/home/u/.wsguard/pyvenv.cfg", "");
    assert_eq!(broken(&case, "/home/u/.wsguard/bin/pip install x"), Some(Rule::Fence));
}
