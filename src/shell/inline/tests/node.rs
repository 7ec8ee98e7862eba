//! JavaScript.

use super::check;
use crate::shell::programs::Language;

fn js(rows: &[(&str, &str)]) {
    check(Language::Node, rows);
}

#[test]
fn files() {
    js(&[
        ("const fs = require('fs'); const w = new fs.WriteStream('/srv/a'); w.end('x')", "C /srv/a"),
        ("const { WriteStream } = require('fs'); new WriteStream('/srv/a')", "C /srv/a"),
        ("require('fs').createWriteStream('/srv/a').write('x')", "C /srv/a"),
        ("require('fs').writeFileSync('/srv/a', 'x')", "C /srv/a"),
        ("const fs = require('fs'); fs.writeFileSync(\"/srv/a\", 'x');", "C /srv/a"),
        ("const fs = require('node:fs');\nfs.appendFileSync('/srv/a', 'x')", "C /srv/a"),
        ("const {writeFileSync} = require('fs')\nwriteFileSync('/srv/a', '')", "C /srv/a"),
        (
            "const {writeFileSync: w, mkdirSync} = require('fs'); mkdirSync('/srv/d'); w('/srv/d/a', '')",
            "C /srv/d; C /srv/d/a",
        ),
        ("import fs from 'fs'; fs.writeFileSync('/srv/a','m')", "C /srv/a"),
        ("import * as fs from \"node:fs\";\nfs.mkdirSync('/srv/d', { recursive: true });", "C /srv/d"),
        ("import { writeFile as w } from 'node:fs/promises'\nawait w('/srv/a', 'x')", "C /srv/a"),
        ("import fs, { mkdirSync } from 'fs'\nmkdirSync('/srv/d')\nfs.rmSync('/srv/e')", "C /srv/d; D /srv/e"),
        ("const fs = require('fs').promises;\n(async () => {\n  await fs.writeFile('/srv/a', 'x');\n})();", "C /srv/a"),
        ("const { promises: fs } = require('fs'); fs.mkdir('/srv/d')", "C /srv/d"),
        ("const fs = await import('fs'); fs.writeFileSync('/srv/a', '')", "C /srv/a"),
        ("import('fs').then(fs => fs.writeFileSync('/srv/a', ''))", "C /srv/a"),
        ("require('fs').createWriteStream('/srv/a').end('x')", "C /srv/a"),
        ("require('fs').openSync('/srv/a', 'w')", "C /srv/a"),
        ("require('fs').openSync('/srv/a', 'r')", ""),
        ("require('fs').openSync('/srv/a')", ""),
        ("require('fs').copyFileSync('a.txt', '/srv/b')", "C /srv/b"),
        ("require('fs').cpSync('a', '/srv/b', {recursive:true})", "C /srv/b"),
        ("require('fs').renameSync('a', '/srv/b')", "D a; C /srv/b"),
        ("require('fs').symlinkSync('/etc', '/srv/l')", "C /srv/l"),
        ("require('fs').mkdtempSync('/srv/x-')", "C /srv/x-*"),
        (
            "const d = require('fs').mkdtempSync(require('path').join(require('os').tmpdir(), 'x-')); require('fs').writeFileSync(d + '/a', '')",
            "C /tmp/t/x-*; C /tmp/t/x-*/a",
        ),
        ("fs = require('fs-extra'); fs.outputFileSync('/srv/a', '')", "C /srv/a"),
        ("require('fs').readFile('/srv/a', 'utf8', (e, d) => console.log(d.length))", ""),
        ("require('fs').readFile('a', (e, d) => { require('fs').writeFileSync('/srv/b', d) })", "C /srv/b"),
        (
            "require('fs').readdirSync('/srv/data').forEach(f => require('fs').unlinkSync('/srv/data/' + f))",
            "D /srv/data/*",
        ),
        ("Bun.write('/srv/a', 'x')", "C /srv/a"),
        ("await Deno.writeTextFile('/srv/a', 'x'); Deno.mkdirSync('/srv/d')", "C /srv/a; C /srv/d"),
        ("process.chdir('/srv'); require('fs').writeFileSync('a','x')", "C /srv/a"),
        ("const page = await b.newPage(); await page.screenshot({ path: '/srv/s.png' })", "C /srv/s.png"),
    ]);
}

