//! What commands are found to do, in a described Windows and a described Linux.

use super::analyse;
use crate::limits::{MAX_STEPS, STEPS_PER_EFFECT};
use crate::path::Model;
use crate::shell::{Analysis, Context, EffectKind, GapKind, Target};
use crate::world::FakeWorld;

fn windows() -> FakeWorld {
    FakeWorld::new(Model::Windows)
        .with_home(r"C:\Users\me")
        .var("TEMP", r"C:\Users\me\AppData\Local\Temp")
        .dir(r"C:\Users\me\AppData\Local\Temp")
        .dir(r"C:\p\src")
        .file(r"C:\p\src\a.txt", "one\ntwo\n")
        .file(r"C:\p\src\b.log", "")
        .dir(r"C:\data")
}

fn posix() -> FakeWorld {
    FakeWorld::new(Model::Posix).with_home("/home/me").dir("/p/src").file("/p/src/a.txt", "one\n").dir("/srv")
}

/// Creations as paths (`…\*`: something inside), `?` for an unknown one, `!` for a gap.
fn creations(found: &Analysis, model: Model) -> String {
    let mut out: Vec<String> = Vec::new();
    for effect in found.effects.iter().filter(|e| e.kind == EffectKind::Create && !e.package_install) {
        let shown = match &effect.target {
            Target::Path(path) => path.clone(),
            Target::Inside(path) => format!("{}{}*", path.trim_end_matches(model.separator()), model.separator()),
            Target::Opaque => "?".to_owned(),
        };
        if !out.contains(&shown) {
            out.push(shown);
        }
    }
    out.extend(found.gaps.iter().map(|_| "!".to_owned()));
    out.join(" ")
}

