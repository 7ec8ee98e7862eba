//! The kinds of complaints.rs that are about PowerShell, cmd and paths with drives, judged on a described machine by
//! the code that judges them there.

use workspace_guard::{
    config::Policy,
    gate::{Inputs, Judgement, Place, Standing, Tool, ToolCall, Verdict, judge},
    path::Model,
    shell::{Dialect, Target},
    world::FakeWorld,
};

use Dialect::{Bash, Cmd, PowerShell};

/// A command in its shell, and the path that is refused; none where it passes.
type Case = (Dialect, &'static str, Option<&'static str>);

/// Each with `protect_existing`.
const KINDS: &[(&str, &[Case])] = &[
    (
        "a removal has many names, and the shell's dialect alone says which",
        &[
            (PowerShell, r"Remove-Item -Recurse D:\data\store", Some(r"D:\data\store")),
            (PowerShell, r"rm -r -fo D:\data\store", Some(r"D:\data\store")),
            (PowerShell, r"ri D:\data\store -Recurse -Force", Some(r"D:\data\store")),
            (PowerShell, r"rmdir D:\data\store", Some(r"D:\data\store")),
            (PowerShell, r"rd -Path D:\data\store", Some(r"D:\data\store")),
            (PowerShell, r"del D:\data\store\prices.csv", Some(r"D:\data\store\prices.csv")),
            (PowerShell, r"erase D:\data\store\prices.csv", Some(r"D:\data\store\prices.csv")),
            (PowerShell, r"Get-ChildItem D:\data\store | Remove-Item", Some(r"D:\data\store")),
            (PowerShell, r"$old = 'D:\data\store'; Remove-Item $old -Recurse", Some(r"D:\data\store")),
            (Cmd, r"rd /s /q D:\data\store", Some(r"D:\data\store")),
            (Cmd, r"rmdir /s D:\data\store", Some(r"D:\data\store")),
            (Cmd, r"del /f D:\data\store\prices.csv", Some(r"D:\data\store\prices.csv")),
            (Cmd, r"erase D:\data\store\prices.csv", Some(r"D:\data\store\prices.csv")),
            (Bash, "rm -rf /d/data/store", Some(r"D:\data\store")),
            (PowerShell, r"Remove-Item -Recurse -Force .\cache", None),
            (PowerShell, r"rm -Recurse cache", None),
            (Cmd, r"rd /s /q cache", None),
            (PowerShell, r"Remove-Item D:\data\store -Recurse -WhatIf", None),
            (PowerShell, r"Remove-Item HKCU:\Software\Shop", None),
        ],
    ),
    (
        "a quoted path with a blank stays whole",
        &[
            (PowerShell, r#"Remove-Item $x; & "C:\Program Files\Git\bin\sh.exe" -c "pwd""#, None),
            (PowerShell, r#"Get-Content "D:\data\my file.txt""#, None),
            (Cmd, r#""C:\Program Files\Git\bin\sh.exe" -c "ls""#, None),
            (PowerShell, r#"mkdir "D:\data\my new""#, Some(r"D:\data\my new")),
            (Cmd, r#"md "D:\data\my new""#, Some(r"D:\data\my new")),
            (PowerShell, r#"& "C:\Program Files\Git\bin\sh.exe" -c "mkdir /d/data/n""#, Some(r"D:\data\n")),
        ],
    ),
    (
        "what `/d/x` means depends on the shell",
        &[
            (PowerShell, r"git -C D:\repo worktree add --detach /d/trees/a", Some(r"D:\d\trees\a")),
            (Cmd, r"git -C D:\repo worktree add /d/trees/a", Some(r"D:\d\trees\a")),
            (PowerShell, r"mkdir /d/trees", Some(r"D:\d\trees")),
            (Bash, "git -C /d/repo worktree add --detach /d/trees/a", Some(r"D:\trees\a")),
            (Bash, "mkdir /d/trees", Some(r"D:\trees")),
            (Bash, "mkdir /d/kim/shop/n", None),
        ],
    ),
    (
        "a change of folder moves what follows",
        &[
            (PowerShell, r"Set-Location D:\data; New-Item n.txt", Some(r"D:\data\n.txt")),
            (PowerShell, r"Push-Location D:\data; 'x' > n.txt; Pop-Location; 'x' > n.txt", Some(r"D:\data\n.txt")),
            (Cmd, r"cd /d D:\data && md n", Some(r"D:\data\n")),
            (Cmd, r"pushd D:\data & md n & popd", Some(r"D:\data\n")),
            (PowerShell, r"Set-Location D:\data; Get-ChildItem", None),
        ],
    ),
    (
        "text is no command, and a quoted sign is a character",
        &[
            (PowerShell, r"Write-Output 'mkdir D:\data\n'", None),
            (PowerShell, "@'\nmkdir D:\\data\\n > D:\\data\\m\n'@ | Set-Content notes.md", None),
            (PowerShell, r#"git commit -m "a; ni D:\data\n""#, None),
            (PowerShell, r"# mkdir D:\data\n", None),
            (Cmd, r"echo md D:\data\n", None),
            (Cmd, r"echo a ^> D:\data\n", None),
            (Cmd, r#"git commit -m "a & md D:\data\n""#, None),
            (Cmd, r"rem md D:\data\n", None),
            (PowerShell, r"ssh web1 'rm -r D:\data\store'", None),
        ],
    ),
    (
        "what another shell is given is run",
        &[
            (PowerShell, r"powershell -NoProfile -Command mkdir D:\data\n", Some(r"D:\data\n")),
            (PowerShell, r#"cmd /c "md D:\data\n""#, Some(r"D:\data\n")),
            (PowerShell, r"iex 'mkdir D:\data\n'", Some(r"D:\data\n")),
            (PowerShell, r"bash -c 'mkdir /d/data/n'", Some(r"D:\data\n")),
            (Cmd, r#"powershell -c "ni D:\data\n""#, Some(r"D:\data\n")),
            (Cmd, r#"cmd /c "if not exist D:\data\n md D:\data\n""#, Some(r"D:\data\n")),
            (Cmd, r"call md D:\data\n", Some(r"D:\data\n")),
            (Cmd, r"start /b cmd /c md D:\data\n", Some(r"D:\data\n")),
        ],
    ),
    (
        "one harmless part covers no other, and a loop's body counts",
        &[
            (PowerShell, r"git status; mkdir D:\data\n", Some(r"D:\data\n")),
            (PowerShell, r#"foreach ($i in 1, 2) { mkdir "D:\data\n$i" }"#, Some(r"D:\data\n2")),
            (PowerShell, r"1..2 | ForEach-Object { 'mkdir D:\data\n' | Out-Null }", None),
            (Cmd, r"git status & md D:\data\n", Some(r"D:\data\n")),
            (Cmd, r"for %i in (1 2) do md D:\data\n%i", Some(r"D:\data\n2")),
            (Cmd, r"if exist a.txt (md D:\data\n) else echo md D:\data\m", None),
        ],
    ),
    (
        "a repository's own folder is reached by any spelling",
        &[
            (PowerShell, r"Add-Content .git\config x", Some(r"D:\kim\shop\.git\config")),
            (PowerShell, r"'x' > .GIT\hooks\post-merge", Some(r"D:\kim\shop\.GIT\hooks\post-merge")),
            (Cmd, r"echo x>>.git\config", Some(r"D:\kim\shop\.git\config")),
            (Cmd, r"git config user.name k", None),
        ],
    ),
    (
        "a junction, a drive made by subst and a short name lead where they lead",
        &[
            (PowerShell, r"mkdir out\n", Some(r"D:\kim\shop\out\n")),
            (Cmd, r"md out\n", Some(r"D:\kim\shop\out\n")),
            (Cmd, r"cd out && md n", Some(r"D:\kim\shop\out\n")),
            (Bash, "cp a.txt out/n.txt", Some(r"D:\kim\shop\out\n.txt")),
            (Bash, "mkdir /s/n", Some(r"S:\n")),
            (Cmd, r"md S:\n", Some(r"S:\n")),
            (PowerShell, r"'x' > s:\n.txt", Some(r"S:\n.txt")),
            (Cmd, r"echo x> D:\LONGNA~1\n.txt", Some(r"D:\LONGNA~1\n.txt")),
            (PowerShell, r"mkdir in\n", None),
            (Cmd, r"md T:\n", None),
            (Bash, "mkdir /t/n", None),
            (Cmd, r"md D:\KIM\SHOPLO~1\n", None),
        ],
    ),
    (
        "a place is one place, however it is spelled",
        &[
            (PowerShell, r"mkdir \\?\D:\data\n", Some(r"D:\data\n")),
            (PowerShell, r"mkdir \\localhost\D$\data\n", Some(r"D:\data\n")),
            (Cmd, r"md d:\DATA\n", Some(r"D:\data\n")),
            (Cmd, r"md D:/data/n", Some(r"D:\data\n")),
            (Bash, r"mkdir 'D:\DATA\n'", Some(r"D:\data\n")),
            (Bash, "mkdir //localhost/d$/data/n", Some(r"D:\data\n")),
            (PowerShell, r"'x' > D:\data\n.txt:stream", Some(r"D:\data\n.txt")),
            (Cmd, r"echo x> D:\data\store\prices.csv::$DATA", Some(r"D:\data\store\prices.csv")),
            (PowerShell, r"mkdir \\?\D:\kim\shop\n", None),
            (Cmd, r"md d:\KIM\Shop\n", None),
            (Bash, "mkdir 'd:/Kim/SHOP/n'", None),
        ],
    ),
    (
        "a device is no file, but for a POSIX shell",
        &[
            (PowerShell, r"npm test > $null 2>&1", None),
            (Cmd, r"npm test > nul 2>&1", None),
            (Cmd, r"copy a.txt nul", None),
            (Cmd, r"type con", None),
            (Bash, "npm test > /dev/null 2>&1", None),
            (Bash, "npm test > nul", Some(r"D:\kim\shop\nul")),
            (Bash, "npm test 2> NUL", Some(r"D:\kim\shop\NUL")),
            (Bash, "touch aux.c", Some(r"D:\kim\shop\aux.c")),
        ],
    ),
];

fn judged(dialect: Dialect, command: &str) -> Judgement {
    let world = FakeWorld::new(Model::Windows)
        .with_home(r"D:\kim")
        .var("TEMP", r"D:\kim\AppData\Temp")
        .dir(r"D:\kim\AppData\Temp")
        .dir(r"D:\kim\shop\cache")
        .file(r"D:\kim\shop\.git\config", "")
        .dir(r"D:\kim\shop\.git\hooks")
        .file(r"D:\data\store\prices.csv", "")
        .file(r"D:\data\my file.txt", "")
        .link(r"D:\kim\shop\out", r"\\?\D:\data")
        .link(r"D:\kim\shop\in", r"D:\kim\shop\cache")
        .subst('S', r"D:\data")
        .subst('T', r"D:\kim\shop")
        .dir(r"D:\a long name")
        .short(r"D:\LONGNA~1", "a long name")
        .short(r"D:\kim\SHOPLO~1", "shop")
        .dir(r"D:\repo")
        .file(r"C:\Program Files\Git\bin\sh.exe", "");
    let policy = Policy {
        protect_drives: vec!["C".into(), "D".into()],
        protect_existing: true,
        ..Policy::for_model(Model::Windows)
    };
    let place = Place {
        home: r"D:\kim\.wsguard".into(),
        project: Some(r"D:\kim\shop".into()),
        scratch: r"D:\kim\.wsguard\scratch\s1".into(),
        temp: r"D:\kim\.wsguard\cache\tmp".into(),
        ..Place::default()
    };
    let call = ToolCall {
        writes: Vec::new(),
        harness: "claude-code",
        session: "s1".into(),
        call: None,
        cwd: r"D:\kim\shop".into(),
        tool: Tool::Shell { dialect, command: command.into(), workdir: None },
    };
    judge(&Inputs { call: &call, world: &world, policy: &policy, place: &place, granted: &|_| false })
}

/// Whether something breaks a rule at this path or below it, whatever its separators are.
fn breaks(judgement: &Judgement, path: &str) -> bool {
    judgement.effects.iter().filter(|j| matches!(j.standing, Standing::Violation(_))).any(|j| match &j.effect.target {
        Target::Path(at) | Target::Inside(at) => Model::Windows.is_within(&Model::Windows.normalize(at), path),
        Target::Opaque => false,
    })
}

#[test]
fn each_kind_of_complaint() {
    let mut wrong = Vec::new();
    for (kind, cases) in KINDS {
        for (dialect, command, want) in *cases {
            let got = judged(*dialect, command);
            let refused = matches!(got.verdict, Verdict::Deny { .. });
            if refused != want.is_some() || want.is_some_and(|path| !breaks(&got, path)) {
                let effects: Vec<_> =
                    got.effects.iter().map(|j| (j.effect.kind, &j.effect.target, j.standing)).collect();
                wrong.push(format!("{kind}\n  {dialect:?} {command}\n  {:?} {effects:?} {:?}", got.broken, got.gaps));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// A proposal is one of the same shell, and is allowed.
#[test]
fn proposals_on_windows() {
    for (dialect, command, want) in [
        (PowerShell, r"mkdir D:\data\n", r"mkdir D:\kim\.wsguard\scratch\s1\n"),
        (PowerShell, r"'x' > D:\data\n.txt", r"'x' > D:\kim\.wsguard\scratch\s1\n.txt"),
        (Cmd, r"md D:\data\n", r"md D:\kim\.wsguard\scratch\s1\n"),
        (
            Cmd,
            r"md D:\data\n && echo x> D:\data\n\a.txt",
            r"md D:\kim\.wsguard\scratch\s1\n && echo x> D:\kim\.wsguard\scratch\s1\n\a.txt",
        ),
    ] {
        let corrected = judged(dialect, command).corrected;
        assert_eq!(corrected.as_deref(), Some(want), "{command}");
        assert_eq!(judged(dialect, want).verdict, Verdict::Allow, "{want}");
    }
}