#[test]
fn strings_and_names() {
    js(&[
        ("const d = '/srv'; require('fs').writeFileSync(`${d}/a`, '')", "C /srv/a"),
        ("const d = '/srv';\nrequire('fs').writeFileSync(d + '/' + 'a', '')", "C /srv/a"),
        ("const path = require('path'); require('fs').mkdirSync(path.join('/srv', 'a', '..', 'b'))", "C /srv/a/../b"),
        ("const path = require('path'); require('fs').mkdirSync(path.resolve('x'))", "C /w/x"),
        (
            "const {join} = require('path'), os = require('os'); require('fs').mkdirSync(join(os.homedir(), '.x'))",
            "C /home/u/.x",
        ),
        ("require('fs').mkdirSync(process.env.HOME + '/x')", "C /home/u/x"),
        ("const {HOME} = process.env; require('fs').mkdirSync(`${HOME}/x`)", "C /home/u/x"),
        ("require('fs').mkdirSync(process.env['OUT'] || '/tmp/o')", "C /srv/out; C /tmp/o"),
        ("require('fs').mkdirSync(process.argv[2])", "C /srv/two"),
        ("require('fs').writeFileSync(`${process.cwd()}/a`, '')", "C /w/a"),
        ("require('fs').writeFileSync(__dirname + '/a', '')", "C ./a"),
        ("for (const n of ['a', 'b']) { require('fs').mkdirSync('/srv/' + n) }", "C /srv/a; C /srv/b"),
        ("for (const n of ['a', 'b']) require('fs').mkdirSync('/srv/' + n)", "C /srv/a; C /srv/b"),
        ("['a', 'b'].forEach(n => require('fs').mkdirSync(`/srv/${n}`))", "C /srv/a; C /srv/b"),
        ("['a'].forEach(function (n) { require('fs').mkdirSync(`/srv/${n}`) })", "C /srv/a"),
        ("for (let i = 0; i < 3; i++) { require('fs').writeFileSync(`/srv/${i}.txt`, '') }", "C /srv/*.txt"),
        (
            "for (const [p, t] of Object.entries({'/srv/a': 1, '/srv/b': 2})) require('fs').writeFileSync(p, t)",
            "C /srv/a; C /srv/b",
        ),
        ("const files = {a: '/srv/a'}; require('fs').writeFileSync(files.a, '')", "C /srv/a"),
        (
            "let p; if (x) { p = '/srv/a' } else { p = '/srv/b' }\nrequire('fs').writeFileSync(p, '')",
            "C /srv/a; C /srv/b",
        ),
        ("const p = x ? '/srv/a' : '/srv/b'; require('fs').writeFileSync(p, '')", "C /srv/a; C /srv/b"),
        ("const p = ['/srv', 'a'].join('/'); require('fs').writeFileSync(p, '')", "C /srv/a"),
        ("require('fs').writeFileSync(`/srv/${Date.now()}.log`, '')", "C /srv/*.log"),
        ("require('fs').writeFileSync(`/srv/${new Date().toISOString()}.log`, '')", "C /srv/*.log"),
        ("require('fs').writeFileSync(p, '')", "C ?"),
        ("const p = '/srv/a.ts'; require('fs').writeFileSync(p.replace('.ts', '.js'), '')", "C /srv/a.js"),
    ]);
}

