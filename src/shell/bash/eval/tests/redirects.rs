//! Redirections, here-documents, pipelines.

use super::{analysis, check};

#[test]
fn targets() {
    check(&[
        ("echo hi > /srv/a.txt", "+/srv/a.txt"),
        ("echo hi >> /srv/a.txt", "+/srv/a.txt"),
        ("echo hi >| /srv/a.txt", "+/srv/a.txt"),
        ("ls &> /srv/log", "+/srv/log"),
        ("ls &>> /srv/log", "+/srv/log"),
        ("ls > out 2> /srv/err", "+/w/out +/srv/err"),
        ("echo x 2>&1", ""),
        ("echo x >&2", ""),
        ("echo x > /dev/null", "+/dev/null"),
        ("> /srv/empty", "+/srv/empty"),
        (": > ~/x", "+/home/u/x"),
        ("cat <> /srv/both", "+/srv/both"),
        ("cat < a.txt", ""),
        ("exec 3> /srv/three; echo x >&3", "+/srv/three"),
        ("exec > /srv/log; echo x", "+/srv/log"),
        ("exec {fd}> /srv/fd", "+/srv/fd"),
        ("F=/srv/x; echo > $F", "+/srv/x"),
        ("echo > \"/srv/$(date +%F).log\"", "+/srv/*"),
        ("echo > $(unknown)", "+?"),
        ("{ echo a; echo b; } > /srv/x", "+/srv/x"),
        ("(cd /srv; echo a) > x", "+/w/x"),
        ("cd /srv; echo a > x", "+/srv/x"),
        ("for i in 1 2; do echo $i; done > /srv/x", "+/srv/x"),
        ("while false; do :; done > /srv/x", "+/srv/x"),
        ("f() { echo; } > /srv/x; f", "+/srv/x"),
        ("f() { echo; } > /srv/x", ""),
        ("if true; then echo; fi >> /srv/x", "+/srv/x"),
        ("echo a=b | sed -E 's/=.*/=<set>/'", ""),
        ("cat > n.md <<EOF; echo done\nrm -rf /srv/data\nEOF", "+/w/n.md"),
        ("cat <<EOF > /srv/new; mkdir /srv/n2\nx\nEOF", "+/srv/new +/srv/n2"),
        ("cat <<EOF > /srv/new\n$(mkdir /srv/inside)\nEOF", "+/srv/inside +/srv/new"),
        ("cat <<'EOF' > /srv/new\n$(mkdir /srv/inside)\nEOF", "+/srv/new"),
        ("S=/tmp/s && cat > $S/d.md <<'EOF'\n`x`\nEOF\nwc -c < $S/d.md", "+/tmp/s/d.md"),
        ("echo x > a > /srv/b", "+/w/a +/srv/b"),
        ("[[ -f x ]] > /srv/x", "+/srv/x"),
        ("(( 1 )) > /srv/x", "+/srv/x"),
        ("diff <(mkdir /srv/p) a.txt", "+/srv/p"),
        ("echo x | tee >(cat > /srv/q)", "+/srv/q +/dev/fd/63"),
    ]);
}

#[test]
fn standard_input() {
    check(&[
        ("echo 'mkdir /srv/x' | sh", "+/srv/x"),
        ("printf 'mkdir /srv/new\\n' | sh", "+/srv/new"),
        ("printf '%s\\n' 'mkdir /srv/a' 'mkdir /srv/b' | bash", "+/srv/a +/srv/b"),
        ("cat <<EOF | bash\nmkdir /srv/x\nEOF", "+/srv/x"),
        ("bash <<'EOF'\ncd /srv\nmkdir x\nEOF", "+/srv/x"),
        ("bash -s <<< 'mkdir /srv/x'", "+/srv/x"),
        ("cat a.txt | sh", ""),
        ("echo 'mkdir /srv/new' | cat", ""),
        ("for i in 1 2; do echo 'mkdir /srv/new' | cat; done; for i in 1; do mkdir /srv/n$i; done", "+/srv/n1"),
        ("printf '%s\\n' a b | xargs -I{} mkdir /srv/{}", "+/srv/a +/srv/b"),
        ("echo /srv/a /srv/b | xargs mkdir -p", "+/srv/a +/srv/b"),
        ("cat list.txt | xargs -I{} mkdir /srv/{}", "+/srv/one +/srv/two"),
        ("xargs mkdir < list.txt", "+/w/one +/w/two"),
        ("echo x | tee /srv/f", "+/srv/f"),
        ("echo x | tee -a /srv/f /srv/g > /dev/null", "+/dev/null +/srv/f +/srv/g"),
        ("echo /srv/r | while read d; do mkdir $d; done", "+/srv/r"),
        ("while read -r d; do mkdir /srv/$d; done < list.txt", "+/srv/one +/srv/two"),
        ("while IFS=, read a b; do mkdir /srv/$b; done <<< 'x,y'", "+/srv/y"),
        ("read a b <<< 'one two three'; mkdir /srv/$a \"/srv/$b\"", "+/srv/one +/srv/two three"),
        ("mapfile -t L < list.txt; mkdir \"${L[@]}\"", "+/w/one +/w/two"),
        ("sh u.sh; find /srv/data -name '*.txt' | while read f; do touch $f.bak; done", "+/srv/data/*"),
        ("sh u.sh; find . -type f | while read f; do touch /srv/$f; done", "+/srv/*"),
        ("ls | while read f; do touch /srv/$f; done", "+/srv/*"),
        ("unknown-list | while read f; do touch $f; done", "+?"),
        ("echo 'x=/srv/v' > s.sh; . ./s.sh; mkdir $x", "+/w/s.sh +/srv/v"),
    ]);
}

#[test]
fn spans_are_of_the_outermost_text() {
    let text = "bash -c 'mkdir /srv/x'";
    let effect = analysis(text).effects.into_iter().find(|e| e.program == "mkdir").unwrap();
    assert_eq!(&text[effect.span.start as usize..effect.span.end as usize], "'mkdir /srv/x'");
    let text = "cd /srv && mkdir new";
    let effect = analysis(text).effects.into_iter().find(|e| e.program == "mkdir").unwrap();
    assert_eq!(&text[effect.span.start as usize..effect.span.end as usize], "new");
    let text = "echo > /srv/x";
    let effect = analysis(text).effects.pop().unwrap();
    assert_eq!(&text[effect.span.start as usize..effect.span.end as usize], "/srv/x");
}
