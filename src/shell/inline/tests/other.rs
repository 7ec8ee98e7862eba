//! awk and sed.

use super::check;
use crate::shell::programs::Language;

#[test]
fn awk() {
    check(
        Language::Awk,
        &[
            ("BEGIN{print \"x\" > \"/srv/a\"}", "C /srv/a"),
            ("{print >> \"/srv/a\"}", "C /srv/a"),
            ("{printf \"%s\\n\", $1 > \"/srv/a\"}", "C /srv/a"),
            ("{print > (\"/srv/line\" NR \".txt\")}", "C /srv/line*.txt"),
            ("{print > \"/srv/line\" NR \".txt\"}", "C /srv/line*.txt"),
            ("{print > $1}", "C ?"),
            ("{print > \"/srv/\" $1 \".txt\"}", "C /srv/?.txt"),
            ("BEGIN{f=\"/srv/a\"} {print > f}", "C /srv/a"),
            ("{f = \"/srv/\" NR; print > f}", "C /srv/*"),
            ("BEGIN{print \"x\" | \"cat > /srv/a\"}", "S cat > /srv/a"),
            ("{print $1 | \"sort -o /srv/a\"}", "S sort -o /srv/a"),
            ("BEGIN{system(\"mkdir /srv/a\")}", "S mkdir /srv/a"),
            ("BEGIN{d=\"/srv/a\"; system(\"mkdir \" d)}", "S mkdir /srv/a"),
            ("BEGIN{\"date\" | getline d; print d}", "S date"),
            ("BEGIN{while ((\"ls /srv\" | getline x) > 0) print x}", "S ls /srv"),
            ("BEGIN{print \"x\" > ENVIRON[\"OUT\"] \"/a\"}", "C /srv/out/a"),
            ("{print > sprintf(\"/srv/%03d.txt\", NR)}", "C /srv/*.txt"),
            ("NR>1 {print}", ""),
            ("{ if ($1 > 10) print $2 }", ""),
            ("$1 > 10 {print}", ""),
            ("{print ($1 > 10)}", ""),
            ("/rm -rf \\/srv/ {print}", ""),
            ("BEGIN{split(\"/foo/bar\",a,\"/\"); print a[2]}", ""),
            ("{gsub(/\"/,\"\",$3); print $3}", ""),
            ("# print > \"/srv/a\"\n{print}", ""),
            ("/[<>]/{printf $2}", ""),
            ("{print \"a > /srv/b\"}", ""),
            ("NF > 3 { n++ } END { print n }", ""),
            ("{print $1, $2 > \"/dev/stderr\"}", "C /dev/stderr"),
        ],
    );
    assert_eq!(super::notation(Language::Awk, "{print > out}", &["out=/srv/o"]), "C /srv/o");
}

#[test]
fn sed() {
    check(
        Language::Sed,
        &[
            ("w /srv/a", "C /srv/a"),
            ("/TODO/w /srv/a", "C /srv/a"),
            ("s/a/b/w /srv/a", "C /srv/a"),
            ("s/a/b/gw /srv/a", "C /srv/a"),
            ("s|/srv/x|/srv/y|g", ""),
            ("s/a/b/;w /srv/a", "C /srv/a"),
            ("1,5{p;w /srv/a\n}", "C /srv/a"),
            ("$!W /srv/a", "C /srv/a"),
            ("e mkdir /srv/a", "S mkdir /srv/a"),
            ("s/x/y/e", "S ?"),
            ("1e", "S ?"),
            ("r /srv/a", ""),
            ("i\\\nw /srv/a", ""),
            ("a w /srv/a", ""),
            ("1i hello; w /srv/a", ""),
            ("/w \\/srv/d", ""),
            ("s/[/]w /x/", ""),
            ("\\,/srv/w,d", ""),
            ("y/w/e/", ""),
            (":a;N;$!ba;s/\\n/ /g", ""),
            ("s/=.*/=<set>/", ""),
            ("# w /srv/a\np", ""),
            ("/a/I,/b/{s/x/y/;w /srv/a\n};e id", "C /srv/a; S id"),
            ("10q", ""),
            ("s/a\\/w/b\\/w/p", ""),
            ("s#w#e#", ""),
        ],
    );
}