#[test]
fn functions() {
    js(&[
        ("function w(p) { require('fs').writeFileSync(p, '') }\nw('/srv/a')", "C /srv/a"),
        ("w('/srv/a'); function w(p) { require('fs').writeFileSync(p, '') }", "C /srv/a"),
        ("const w = (p) => { require('fs').writeFileSync(p, '') };\nw('/srv/a')", "C /srv/a"),
        ("const w = async p => require('fs').writeFileSync(p, ''); w('/srv/a')", "C /srv/a"),
        ("const w = (p) => { require('fs').writeFileSync(p, '') };", ""),
        (
            "async function main() { await require('fs').promises.mkdir('/srv/d') }\nmain().catch(console.error)",
            "C /srv/d",
        ),
        ("(function () { require('fs').mkdirSync('/srv/d') })()", "C /srv/d"),
        ("setTimeout(() => require('fs').mkdirSync('/srv/d'), 10)", "C /srv/d"),
        ("new Promise(r => { require('fs').mkdirSync('/srv/d'); r() }).then(() => 1)", "C /srv/d"),
        (
            "class A { constructor(r) { this.r = r }\n run() { require('fs').mkdirSync(this.r) } }\nnew A('/srv/d').run()",
            "C /srv/d",
        ),
        ("const u = { make(d) { require('fs').mkdirSync(d) } }; u.make('/srv/d')", "C /srv/d"),
        ("function base() { return '/srv' }\nrequire('fs').mkdirSync(base() + '/d')", "C /srv/d"),
        ("function f(d = '/srv/d') { require('fs').mkdirSync(d) } f()", "C /srv/d"),
        ("function f({ dir }) { require('fs').mkdirSync(dir) } f({ dir: '/srv/d' })", "C /srv/d"),
    ]);
}

#[test]
fn programs() {
    js(&[
        ("require('child_process').execSync('mkdir -p /srv/a')", "S mkdir -p /srv/a"),
        (
            "const {execSync} = require('child_process'); execSync(`mkdir ${'/srv/a'}`, {stdio: 'inherit'})",
            "S mkdir /srv/a",
        ),
        ("require('child_process').execSync('touch x', {cwd: '/srv'})", "S touch x @/srv"),
        ("require('child_process').spawnSync('mkdir', ['-p', '/srv/a'])", "X mkdir|-p|/srv/a"),
        ("require('child_process').spawn('rm', ['-rf', '/srv/a'], {cwd: '/srv'})", "X rm|-rf|/srv/a @/srv"),
        ("require('child_process').spawn('rm', ['-rf', '/srv/a'], {shell: true})", "S rm -rf /srv/a"),
        ("import { execFile } from 'child_process'; execFile('touch', ['/srv/a'], () => {})", "X touch|/srv/a"),
        (
            "const { promisify } = require('util'); require('child_process').exec('touch /srv/a', (e, o) => {})",
            "S touch /srv/a",
        ),
        ("import { $ } from 'bun'; await $`mkdir /srv/a`", "S mkdir /srv/a"),
        ("await $`touch ${'/srv/a'}`", "S touch /srv/a"),
        ("eval(\"require('fs').mkdirSync('/srv/a')\")", "C /srv/a"),
        ("Bun.spawn(['mkdir', '/srv/a'])", "X mkdir|/srv/a"),
        ("new Deno.Command('mkdir', { args: ['/srv/a'] }).output()", "X mkdir|/srv/a"),
        (
            "const cmds = ['touch /srv/a', 'ls']; for (const c of cmds) require('child_process').execSync(c)",
            "S touch /srv/a; S ls",
        ),
    ]);
}

#[test]
fn mentioned_is_not_used() {
    js(&[
        ("console.log(/^\\/api\\/users\\/\\d+$/.test('/api/users/12'))", ""),
        ("const routes = ['/api/a', '/srv/new'];\nconsole.log(routes.join(' '));", ""),
        ("// require('fs').writeFileSync('/srv/a')\nconsole.log(1)", ""),
        ("/* fs.writeFileSync('/srv/a') */ console.log(1)", ""),
        ("console.log(\"require('fs').writeFileSync('/srv/a')\")", ""),
        ("console.log(`fs.mkdirSync('/srv/a')`)", ""),
        ("app.get('/srv/new', (req, res) => res.send('x'))", ""),
        ("fetch('https://h.example/srv/new').then(r => r.json()).then(console.log)", ""),
        ("console.log(require('fs').existsSync('/srv/a'))", ""),
        ("const f=(x)=>x; console.log(f('/v1/chat/completions'))", ""),
        ("const x = a / b; const s = '/srv/new'; const y = c / d", ""),
        ("s.replace(/'/g, \"/srv/a\")", ""),
        ("const re = /[/'\"]/; console.log(re)", ""),
        ("require('./package.json').version", ""),
        ("[1,2].map(x => x > 1)", ""),
        ("const o = { path: '/srv/a', w: 'x' }; console.log(o.path)", ""),
        ("import x from '/srv/lib/x.js'; console.log(x)", ""),
    ]);
}
