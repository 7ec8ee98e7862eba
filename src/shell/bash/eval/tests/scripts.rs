//! Scripts in other languages, in their shell.

use super::check;

#[test]
fn a_script_sees_what_the_shell_exports() {
    check(&[
        ("OUT=/srv/x python3 -c \"import os; open(os.environ['OUT'], 'w')\"", "+/srv/x"),
        ("export OUT=/srv/x; python3 -c \"import os; open(os.getenv('OUT'), 'w')\"", "+/srv/x"),
        ("export OUT=/srv/x; node -e 'require(\"fs\").writeFileSync(process.env.OUT, \"\")'", "+/srv/x"),
        ("export D=/srv/$(unknown); python3 -c \"import os; os.mkdir(os.environ['D'] + '/x')\"", "+/srv/*"),
        // Not exported: the script does not see it.
        ("OUT=/srv/x; python3 -c \"import os; open(os.environ.get('OUT', 'own'), 'w')\"", "+/w/own"),
        ("export OUT=/srv/x; unset OUT; python3 -c \"import os; open(os.environ.get('OUT', 'own'), 'w')\"", "+/w/own"),
        ("HOME=/srv perl -e 'mkdir \"$ENV{HOME}/x\"'", "+/srv/x"),
        ("export TMPDIR=/srv/t; python3 -c \"import tempfile; open(tempfile.gettempdir() + '/x', 'w')\"", "+/srv/t/x"),
        ("out=/srv/x awk 'BEGIN { print 1 > ENVIRON[\"out\"] }'", "+/srv/x"),
    ]);
}

#[test]
fn a_script_runs_where_the_shell_stands() {
    check(&[
        ("cd /srv && python3 -c \"open('x', 'w')\"", "+/srv/x"),
        ("(cd /srv; ruby -e 'File.write(\"x\", \"\")'); touch y", "+/srv/x +/w/y"),
        ("python3 - <<'EOF'\nimport os\nos.chdir('/srv')\nopen('x', 'w')\nEOF\ntouch y", "+/srv/x +/w/y"),
        ("python3 -c 'import sys; open(sys.argv[1], \"w\")' /srv/x", "+/srv/x"),
        ("for d in a b; do python3 -c \"open('/srv/$d', 'w')\"; done", "+/srv/a +/srv/b"),
        ("python3 -c \"import os; os.system('cd /srv && touch x')\"", "+/srv/x"),
        ("node -e 'require(\"child_process\").execSync(\"touch x\", {cwd: \"/srv\"})'", "+/srv/x"),
    ]);
}
