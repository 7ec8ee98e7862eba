//! Commands that depend on what earlier ones made.

use super::check;

/// However many links a system follows, what it follows is followed here.
#[test]
fn a_chain_of_links_is_followed_to_its_end() {
    for count in [2, 31, 39, 40, 41, 62, 63] {
        let links: Vec<_> = (1..count).map(|i| format!("ln -s l{i} l{}; ", i + 1)).collect();
        let text = format!("ln -s /srv l1; {}touch l{count}/x", links.concat());
        let made = super::changes(&text);
        assert_eq!(made.last().map(String::as_str), Some("+/srv/x"), "{count} links");
    }
}

/// Beyond the folders that are remembered nobody knows where `popd` leads, and it succeeds all the same.
#[test]
fn folders_below_the_remembered_stack() {
    for (pushed, popped) in [(64, 63), (65, 64), (70, 66), (70, 69)] {
        let text = format!(
            "for i in {{1..{pushed}}}; do pushd /tmp; done; for i in {{1..{popped}}}; do popd; done; popd && touch /srv/x"
        );
        // Loops of more turns than are judged one by one end in what any of them may leave.
        let text = text.replace("for i in {1..70}; do pushd /tmp; done; ", &"pushd /tmp; ".repeat(70));
        let made = super::changes(&text);
        assert_eq!(made.last().map(String::as_str), Some("+/srv/x"), "{pushed} and {popped}: {made:?}");
    }
}

#[test]
fn made_before() {
    check(&[
        ("ln -s /srv/data l; touch l/x", "+/w/l +/srv/data/x"),
        ("ln -s /srv/none l && mkdir -p l/x", "+/w/l +/srv/none/x"),
        ("ln -s /srv/data; touch data/x", "+/w/data +/srv/data/x"),
        ("ln -s ../srv/data l; touch l/x", "+/w/l +/srv/data/x"),
        // Nothing is reached through links that lead in a circle.
        ("ln -s l/x l; touch l/y", "+/w/l +/w/l/y"),
        ("ln -s b a; ln -s a/c b; mkdir -p a/x b", "+/w/a +/w/b +/w/a/x"),
        ("ln -s /srv/data sub; touch sub/data/x", "+/w/sub/data +/srv/data/x"),
        ("ln -s /srv/new l; echo > l", "+/w/l +/srv/new"),
        ("ln -s /srv/data l; mv l m; touch m/x", "+/w/l -/w/l +/w/m +/srv/data/x"),
        ("ln -s /srv/data l; rm l; mkdir l; touch l/x", "+/w/l -/w/l +/w/l/x"),
        ("mkdir d && cp a.txt b.txt d", "+/w/d +/w/d/a.txt +/w/d/b.txt"),
        ("mkdir /srv/d && cp a.txt /srv/d", "+/srv/d +/srv/d/a.txt"),
        ("cp a.txt /srv/d", "+/srv/d"),
        ("mkdir d; [ -d d ] && touch /srv/x", "+/w/d +/srv/x"),
        ("rm a.txt; [ -f a.txt ] && touch /srv/x", "-/w/a.txt +/srv/x"),
        ("mkdir g; touch g/1 g/2; for f in g/*; do touch /srv/${f#g/}; done", "+/w/g +/w/g/1 +/w/g/2 +/srv/1 +/srv/2"),
        ("cat > s.sh <<'E'\nmkdir /srv/s\nE\nbash s.sh", "+/w/s.sh +/srv/s"),
        ("cat > s.sh <<'E'\n#!/bin/sh\nmkdir /srv/$1\nE\nchmod +x s.sh; ./s.sh q", "+/w/s.sh ~/w/s.sh +/srv/q"),
        ("echo 'mkdir /srv/s' | tee s.sh; sh s.sh", "+/w/s.sh +/srv/s"),
        ("echo '/srv/n' > n; mkdir $(cat n)", "+/w/n +/srv/n"),
        ("cd $(mktemp -d) && git init && touch x", "+/tmp/*"),
    ]);
}

#[test]
fn a_search_deletes_only_folders_that_are_empty_then() {
    check(&[
        ("find sub -type d -empty -delete", "-/w/sub/deep"),
        ("find sub -delete", "-/w/sub -/w/sub/deep"),
        ("mkdir n; find n -type d -delete", "+/w/n -/w/n"),
    ]);
}
