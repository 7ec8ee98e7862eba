//! Lines: expansion, special characters, blocks, control.

use super::{analysis, changes, check};
use crate::path::Model;
use crate::shell::{Context, EffectKind};
use crate::world::FakeWorld;

#[test]
fn variables_are_put_in_before_the_line_is_read() {
    check(&[
        (r"md %OUT%", r"+C:\out"),
        (r"md %out%\x", r"+C:\out\x"),
        (r"set OUT=x& md %OUT%", r"+C:\out"),
        ("set OUT=x\nmd %OUT%", r"+C:\w\x"),
        (r"md %NOPE%\x", r"+C:\w\%NOPE%\x"),
        ("echo a\nmd %NOPE%\\x", r"+C:\x"),
        ("set NOPE=C:\\b & set NOPE=\nmd %NOPE%\\x", r"+C:\x"),
        (r#"md "%ProgramFiles(x86)%\a""#, r"+C:\Program Files (x86)\a"),
        (r"md %OUT:~3%", r"+C:\w\out"),
        (r"md %OUT:~-3,2%", r"+C:\w\ou"),
        (r"md %OUT:C:\=D:\%", r"+D:\out"),
        (r"md %OUT:*\=D:\%", r"+D:\out"),
        (r"echo 100% & md %OUT%", r"+C:\out"),
        (r"md a%%b", r"+C:\w\a%%b"),
        ("set A=C:\\x & echo b> %TEMP%\\f", r"+C:\Users\u\t\f"),
        (r"cmd /v /c md !OUT!", r"+C:\out"),
        (r"md !OUT!", r"+C:\w\!OUT!"),
        ("set \"A=& md C:\\q\"\necho x %A%", r"+C:\q"),
    ]);
}

#[test]
fn quotes_carets_and_operators() {
    check(&[
        (r#"md "a & b""#, r"+C:\w\a & b"),
        (r"md a ^& md b", r"+C:\w\a +C:\w\& +C:\w\md +C:\w\b"),
        ("md ^\na", r"+C:\w\a"),
        ("md a^\nb", r"+C:\w\ab"),
        (r"echo x>a>b", r"+C:\w\a +C:\w\b"),
        (r"echo x3>a", r"+C:\w\a"),
        (r"echo x 3>a", r"+C:\w\a"),
        (r"echo x ^> a", ""),
        (r"echo x > a 2>&1 > b", r"+C:\w\a +C:\w\b"),
        (r"(md a) & (md b)", r"+C:\w\a +C:\w\b"),
        (r"(md a", r"!"),
        (r"md a)", r"+C:\w\a)"),
        (r") md a", ""),
        (r"& md a", r"!"),
        (r"md a && ", r"!"),
        (r"md a | ", r"!"),
        (r"md a >", r"!"),
        (r"(md a) md b", r"!"),
        ("(md a\n\n md b)", r"+C:\w\a +C:\w\b"),
        ("(md a\nrem x ) y\nmd b)", r"+C:\w\a +C:\w\b"),
    ]);
}

#[test]
fn control() {
    check(&[
        ("goto x\nmd a\n:x\nmd b", r"+C:\w\b"),
        ("if exist z goto x\nmd a\n:x\nmd b", r"+C:\w\a +C:\w\b"),
        ("mytool\nif errorlevel 1 goto x\nmd a\nexit /b\n:x\nmd b", r"+C:\w\a +C:\w\b"),
        (":a\nmd x\ngoto a", r"+C:\w\x"),
        ("call :f 1\ncall :f 2\nexit /b\n:f\nmd r%1\ngoto :eof", r"+C:\w\r1 +C:\w\r2"),
        ("call :f \"a b\"\nexit /b\n:f\nmd \"%~1\"", r"+C:\w\a b"),
        (":f\ncall :f", "!"),
        ("for %%i in (1 2) do (\nmd a%%i\nif %%i==1 md one\n)", r"+C:\w\a1 +C:\w\one +C:\w\a2"),
        ("if exist a.txt (\nmd a\n) else (\nmd b\n)", r"+C:\w\a"),
        ("setlocal\ncd src\nset OUT=x\nendlocal\nmd %OUT%", r"+C:\out"),
        ("if a==b (md x) else if c==c (md y) else md z", r"+C:\w\y"),
        ("if not a==a md x & md y", ""),
        ("if a==a if b==b md x", r"+C:\w\x"),
        ("if /i A==a md x", r"+C:\w\x"),
        ("if 10 GTR 9 md x", r"+C:\w\x"),
        ("if == md x", "!"),
        ("for /f \"tokens=2\" %i in (a.txt) do md %i", r"+C:\w\words"),
        ("for /f \"tokens=1*\" %i in (\"a b c\") do md \"%j\"", r"+C:\w\b c"),
        ("for /f \"skip=1 delims=\" %i in (a.txt) do md \"%i\"", r"+C:\w\two words"),
        ("for /f \"usebackq\" %i in ('a.b') do md %i", r"+C:\w\a.b"),
        ("for /f %i in ('echo C:\\z') do md %i", r"+C:\z"),
        ("for %i in (C:\\q\\f.txt) do md %~dpni", r"+C:\q\f"),
        ("for %i in (\"C:\\q r\\f.txt\") do md \"%~nxi%~xi\" %~di\\z", r"+C:\w\f.txt.txt +C:\z"),
        ("for %i in (md) do %i a", r"+C:\w\a"),
        ("for", "!"),
        ("for %i in (a do md b", "!"),
    ]);
}

#[test]
fn internal_commands() {
    check(&[
        (r"md a,b;c=d", r"+C:\w\a +C:\w\b +C:\w\c +C:\w\d"),
        (r"md /p a", r"+C:\w\a"),
        (r"rd/s/q src", r"-C:\w\src"),
        (r"del src\*.c", r"-C:\w\src\*"),
        (r"copy a.txt b+c d", r"+C:\w\b"),
        (r"copy a+b c", r"+C:\w\c"),
        (r"copy a + b", r"+C:\w\a"),
        (r"copy a.txt src", r"+C:\w\src\a.txt"),
        (r"copy C:\data\x", r"+C:\w\x"),
        (r"move a.txt src\", r"+C:\w\src\a.txt -C:\w\a.txt"),
        (r"ren src\m.c n.c", r"+C:\w\src\n.c -C:\w\src\m.c"),
        (r"mklink /j j C:\data & md j\x", r"+C:\w\j +c:\data\x"),
        (r"start /d src cmd /c md x", r"+C:\w\src\x"),
        (r"subst Q: C:\data & md Q:\x", r"+C:\data\x"),
        (r"pushd src & md a & popd & md b", r"+C:\w\src\a +C:\w\b"),
        (r"cd /d D:\backup & md a & cd /d C: & md b", r"+D:\backup\a +C:\w\b"),
        (r"echo md x> b.bat & b", r"+C:\w\b.bat +C:\w\x"),
        (r"echo x> NUL", ""),
        (r"copy a.txt prn", ""),
        (r"md x\nul", ""),
        (r"path C:\x", ""),
        (r"exit & md a", ""),
    ]);
}

#[test]
fn programs() {
    check(&[
        (r"mytool /x /out:C:\o /p:a=b", r"+C:\o +C:\w\b"),
        (r"robocopy src D:\backup /mir /log:l.txt", r"+C:\w\l.txt +D:\backup\*"),
        (r"xcopy/s/e src C:\data", r"+C:\data\*"),
        (r"sort.exe a.txt /O b.txt", r"+C:\w\b.txt"),
        (r"wsguard status", ""),
    ]);
    assert_eq!(analysis("wsguard allow C:\\x").operator_calls.len(), 1);
    assert_eq!(analysis(r#""C:\bin\wsguard.exe" config set gate false"#).operator_calls.len(), 1);
}

#[test]
fn spans_name_the_word() {
    let span = |command: &str| {
        let effect = analysis(command).effects.into_iter().find(|e| e.kind == EffectKind::Create);
        effect.map(|e| command[e.span.start as usize..e.span.end as usize].to_owned()).unwrap_or_default()
    };
    for (command, want) in [
        (r"md C:\x", r"C:\x"),
        (r#"echo a & md "C:\x y" & cls"#, r#""C:\x y""#),
        (r"md %OUT%\y", r"%OUT%\y"),
        (r"echo a > C:\o", r"C:\o"),
        (r"(md C:\x)", r"C:\x"),
        (r"for %i in (a) do md C:\%i", r"C:\%i"),
        (r"m^d C:\x", r"C:\x"),
        ("rem a\nmd C:\\x", r"C:\x"),
        (r"robocopy src C:\x", r"C:\x"),
        (r#"cmd /c "md C:\x""#, r"C:\x"),
    ] {
        assert_eq!(span(command), want, "{command}");
    }
}

#[test]
fn on_other_systems() {
    let world = FakeWorld::new(Model::Posix).dir("/w");
    let of = |command: &str| {
        let found = super::super::analyse(command, &Context { cwd: "/w", world: &world }, 0);
        found.effects.iter().map(|e| format!("{:?}", e.target)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of(r"md a\b"), r#"Path("/w/a/b")"#);
    assert_eq!(of(r"md C:\x"), r#"Path("/mnt/c/x")"#);
    assert_eq!(of("echo x > nul"), "");
    assert!(changes("md x").ends_with(r"C:\w\x"));
}
