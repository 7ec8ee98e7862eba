//! Text that is only text.

use super::check;

#[test]
fn mentions() {
    check(&[
        ("echo 'mkdir /srv/new'", ""),
        ("echo \"cd /srv && mkdir x\"", ""),
        ("# mkdir /srv/x", ""),
        ("echo hi # > /srv/x", ""),
        ("git commit -m 'touch /srv/x > /srv/y'", ""),
        ("grep -r '/srv/none' .", ""),
        ("cat <<'EOF'\nmkdir /srv/x > /srv/y\nEOF", ""),
        ("test -d /srv/none", ""),
        ("[ -f /srv/none ]", ""),
        ("X=/srv/none", ""),
        ("export X=/srv/none", ""),
        ("echo $((1 > 0))", ""),
        ("[[ a > b ]]", ""),
        ("printf '%s\\n' '> /srv/x'", ""),
        ("ls -la", ""),
        ("ls /srv/none", ""),
        ("type mkdir; command -v /srv/none", ""),
        ("echo \"open('/srv/x','w')\" | python3 -c 'import sys; print(sys.stdin.read())'", ""),
        ("sed -n 's#/srv/a#/srv/b#p' a.txt", ""),
    ]);
}
