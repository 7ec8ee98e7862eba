//! Longer scripts, as agents write them.

use super::check;
use crate::shell::programs::Language;

#[test]
fn python_scripts() {
    check(
        Language::Python,
        &[
            (
                r"from pathlib import Path
names = ['a', 'b']
BASE = Path('/srv')
paths = [BASE / n for n in names]
for p in paths:
    p.mkdir(parents=True)",
                "C /srv/a; C /srv/b",
            ),
            (
                r#"import os
here = os.path.dirname(os.path.abspath(__file__))
open(os.path.join(here, "x"), "w")"#,
                "C ?/x",
            ),
            (
                r"o = open
o('/srv/a', 'w')",
                "C /srv/a",
            ),
            (
                r"from pathlib import Path
Path.write_text(Path('/srv/a'), 'x')",
                "C ?",
            ),
            (
                r"import os
list(map(os.mkdir, ['/srv/a', '/srv/b']))",
                "C /srv/a; C /srv/b",
            ),
            (r"print('x', file=open('/srv/a', 'w'))", "C /srv/a"),
            (
                r"import sys
sys.stdout = open('/srv/a', 'w')",
                "C /srv/a",
            ),
            (
                r#"import subprocess
subprocess.run("mkdir /srv/a".split())"#,
                "X mkdir|/srv/a",
            ),
            (
                r#"import os
os.environ["X"] = "/srv/y"
os.mkdir(os.environ["X"])"#,
                "C /srv/y",
            ),
            (
                r"import os, shutil
src = 'in'
for root, dirs, files in os.walk(src):
    for f in files:
        sp = os.path.join(root, f)
        rel = os.path.relpath(sp, src)
        dst = os.path.join('/srv/out', rel)
        os.makedirs(os.path.dirname(dst), exist_ok=True)
        shutil.copy(sp, dst)",
                "C /srv/out; C /srv/out/*",
            ),
            (
                r"from pathlib import Path
class C:
    ROOT = Path('/srv')
    def go(self):
        (self.ROOT / 'a').mkdir()
C().go()",
                "C /srv/a",
            ),
            (
                r"import argparse
p = argparse.ArgumentParser()
p.add_argument('--out', default='/srv/x')
args = p.parse_args()
open(args.out, 'w')",
                "C ?",
            ),
            (
                r"import os, \
    shutil
shutil.copy(
    'a.txt',
    os.path.join(
        '/srv',
        'b.txt',
    ),
)",
                "C /srv/b.txt",
            ),
            (
                r"def main() -> int:
    with open('/srv/a', 'w', encoding='utf-8') as fh: fh.write('x')
    return 0
import sys
sys.exit(main())",
                "C /srv/a",
            ),
            (
                r"import dataclasses
@dataclasses.dataclass
class Cfg:
    out: str = '/srv/a'
cfg = Cfg()
open(cfg.out, 'w')",
                "C /srv/a",
            ),
            (
                r#"data = """
{"path": "/srv/a"}
"""
import json
for k, v in json.loads(data).items():
    open(v, 'w')"#,
                "C ?",
            ),
            (
                r"try:
    import numpy as np
except ImportError:
    np = None
np.save('/srv/a.npy', [1])",
                "C /srv/a.npy",
            ),
            (
                r#"import re
text = open('a.py').read()
text = re.sub(r"open\('(.*?)', 'w'\)", "x", text)
open('a.py', 'w').write(text)"#,
                "C a.py",
            ),
            (
                r#"x = 5
if x > 3 and "/srv/a" in "abc": print("/srv/b")
while True:
    open('/srv/c', 'a')
    break"#,
                "C /srv/c",
            ),
            (
                r"f = lambda p: open(p, 'w')
f('/srv/a')",
                "C /srv/a",
            ),
            (
                r"import os
def ensure(path):
    parent = os.path.dirname(path)
    if parent and not os.path.exists(parent):
        os.makedirs(parent)
    return path
with open(ensure('/srv/x/y.txt'), 'w') as f:
    f.write('1')",
                "C /srv/x; C /srv/x/y.txt",
            ),
            (
                r"import os
a = dict(dir='/srv', name='x')
open('{dir}/{name}'.format(**a), 'w')
open('%(dir)s/%(name)s2' % a, 'w')",
                "C /srv/x; C /srv/x2",
            ),
            (
                r#"import os
BASE = os.environ.get("BASE") or os.path.expanduser("~/base")
os.makedirs(BASE)"#,
                "C /home/u/base",
            ),
            (
                r#"from pathlib import Path
out = Path("build")
(out / "sub" / "x.txt").parent.mkdir(parents=True, exist_ok=True)
for f in Path("src").glob("**/*.py"):
    (out / f.name).write_text(f.read_text())
    (out / f.relative_to("src")).write_text("")"#,
                "C build/sub; C build/*; C build/*",
            ),
            (
                r"import urllib.request, tarfile, io
data = urllib.request.urlopen('https://h/x.tgz').read()
tarfile.open(fileobj=io.BytesIO(data)).extractall('/srv/t')",
                "I /srv/t",
            ),
            (
                r#"import sqlite3
con = sqlite3.connect('app.db')
con.execute("ATTACH DATABASE '/srv/x.db' AS x")"#,
                "C app.db",
            ),
            (r"import os; os.makedirs('/srv/q') if not os.path.isdir('/srv/q') else None", "C /srv/q"),
            (
                r"import tempfile, os
fd, path = tempfile.mkstemp(suffix='.txt')
os.write(fd, b'x'); os.close(fd)
os.rename(path, '/srv/final.txt')",
                "D /tmp/t/*; C /srv/final.txt",
            ),
            (
                r#"import subprocess
subprocess.run(["bash", "-lc", "mkdir -p /srv/z"])
subprocess.run(["docker", "run", "-v", "/srv/n:/n", "x"], stdout=open('/srv/log', 'w'))"#,
                "X bash|-lc|mkdir -p /srv/z; C /srv/log; X docker|run|-v|/srv/n:/n|x",
            ),
            (r#"print(f"{open('/srv/a', 'w')}")"#, "C /srv/a"),
            (
                r"import os
if os.name == 'nt': base = 'C:\\x'
elif os.name == 'posix': base = '/srv/p'
else: base = '.'
os.mkdir(base)",
                "C C:\\x; C /srv/p; C .",
            ),
            (
                r"match x:
    case 1:
        open('/srv/one', 'w')
    case _:
        open('/srv/other', 'w')",
                "C /srv/one; C /srv/other",
            ),
            (
                r"import os, sys
for a in sys.argv[1:]:
    os.mkdir(a)",
                "C one; C /srv/two",
            ),
            (
                r#"import os
d = "/srv/a"
os.path.exists(d) or os.mkdir(d)"#,
                "C /srv/a",
            ),
            (r#"s = "it's"; open('/srv/a', 'w')"#, "C /srv/a"),
            (
                r"x = {'a': 1, 'b': [1, 2, {'c': '/srv/a'}]}
open(x['b'][2]['c'], 'w')",
                "C /srv/a",
            ),
            (
                r"open(*('/srv/a', 'w'))
open(**{'file': '/srv/b', 'mode': 'w'})",
                "C /srv/a; C /srv/b",
            ),
            (
                r"import builtins
builtins.open('/srv/a', 'w')",
                "C /srv/a",
            ),
            (
                r"import os
os.makedirs(os.path.join(*['/srv', 'a', 'b']))",
                "C /srv/a/b",
            ),
            (
                r"from os.path import join as j
from os import mkdir
mkdir(j('/srv', 'x'))",
                "C /srv/x",
            ),
            (
                r"with open('/srv/a') as f, \
     open('/srv/b', 'w') as g:
    g.write(f.read())",
                "C /srv/b",
            ),
            (
                r"def gen():
    for n in ['a', 'b']:
        yield '/srv/' + n
for p in gen():
    open(p, 'w')",
                "C /srv/a; C /srv/b",
            ),
            (
                r"import yaml
yaml.dump({'a': 1}, stream=open('/srv/a.yml', 'w'))",
                "C /srv/a.yml",
            ),
        ],
    );
}

#[test]
fn node_scripts() {
    check(
        Language::Node,
        &[
            (
                r"const fs = require('fs'), path = require('path');
fs.mkdirSync(path.dirname('/srv/a/b.txt'), {recursive: true});",
                "C /srv/a",
            ),
            (
                r"const out = process.argv[2] ?? '/srv/x'
require('fs').writeFileSync(out, '')",
                "C /srv/two; C /srv/x",
            ),
            (
                r"const p: string = '/srv/a';
require('fs').writeFileSync(p, 'x' as string);",
                "C /srv/a",
            ),
            (
                r"const fs = require('fs');
[1,2].map((i) => `/srv/${i}`).forEach(p => fs.mkdirSync(p));",
                "C /srv/1; C /srv/2",
            ),
            (
                r#"import { promises as fsp } from "fs";
const names = ['a', 'b'];
await Promise.all(names.map(async n => {
  await fsp.writeFile('/srv/' + n, '');
}));"#,
                "C /srv/a; C /srv/b",
            ),
            (
                r"const fs = require('fs');
try { fs.mkdirSync('/srv/a') } catch {} finally { fs.rmSync('/srv/b') }",
                "C /srv/a; D /srv/b",
            ),
            (
                r"const fs = require('fs');
switch (x) {
  case 'a': fs.mkdirSync('/srv/a'); break;
  default: fs.mkdirSync('/srv/b')
}",
                "C /srv/a; C /srv/b",
            ),
            (r"!function () { require('fs').mkdirSync('/srv/a') }()", "C /srv/a"),
            (
                r"const make = () => ({ dir: '/srv/a' });
require('fs').mkdirSync(make().dir)",
                "C /srv/a",
            ),
            (
                r"class A { root = '/srv'; run() { require('fs').mkdirSync(this.root + '/x') } }
new A().run()",
                "C /srv/x",
            ),
            (
                r"const fs = require('fs');
if (x) /re'/.test(y);
fs.mkdirSync('/srv/a')",
                "C /srv/a",
            ),
            (
                r"function* g() { yield 1 }
const fs = require('fs')
for await (const x of ['/srv/a']) fs.mkdirSync(x)",
                "C /srv/a",
            ),
            (
                r"const fs = require('fs')
const cfg = JSON.parse(fs.readFileSync('a.json', 'utf8'))
cfg.path = '/srv/new'
fs.writeFileSync('a.json', JSON.stringify(cfg, null, 2))",
                "C a.json",
            ),
            (
                r#"const fs = require("fs");
let html = fs.readFileSync("index.html", "utf8");
html = html.replace(/<a href="\/srv\/x">/g, '<a href="/srv/y">');
fs.writeFileSync("index.html", html);"#,
                "C index.html",
            ),
            (
                r"const {execSync: sh} = require('child_process');
const r = (c) => sh(c, {encoding: 'utf8'}).trim();
console.log(r('git status'), r(`mkdir ${'/srv/a'}`));",
                "S git status; S mkdir /srv/a",
            ),
            (
                r#"const fs = require('fs');
fs.writeFileSync('/srv/a', `line ${1 + `nested ${2}`} end`);
fs.writeFileSync('/srv/b', "x");"#,
                "C /srv/a; C /srv/b",
            ),
            (
                r"const fs = require('fs');
Object.keys({a: 1, b: 2}).forEach(k => fs.writeFileSync(`/srv/${k}.json`, ''));",
                "C /srv/a.json; C /srv/b.json",
            ),
            (
                r"require('fs').readdirSync('.').filter(f => f.endsWith('.js')).forEach(f => { require('fs').renameSync(f, f.replace('.js', '.ts')) })",
                "D *; C *",
            ),
            (
                r"const fs = require('fs')
fs.readFile('a', 'utf8', (err, data) => {
  if (err) throw err
  fs.writeFile('/srv/b', data, () => {})
})",
                "C /srv/b",
            ),
            (r"['/srv/a', '/srv/b'].forEach(require('fs').unlinkSync)", "D /srv/a; D /srv/b"),
            (r#"const a = 1 / 2, b = "x"; require('fs').mkdirSync('/srv/a') // '"#, "C /srv/a"),
            (
                r"const fs = require('fs'); const d = '/srv/d';
fs.existsSync(d) || fs.mkdirSync(d);
fs.existsSync(d) ? null : fs.mkdirSync(d + '2');",
                "C /srv/d; C /srv/d2",
            ),
            (r"label: for (const x in {a: 1}) { require('fs').mkdirSync('/srv/' + x); continue label }", "C /srv/a"),
            (
                r"export default async function main() { await Deno.writeTextFile('/srv/a', '') }
await main()",
                "C /srv/a",
            ),
            (
                r#"const fs=require("fs");const l=fs.createWriteStream("/srv/a",{flags:"a"});l.write("x");l.end()"#,
                "C /srv/a",
            ),
            (
                r"const { writeFile } = require('fs/promises'); writeFile('/srv/a', '').then(() => console.log('x'))",
                "C /srv/a",
            ),
            (r"const s = fs.createReadStream('/srv/a'); s.pipe(fs.createWriteStream('/srv/b'))", "C /srv/b"),
        ],
    );
}

#[test]
fn perl_scripts() {
    check(
        Language::Perl,
        &[
            (
                r#"use strict; use warnings;
my @dirs = ('a', 'b');
foreach my $d (@dirs) { mkdir "/srv/$d" or warn "no $d: $!"; }"#,
                "C /srv/a; C /srv/b",
            ),
            (
                r#"my $file = "/srv/a.txt";
open(my $fh, '>', $file) || die "x";
print {$fh} "text";
close $fh;"#,
                "C /srv/a.txt",
            ),
            (
                r"local $/; my $t = <STDIN>; $t =~ s/foo/bar/g; open my $o, '>', '/srv/o' or die $!; print $o $t;",
                "C /srv/o",
            ),
            (
                r"my %cfg = (out => '/srv/o', n => 1);
open my $fh, '>', $cfg{out};
my $r = { out => '/srv/p' };
open my $gh, '>', $r->{out};",
                "C /srv/o; C /srv/p",
            ),
            (r"if (-e '/srv/a') { unlink '/srv/a' } else { mkdir('/srv/b', 0755) }", "D /srv/a; C /srv/b"),
            (r"use File::Basename; mkdir dirname('/srv/a/b');", "C /srv/a"),
            (r#"system "cp", "-r", "a", "/srv/b" and die;"#, "X cp|-r|a|/srv/b"),
            (r#"my $cmd = "mkdir /srv/x"; `$cmd`; system($cmd) == 0 or die;"#, "S mkdir /srv/x"),
            (r#"for (1..3) { open my $f, '>', "/srv/$_.txt"; }"#, "C /srv/1.txt; C /srv/2.txt; C /srv/3.txt"),
            (r"while (my $l = <>) { print $l if $l =~ m#^/srv/# }", ""),
            (r#"my @f = glob("/srv/data/*.txt"); unlink @f;"#, "D /srv/data/*.txt"),
            (r#"rename $_, "/srv/$_" for glob("*.txt");"#, "D *.txt; C /srv/*.txt"),
            (r#"map { mkdir "/srv/$_" } qw(a b);"#, "C /srv/a; C /srv/b"),
            (r#"open(STDOUT, '>', '/srv/out') or die; open(STDERR, ">&STDOUT");"#, "C /srv/out"),
            (r#"my $x = $y / 2; my $z = "a/b"; mkdir '/srv/a';"#, "C /srv/a"),
            (r"s{x}{`mkdir /srv/q`}ge;", "S mkdir /srv/q"),
            (r#"s/(\d+)/unlink("q$1")/e;"#, "D q?"),
            (r#"print STDERR "opening > /srv/a\n"; printf "%s > %s\n", 'a', '/srv/b';"#, ""),
        ],
    );
}

#[test]
fn ruby_scripts() {
    check(
        Language::Ruby,
        &[
            (
                r"require 'fileutils'
include FileUtils
mkdir_p '/srv/a'
cd '/srv' do
  touch 'x'
end",
                "C /srv/a; C /srv/x",
            ),
            (
                r"%w(a b).each do |n|
  path = File.join('/srv', n)
  Dir.mkdir(path) unless Dir.exist?(path)
end",
                "C /srv/a; C /srv/b",
            ),
            (r#"File.open("/srv/a", File::CREAT | File::RDWR, 0644) { |f| f.puts "x" }"#, "C /srv/a"),
            (
                r"content = File.read('/srv/in').gsub('a', 'b')
File.write('/srv/out', content)",
                "C /srv/out",
            ),
            (
                r##"class W
  def initialize(root)
    @root = root
  end
  def go
    File.write("#{@root}/a", '')
  end
end
W.new('/srv').go"##,
                "C /srv/a",
            ),
            (
                r##"def helper(name, dir: '/srv')
  File.write("#{dir}/#{name}", '')
end
helper('x')
helper('y', dir: '/opt')"##,
                "C /srv/x; C /opt/y",
            ),
            (
                r#"puts "a" if File.exist?('/srv/a') and x
system("mkdir", "-p", "/srv/a", out: File::NULL)"#,
                "X mkdir|-p|/srv/a",
            ),
            (r"Dir['/srv/data/*'].each { |f| File.rename(f, f + '.bak') }", "D /srv/data/*; C /srv/data/*.bak"),
            (r#"1.upto(3) { |i| File.write("/srv/#{i}", '') }"#, "C /srv/1; C /srv/2; C /srv/3"),
            (r#"[1, 2].each_with_index { |x, i| Dir.mkdir("/srv/#{i}") }"#, "C /srv/*"),
            (
                r"h = { 'out' => '/srv/o' }
File.write(h['out'], '')",
                "C /srv/o",
            ),
            (r"IO.popen(['mkdir', '/srv/a'])", "X mkdir|/srv/a"),
            (r"File.open('/srv/a', 'w') do |f| f << 'x' end; Dir.mkdir('/srv/b')", "C /srv/a; C /srv/b"),
            (r#"$stdout.puts "/srv/a"; $x = '/srv/b'; File.write($x, '')"#, "C /srv/b"),
            (r"begin; Dir.mkdir '/srv/a'; rescue Errno::EEXIST; end", "C /srv/a"),
            (r"path = ENV['NOPE'] || '/srv/d'; File.write(path, '')", "C /srv/d"),
        ],
    );
}

#[test]
fn php_scripts() {
    check(
        Language::Php,
        &[
            (
                r#"$base = '/srv'; $f = "$base/a.txt";
if (!file_exists($base)) { mkdir($base, 0777, true); }
$h = fopen($f, "a+"); fputs($h, "x"); fclose($h);"#,
                "C /srv; C /srv/a.txt",
            ),
            (
                r"class W { private $root; function __construct($r) { $this->root = $r; } function go() { file_put_contents($this->root . '/a', ''); } }
(new W('/srv'))->go();",
                "C /srv/a",
            ),
            (
                r"$files = ['/srv/a' => 'x', '/srv/b' => 'y'];
foreach ($files as $p => $c) { file_put_contents($p, $c); }",
                "C /srv/a; C /srv/b",
            ),
            (r#"for ($i = 0; $i < 3; $i++) { touch("/srv/$i"); }"#, "C /srv/*"),
            (r"$cmd = sprintf('mkdir -p %s', escapeshellarg('/srv/a')); exec($cmd);", "S mkdir -p /srv/a"),
            (r"define('ROOT', '/srv'); const X = '/opt'; touch(ROOT . '/a'); touch(X . '/b');", "C /srv/a; C /opt/b"),
            (
                r"$c = file_get_contents('/srv/in'); file_put_contents('/srv/out', str_replace('a', 'b', $c));",
                "C /srv/out",
            ),
            (r"$x = $argv[1] ?? '/srv/d'; mkdir($x);", "C one; C /srv/d"),
            (r#"<html><?php echo "x"; ?> <a href="/srv/a"> <?php touch('/srv/b'); ?>"#, "C /srv/b"),
            (r"array_map('unlink', glob('/srv/data/*'));", "D /srv/data/*"),
            (
                r#"<?php
function save(string $p, string $c = ''): void { file_put_contents($p, $c); }
save(__DIR__ . '/x');
save("/srv/{$argv[0]}.txt");"#,
                "C /w/x; C /srv/Standard input code.txt",
            ),
        ],
    );
}