fn check_in(world: &FakeWorld, model: Model, cwd: &str, rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (command, want) in rows {
        let got = creations(&analyse(command, &Context { cwd, world }, 0), model);
        if got != *want {
            wrong.push(format!("{command}\n    want {want}\n    got  {got}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn check(rows: &[(&str, &str)]) {
    check_in(&windows(), Model::Windows, r"C:\p", rows);
}

fn check_posix(rows: &[(&str, &str)]) {
    check_in(&posix(), Model::Posix, "/p", rows);
}

/// Effects are work: loops of them end before they have taken longer than other loops.
#[test]
fn effects_have_a_price() {
    let world = posix();
    for command in ["mkdir $_", "ni $_", "'x' > $_", "[IO.File]::WriteAllText($_, 'x')"] {
        let loops = format!("1..64 | % {{ 1..64 | % {{ 1..64 | % {{ {command} }} }} }}");
        let found = analyse(&loops, &Context { cwd: "/p", world: &world }, 0);
        assert!(found.gaps.iter().any(|gap| gap.kind == GapKind::Size), "{command}: {:?}", found.gaps);
        assert!(
            found.effects.len() <= MAX_STEPS / (STEPS_PER_EFFECT + 1),
            "{command}: {} effects",
            found.effects.len()
        );
    }
}

/// What begins at no root of the machine is not known.
#[test]
fn a_drive_elsewhere_is_nowhere() {
    check_posix(&[
        (r"Set-Location C:\data; mkdir q", "?"),
        (r"cd C:\data; git clone https://github.com/a/x", "?"),
        (r"[Environment]::CurrentDirectory = 'C:\data'; [IO.File]::WriteAllText('x.txt', 'y')", "?"),
    ]);
}

#[test]
fn items() {
    check(&[
        (r"New-Item -ItemType Directory -Path C:\x\y", r"C:\x\y"),
        (r"ni a.txt", r"C:\p\a.txt"),
        (r"ni -Path C:\x -Name a.txt -Value hi", r"C:\x\a.txt"),
        (r"ni -Name a.txt", r"C:\p\a.txt"),
        (r"New-Item -Path C:\a, C:\b -Type dir", r"C:\a C:\b"),
        (r"md x\y -Force | Out-Null", r"C:\p\x\y"),
        (r"New-Item -ItemType Junction -Path C:\l -Target C:\data; ni C:\l\z", r"C:\l C:\data\z"),
        (r"copy src\a.txt C:\data", r"C:\data\a.txt"),
        (r"Copy-Item src\* -Dest C:\data -Recurse", r"C:\data\a.txt C:\data\b.log"),
        (r"Copy-Item src C:\new -Recurse", r"C:\new"),
        (r"cpi src\a.txt C:\new.txt", r"C:\new.txt"),
        (r"gci src -Filter *.txt | copy-item -dest C:\data", r"C:\data\a.txt"),
        (r"mv src\a.txt ..\b.txt", r"C:\b.txt"),
        (r"ren src\a.txt c.txt", r"C:\p\src\c.txt"),
        (r"gci src | Rename-Item -NewName { $_.Name + '.bak' }", r"C:\p\src\a.txt.bak C:\p\src\b.log.bak"),
        (r"rm -Recurse -Force C:\data", ""),
        (r"Expand-Archive x.zip -DestinationPath C:\app", r"C:\app\*"),
        (r"Expand-Archive x.zip", r"C:\p\x\*"),
        (r"Compress-Archive src C:\out", r"C:\out.zip"),
        (r"New-TemporaryFile", r"C:\Users\me\AppData\Local\Temp\*"),
        (r"New-Item C:\x -WhatIf; Copy-Item a C:\y -wi", ""),
        (r"New-Item C:\x -WhatIf:$false", r"C:\x"),
    ]);
}

#[test]
fn content_and_redirections() {
    check(&[
        (r"'x' > C:\a.txt", r"C:\a.txt"),
        (r"echo x >> ..\a.txt", r"C:\a.txt"),
        (r"git log 2>&1 > C:\a.txt", r"C:\a.txt"),
        (r"foo *> C:\a.txt 2> $null", r"C:\a.txt"),
        (r"echo a>b.txt; 'a'>b.txt; $x = 'a' 2>c.txt", r"C:\p\b.txt C:\p\c.txt"),
        (r"echo 10>C:\a.txt; echo -3>C:\b.txt; npm i @types/node", r"C:\a.txt C:\b.txt C:\p\*"),
        (r"echo x > $null; echo x > nul; echo x >NUL", ""),
        (r"'x' | Out-File -FilePath C:\a.txt -Append", r"C:\a.txt"),
        (r"Set-Content C:\a.txt 'x'; ac C:\b.txt y", r"C:\a.txt C:\b.txt"),
        (r"sc -Path C:\a.txt -Value x", r"C:\a.txt"),
        (r"Clear-Content C:\data\x.txt", ""),
        (r"gc src\a.txt | Tee-Object C:\t.txt | measure", r"C:\t.txt"),
        (r"gps | Export-Csv C:\p.csv -NoTypeInformation", r"C:\p.csv"),
        (r"gps | epcsv C:\p.csv", r"C:\p.csv"),
        (r"gc src\a.txt | % { mkdir C:\$_ }", r"C:\one C:\two"),
        (r"Start-Transcript C:\t.log", r"C:\t.log"),
        (r"Start-Transcript", r"C:\Users\me\Documents\*"),
    ]);
}

#[test]
fn providers() {
    check(&[
        (r"New-Item HKLM:\Software\X; ni HKCU:\a -Force; ni Registry::HKEY_LOCAL_MACHINE\X", ""),
        (r"Set-Item Env:FOO C:\zz; mkdir $env:FOO", r"C:\zz"),
        (r"New-Item -Path Env:\X -Value y; Set-Content function:f { mkdir C:\q }; f", r"C:\q"),
        (r"Set-Content FileSystem::C:\x.txt hi", r"C:\x.txt"),
        (r"ni 'Microsoft.PowerShell.Core\FileSystem::C:\x.txt'", r"C:\x.txt"),
        (r"cd HKLM:\Software; ni Foo; cd C:\data; ni x", r"C:\data\x"),
        (r"New-PSDrive -Name W -PSProvider FileSystem -Root C:\data | Out-Null; ni W:\x", r"C:\data\x"),
        (r"ni ~\x.txt", r"C:\Users\me\x.txt"),
        (r"ni \\?\C:\x; ni \\localhost\C$\y", r"C:\x C:\y"),
        (r"ni \x.txt", r"C:\x.txt"),
        (r"ni Temp:\x.txt", r"C:\Users\me\AppData\Local\Temp\x.txt"),
    ]);
}

#[test]
fn variables_and_strings() {
    check(&[
        (r#"$d = 'C:\t'; ni "$d\a.txt""#, r"C:\t\a.txt"),
        (r#"ni "$env:USERPROFILE\a.txt""#, r"C:\Users\me\a.txt"),
        (r#"ni "${env:ProgramFiles(x86)}\a.txt""#, r"C:\Program Files (x86)\a.txt"),
        (r#"ni "$($env:TEMP)\a.txt""#, r"C:\Users\me\AppData\Local\Temp\a.txt"),
        (r"ni $HOME\a.txt; ni $pwd\b.txt", r"C:\Users\me\a.txt C:\p\b.txt"),
        (r"ni (Join-Path $HOME 'a' 'b')", r"C:\Users\me\a\b"),
        (r"ni ('C:\{0}\{1:d2}' -f 'q', 7)", r"C:\q\07"),
        (r"ni ('C:\' + 'q' + '\x')", r"C:\q\x"),
        (r"ni ((Split-Path C:\a\b.txt) + '\c')", r"C:\a\c"),
        (r"$p = @{ Path = 'C:\s'; ItemType = 'Directory' }; New-Item @p", r"C:\s"),
        (r"$a = 'src', 'C:\s'; Copy-Item @a -Recurse", r"C:\s"),
        ("$t = @\"\nC:\\here\n\"@; mkdir $t", r"C:\here"),
        ("mkdir @'\nC:\\$x\n'@", r"C:\$x"),
        (r"mkdir C:\`$x", r"C:\$x"),
        (r"$x = 'C:\a'; mkdir '$x'", r"C:\p\$x"),
        (r"ni $undefined", ""),
        (r"ni (Read-Host)", "?"),
        (r#"ni "C:\logs\$(Get-Date -Format yyyy-MM-dd).log""#, r"C:\logs\*"),
        (r"if ($x) { $d = 'C:\a' } else { $d = 'C:\b' }; ni $d", r"C:\b"),
        (r"if (Get-Foo) { $d = 'C:\a' } else { $d = 'C:\b' }; ni $d", r"C:\b C:\a"),
        (r"$b = [IO.Path]::Combine('C:\q', 'x'); ni $b", r"C:\q\x"),
        (r"ni ([Environment]::GetFolderPath('Desktop') + '\x.txt')", r"C:\Users\me\Desktop\x.txt"),
        (r"[Environment]::SetEnvironmentVariable('Q', 'C:\q'); md $env:Q", r"C:\q"),
    ]);
}

#[test]
fn control_flow() {
    check(&[
        (r"foreach ($i in 1..2) { md C:\d$i }", r"C:\d1 C:\d2"),
        (r"1..2 | ForEach-Object { md C:\d$_ }", r"C:\d1 C:\d2"),
        (r"for ($i = 0; $i -lt 2; $i++) { md C:\d$i }", r"C:\d0 C:\d1"),
        (r"$i = 0; while ($i -lt 1) { $i += 1; md C:\d$i }", r"C:\d1"),
        (r"do { md C:\q } until ($true)", r"C:\q"),
        (r"function f($a) { md $a }; f C:\q", r"C:\q"),
        (r"function f { param([string]$Path, [switch]$X) md $Path }; f -Path C:\q -X", r"C:\q"),
        (r"& { param($x) md $x } C:\q", r"C:\q"),
        (r"$b = { md C:\q }; & $b; . $b", r"C:\q"),
        (r"try { md C:\q } catch { md C:\r } finally { md C:\s }", r"C:\q C:\r C:\s"),
        (r"switch ('b') { 'a' { md C:\a } 'b' { md C:\b } default { md C:\c } }", r"C:\b"),
        (r"if (-not (Test-Path C:\data)) { md C:\data2 }", ""),
        (r"if (!(Test-Path C:\nope)) { md C:\nope }", r"C:\nope"),
        (r"Test-Path C:\x && md C:\q || md C:\r", r"C:\q C:\r"),
        (r"return; md C:\q", ""),
        (r"gci src | ? Name -like *.txt | foreach { cp $_ C:\data }", r"C:\data\a.txt C:\data\b.log"),
    ]);
}

#[test]
fn programs_and_other_shells() {
    check(&[
        (r"git clone https://h/x/y C:\y", r"C:\y"),
        (r"git.exe clone https://h/x/y", r"C:\p\y"),
        (r#"python -c "open(r'C:\z.txt','w')""#, r"C:\z.txt"),
        (r#"& "C:\Program Files\Git\bin\git.exe" init C:\r"#, r"C:\r"),
        (r"powershell -NoProfile -Command 'md C:\q'", r"C:\q"),
        (r"pwsh -c { md C:\q }", r"C:\q"),
        (r"powershell -EncodedCommand bgBpACAAQwA6AFwAcQA=", r"C:\q"),
        (r"bash -c 'mkdir /c/q'", r"C:\q"),
        (r"iex 'md C:\q'; Invoke-Expression ('m' + 'd C:\r')", r"C:\q C:\r"),
        (r"Start-Process git -ArgumentList 'clone','https://h/x/y','C:\y' -Wait", r"C:\y"),
        (r"saps cmd -RedirectStandardOutput C:\o.txt", r"C:\o.txt"),
        (r"iwr https://h/a.zip -OutFile C:\a.zip", r"C:\a.zip"),
        (r"curl https://h/a -OutFile C:\a; curl.exe -o C:\b https://h/b", r"C:\a C:\b"),
        (r"Invoke-RestMethod https://h/a -o C:\a", r"C:\a"),
        (r"Start-BitsTransfer https://h/a.zip C:\data", r"C:\data\a.zip"),
        (r"(New-Object Net.WebClient).DownloadFile('https://h/a', 'C:\a')", r"C:\a"),
        (r"[IO.File]::WriteAllText('C:\a', 'x'); [System.IO.Directory]::CreateDirectory('C:\b')", r"C:\a C:\b"),
        (r"cd C:\data; [IO.File]::Create('x.txt')", r"C:\p\x.txt"),
        (r"$w = New-Object System.IO.StreamWriter 'C:\a'; $w.WriteLine('C:\b'); $w.Close()", r"C:\a"),
        (r"$w = [IO.StreamWriter]::new('C:\a')", r"C:\a"),
        (r"$d = New-Object xml; $d.Save('C:\a.xml')", r"C:\a.xml"),
        (r"$s = (New-Object -ComObject WScript.Shell).CreateShortcut('C:\a.lnk'); $s.Save()", r"C:\a.lnk"),
        (r"foo C:\missing", r"C:\missing"),
        (r"Get-Foo C:\missing; Write-Host C:\x; git commit -m 'C:\y'", r"C:\p\*"),
        (r"cmd --% /x > C:\q", ""),
    ]);
}

#[test]
fn posix_paths() {
    check_posix(&[
        (r"New-Item -ItemType Directory /srv/x", "/srv/x"),
        (r"ni \srv\y", "/srv/y"),
        ("mkdir -p /srv/a/b", "/srv/a/b"),
        ("'x' > /srv/a.txt", "/srv/a.txt"),
        (r"ni ~/x", "/home/me/x"),
        ("cp src/a.txt /srv/", "/srv/a.txt"),
        ("Copy-Item src/* /srv", "/srv/a.txt"),
        ("ni C:/x", ""),
        ("cd /srv && touch x", "/srv/x"),
        ("sed -i s/a/b/ src/a.txt", ""),
        ("ni (Join-Path $HOME a b)", "/home/me/a/b"),
        ("echo x > /dev/null", "/dev/null"),
    ]);
}

#[test]
fn gaps() {
    check(&[
        ("md C:\\a\nif (\nmd C:\\b", r"C:\a !"),
        ("class X { }", "!"),
        ("md 'C:\\a", "!"),
        ("foo < bar", "!"),
        ("}", "!"),
    ]);
}
