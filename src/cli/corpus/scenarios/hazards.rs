//! Links, hard links, pipes and races below a root of our own.

use std::fs;
use std::io;
use std::path::Path;

use super::links::{link_to_file, link_to_folder, remove_link};
use super::place::{Place, Scratch};
use super::race;
use super::run::Tried;
use crate::contained::{ContainedError, Root, Way};
use crate::path::guard::{Refusal, Rules};

/// What is written where it must not be.
const CONTENT: &[u8] = b"x";
/// Bytes that are read where they must not be, entries that are listed.
const LIMIT: usize = 9;

/// Everything by one way of walking.
pub(super) fn run(tried: &mut Tried, scratch: &Scratch, way: Way) {
    let place = match scratch.place(way.name()) {
        Ok(place) => place,
        Err(error) => {
            for hazard in ["links", "hard links", "pipes", "races"] {
                tried.skip(hazard, &error);
            }
            return;
        }
    };
    let root = match Root::open_by(&place.workspace, Rules::Portable, way) {
        Ok(root) => root,
        Err(error) => {
            let hazard = if way == Way::Kernel { "the kernel's walk" } else { "the walk name by name" };
            tried.skip(
                hazard,
                &std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string),
            );
            return;
        }
    };
    tried.hazard("links", |tried| links(tried, &place, &root));
    tried.hazard("links", |tried| link_as_root(tried, &place, way));
    tried.hazard("hard links", |tried| hard_links(tried, &place, &root));
    let changes = place.changes().unwrap_or_else(|error| error.to_string());
    tried.ended("links", &format!("nothing outside changed ({})", way.name()), changes.is_empty(), changes);
    // Names below it do not hold still from here on.
    let root = root.unwatched();
    tried.hazard("races", |tried| race::run(tried, &place, &root));
    // Last: a root that hangs is lost.
    tried.hazard("pipes", |tried| pipes(tried, &place, root));
}

pub(super) fn code(result: Result<(), ContainedError>) -> &'static str {
    result.map_or_else(|error| error.code(), |()| "done")
}

/// Notes whether an attempt was refused because it leads out.
fn refused(tried: &mut Tried, hazard: &'static str, name: &str, way: Way, result: Result<(), ContainedError>) {
    let got = code(result);
    tried.ended(hazard, &format!("{name} ({})", way.name()), got == Refusal::EscapesViaLink.code(), got);
}

fn links(tried: &mut Tried, place: &Place, root: &Root) -> io::Result<()> {
    let at = |name: &str| place.workspace.join(name);
    link_to_folder(&place.outside, &at("folder"))?;
    link_to_folder(&at("loop"), &at("loop"))?;
    let deep = format!("folder/{}x", "d/".repeat(64));
    for (name, result) in [
        ("write through a link to a folder", root.create(b"folder/new", CONTENT)),
        ("write behind a link and 64 missing folders", root.create(deep.as_bytes(), CONTENT)),
        ("read through a link to a folder", root.read(b"folder/loot", LIMIT).map(drop)),
        ("read through a link that leads to itself", root.read(b"loop/x", LIMIT).map(drop)),
        ("list a link to a folder", root.list(Some(b"folder"), LIMIT).map(drop)),
        ("remove through a link to a folder", root.remove(b"folder/loot")),
    ] {
        refused(tried, "links", name, root.way(), result);
    }
    link_to_file(&place.outside.join("new"), &at("dangling"))?;
    link_to_file(&Path::new("..").join("outside").join("loot"), &at("file"))?;
    for (name, result) in [
        ("write through a dangling link", root.create(b"dangling", CONTENT)),
        ("write through a link to a file", root.replace(b"file", CONTENT)),
        ("read through a link to a file", root.read(b"file", LIMIT).map(drop)),
        ("remove a link to a file", root.remove(b"file")),
    ] {
        refused(tried, "links", name, root.way(), result);
    }
    Ok(())
}

fn hard_links(tried: &mut Tried, place: &Place, root: &Root) -> io::Result<()> {
    fs::hard_link(place.outside.join("loot"), place.workspace.join("hard"))?;
    for (name, result) in [
        ("read another name of an outside file", root.read(b"hard", LIMIT).map(drop)),
        ("write to another name of an outside file", root.replace(b"hard", CONTENT)),
        ("remove another name of an outside file", root.remove(b"hard")),
    ] {
        refused(tried, "hard links", name, root.way(), result);
    }
    Ok(())
}

fn link_as_root(tried: &mut Tried, place: &Place, way: Way) -> io::Result<()> {
    let link = place.workspace.with_file_name("link");
    link_to_folder(&place.outside, &link)?;
    let opened = Root::open_by(&link, Rules::Portable, way);
    let got = opened.as_ref().map_or_else(ContainedError::code, |_| "opened");
    tried.ended("links", &format!("open a link as the root ({})", way.name()), opened.is_err(), got);
    remove_link(&link)
}

#[cfg(windows)]
#[expect(clippy::unnecessary_wraps, reason = "as elsewhere")]
fn pipes(tried: &mut Tried, _: &Place, _: Root) -> io::Result<()> {
    tried.skip("pipes", &"on this system no folder holds any");
    Ok(())
}

#[cfg(unix)]
fn pipes(tried: &mut Tried, place: &Place, root: Root) -> io::Result<()> {
    use std::sync::mpsc;
    use std::time::Duration;

    use crate::limits::CORPUS_PIPE_WAIT_MS;
    use crate::path::guard::Fault;
    use crate::sys::make_pipe;

    make_pipe(&place.workspace.join("pipe"))?;
    let way = root.way().name();
    let (done, wait) = mpsc::channel();
    std::thread::spawn(move || {
        let codes = [code(root.read(b"pipe", LIMIT).map(drop)), code(root.replace(b"pipe", CONTENT))];
        // Nobody waits any more where it took too long.
        done.send(codes).unwrap_or_default();
    });
    let codes = wait.recv_timeout(Duration::from_millis(CORPUS_PIPE_WAIT_MS)).unwrap_or(["hangs"; 2]);
    for (name, got) in ["read from a pipe", "write to a pipe"].into_iter().zip(codes) {
        tried.ended("pipes", &format!("{name} ({way})"), got == Fault::NotARegularFile.code(), got);
    }
    Ok(())
}
