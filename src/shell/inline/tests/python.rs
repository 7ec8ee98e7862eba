//! Python.

use super::{check, run};
use crate::shell::EffectKind;
use crate::shell::programs::{Act, Language};

fn py(rows: &[(&str, &str)]) {
    check(Language::Python, rows);
}

#[test]
fn files_are_opened() {
    py(&[
        ("open('/srv/a','w').write('x')", "C /srv/a"),
        ("open('/srv/a', mode='w')", "C /srv/a"),
        ("open(file='/srv/a', mode='a')", "C /srv/a"),
        ("open('/srv/a')", ""),
        ("open('/srv/a', 'rb').read()", ""),
        ("open('/srv/a', 'r+')", "M /srv/a"),
        ("open('/srv/a', 'x')", "C /srv/a"),
        ("open('/srv/a', encoding='utf-8', mode='wb')", "C /srv/a"),
        ("with open('/srv/a', 'w') as f:\n    f.write('hello')\n", "C /srv/a"),
        ("with open('/srv/a') as f, open('/srv/b', 'w') as g:\n    g.write(f.read())", "C /srv/b"),
        ("with (open('/srv/a') as f, open('/srv/b', 'w') as g):\n    g.write(f.read())", "C /srv/b"),
        ("import io\nio.open('/srv/a', 'w')", "C /srv/a"),
        ("import gzip as gz\ngz.open('/srv/a.gz', 'wt')", "C /srv/a.gz"),
        ("import codecs; codecs.open('/srv/a', 'w', 'utf-8')", "C /srv/a"),
        ("import tarfile\ntarfile.open('/srv/a.tgz', 'w:gz')", "C /srv/a.tgz"),
        ("import tarfile\nwith tarfile.open('x.tgz') as t:\n    t.extractall('/srv/x')", "I /srv/x"),
        ("import tarfile\nt = tarfile.open('x.tgz')\nt.extractall()", "I ."),
        ("import tarfile\nt = tarfile.open('x.tgz')\nt.extractall(path='/srv/x')", "I /srv/x"),
        ("import zipfile; zipfile.ZipFile('/srv/a.zip','w').write('x')", "C /srv/a.zip"),
        ("import zipfile; zipfile.ZipFile('a.zip').extract('m', '/srv/y')", "I /srv/y"),
        ("import os\nfd = os.open('/srv/a', os.O_CREAT | os.O_WRONLY)", "C /srv/a"),
        ("import os\nfd = os.open('/srv/a', os.O_RDONLY)", ""),
        ("m = 'w'\nopen('/srv/a', m)", "C /srv/a"),
        ("def f(m):\n    open('/srv/a', m)\nf('w')", "C /srv/a"),
        ("def f(p, m='w'):\n    open(p, m)\nf('/srv/a')", "C /srv/a"),
        ("open('/srv/a', mode_for(x))", "~C /srv/a"),
        ("import os\nd = os.open('/srv', os.O_RDONLY)\nos.mkdir('a', dir_fd=d)", "C /srv/a"),
        ("import os\nd = os.open('/srv', os.O_RDONLY)\nos.open('a', os.O_CREAT | os.O_WRONLY, dir_fd=d)", "C /srv/a"),
        ("import os\nd = os.open('/srv', os.O_RDONLY)\nos.rename('a', 'b', dst_dir_fd=d)", "D a; C /srv/b"),
        ("import os\nfd = os.open('/srv/a', os.O_CREAT)\nos.fdopen(fd, 'w')", "C /srv/a"),
        (
            "import tempfile\ntempfile.tempdir = '/srv'\nd = tempfile.mkdtemp()\nopen(d + '/x', 'w')",
            "I /srv; C /srv/*/x",
        ),
        ("import tempfile\nd = tempfile.mkdtemp('', 'p', '/srv')\nopen(d + '/x', 'w')", "I /srv; C /srv/*/x"),
        ("import tempfile\ntempfile.NamedTemporaryFile('w')", ""),
        ("import tempfile\nopen(tempfile.NamedTemporaryFile('w', -1, 'utf-8').name, 'a')", "C /tmp/t/*"),
        ("import tempfile\ntempfile.NamedTemporaryFile('w', -1, None, None, '', 'p', '/srv')", "I /srv"),
        ("import os\nos.spawnlp(os.P_WAIT, 'touch', 'touch', '/srv/a')", "X touch|/srv/a"),
        ("import os\nos.spawnl(0, '/bin/touch', 'touch', '/srv/a')", "X /bin/touch|/srv/a"),
        ("import os\nos.spawnvpe(0, 'touch', ['touch', '/srv/a'], {})", "X touch|/srv/a"),
        ("import os\nos.posix_spawnp('touch', ['touch', '/srv/a'], os.environ)", "X touch|/srv/a"),
        ("import os\nos.execlp('touch', 'touch', '/srv/a')", "X touch|/srv/a"),
        ("from pathlib import Path\nfor p in Path('/srv/d').glob('*.txt'):\n    p.unlink()", "D </srv/d>"),
        ("from pathlib import Path\nfor p in Path('/srv/d').iterdir():\n    p.unlink()", "D /srv/d/*"),
        ("from pathlib import Path\n[p.unlink() for p in Path('/srv/d').rglob('*')]", "D </srv/d>"),
        ("from pathlib import Path\nfor p in Path('/srv/d').iterdir():\n    (p / 'x').touch()", "C /srv/d/*/x"),
        (
            "import os\nfor d, _, fs in os.walk('/srv/d'):\n    for f in fs:\n        os.unlink(os.path.join(d, f))",
            "D </srv/d>/*",
        ),
        ("import json\njson.dump({'path': '/var/x'}, open('d.json', 'w'))", "C d.json"),
    ]);
}

#[test]
fn pathlib() {
    py(&[
        ("from pathlib import Path\nPath('/srv/a').write_text('x')", "C /srv/a"),
        ("from pathlib import Path as P\nP('/srv').joinpath('a').write_bytes(b'')", "C /srv/a"),
        ("import pathlib\npathlib.Path('/srv/a').mkdir(parents=True, exist_ok=True)", "C /srv/a"),
        ("import pathlib as pl\n(pl.Path('/srv')/'a').write_text('x')", "C /srv/a"),
        ("from pathlib import Path\n(Path.home()/'made').mkdir()", "C /home/u/made"),
        ("from pathlib import Path\np = Path('~/x').expanduser()\np.touch()", "C /home/u/x"),
        (
            "from pathlib import Path\np = Path('/srv/a/b.txt')\np.parent.mkdir(parents=True)\np.write_text('x')",
            "C /srv/a; C /srv/a/b.txt",
        ),
        ("from pathlib import Path\nPath('/srv/a/b/c').parent.parent.mkdir()", "C /srv/a"),
        ("from pathlib import Path\nPath('/srv/a.txt').with_suffix('.bak').write_text('')", "C /srv/a.bak"),
        ("from pathlib import Path\nPath('/srv/a.txt').with_name('b').touch()", "C /srv/b"),
        ("from pathlib import Path\np = Path('/srv/a'); q = p.with_name('b'); p.rename(q)", "D /srv/a; C /srv/b"),
        ("from pathlib import Path\nPath('a').replace('/srv/b')", "D a; C /srv/b"),
        ("from pathlib import Path\nPath('/srv/l').symlink_to('/etc')", "C /srv/l"),
        ("from pathlib import Path\nPath('/srv/l').unlink(missing_ok=True)", "D /srv/l"),
        ("from pathlib import Path\nwith Path('/srv/a').open('w') as f: f.write('x')", "C /srv/a"),
        ("from pathlib import Path\nPath('/srv/a').open().read()", ""),
        ("from pathlib import Path\nPath.cwd().joinpath('x').mkdir()", "C /w/x"),
        (
            "from pathlib import Path\nroot = Path('/srv')\nfor n in ('p', 'q'):\n    (root / f'{n}.txt').write_text(n)",
            "C /srv/p.txt; C /srv/q.txt",
        ),
        (
            "from pathlib import Path\nfor p in Path('/srv/data').glob('*.md'):\n    p.with_suffix('.html').write_text('x')",
            "C </srv/data>.html",
        ),
        ("from pathlib import Path\nfor p in Path('/srv/data').iterdir():\n    p.unlink()", "D /srv/data/*"),
        (
            "from pathlib import Path\nfor p in Path('.').rglob('*.py'):\n    p.write_text(p.read_text().replace('a', 'b'))",
            "C </w>",
        ),
        ("from pathlib import Path\nPath('/srv', 'a', 'b').mkdir()", "C /srv/a/b"),
        ("from pathlib import Path\nd = Path('/srv')\nd /= 'x'\nd.mkdir()", "C /srv/x"),
        ("from pathlib import *\nPath('/srv/z').touch()", "C /srv/z"),
        ("from pathlib import Path\nimport sys\nPath(sys.argv[2]).mkdir()", "C /srv/two"),
        ("from pathlib import Path\nimport settings\nPath(settings.ROOT).mkdir()", "C ?"),
        ("from pathlib import Path\np: Path = Path('/srv/typed')\np.mkdir()", "C /srv/typed"),
    ]);
}

#[test]
fn os_and_shutil() {
    py(&[
        ("import os; os.makedirs('/srv/a/b', exist_ok=True)", "C /srv/a/b"),
        ("import os as o; o.mkdir('/srv/a')", "C /srv/a"),
        ("from os import makedirs\nmakedirs('/srv/a')", "C /srv/a"),
        ("from os import makedirs as md, path\nmd(path.join('/srv', 'q'))", "C /srv/q"),
        ("from os import *\nmkdir('/srv/a')", "C /srv/a"),
        ("__import__('os').makedirs('/srv/a')", "C /srv/a"),
        ("import importlib\nimportlib.import_module('os').mkdir('/srv/a')", "C /srv/a"),
        ("import os\ngetattr(os, 'mkdir')('/srv/a')", "C /srv/a"),
        ("import os\nd = os.path.join('/srv', 'a', 'b')\nos.makedirs(d)", "C /srv/a/b"),
        ("import os\nos.makedirs(os.path.dirname('/srv/a/b.txt'))", "C /srv/a"),
        ("import os\nos.mkdir(os.path.expanduser('~/x'))", "C /home/u/x"),
        ("import os\nos.mkdir(os.environ['HOME'] + '/x')", "C /home/u/x"),
        ("import os\nos.mkdir(os.environ.get('OUT', '/tmp') + '/x')", "C /srv/out/x"),
        ("import os\nos.mkdir(os.getenv('NOPE', '/srv/d'))", "C /srv/d"),
        ("import os\nos.mkdir(os.path.expandvars('$OUT/y'))", "C /srv/out/y"),
        ("import os\nos.mkdir(f\"{os.environ['OUT']}/z\")", "C /srv/out/z"),
        ("import os\nos.rename('a', '/srv/b')", "D a; C /srv/b"),
        ("import os\nos.remove('/srv/a'); os.rmdir('/srv/d')", "D /srv/a; D /srv/d"),
        ("import os\nos.symlink('/etc/passwd', '/srv/l')", "C /srv/l"),
        ("import os\nos.chmod('/srv/a', 0o755)", "M /srv/a"),
        ("import os\nos.chdir('/srv')\nopen('a','w')", "C /srv/a"),
        ("import os\nos.chdir('sub')\nos.mkdir('x')", "C /w/sub/x"),
        ("import os\nos.chdir(unknown())\nos.mkdir('x')", "C ?/x"),
        ("import os\nos.mkdir(os.getcwd() + '/x')", "C /w/x"),
        ("import os\nif not os.path.exists('/srv/a'):\n    os.makedirs('/srv/a')", "C /srv/a"),
        (
            "import os\nfor r, ds, fs in os.walk('/srv/data'):\n    for f in fs:\n        open(os.path.join(r, f), 'w')",
            "C </srv/data>/*",
        ),
        (
            "import os\nfor f in os.listdir('/srv/data'):\n    os.rename('/srv/data/' + f, '/srv/data/' + f + '.bak')",
            "D /srv/data/*; C /srv/data/*.bak",
        ),
        ("import glob\nfor f in glob.glob('/srv/data/*.txt'):\n    open(f + '.new', 'w')", "C /srv/data/*.txt.new"),
        ("import shutil; shutil.copytree('src', '/srv/new')", "C /srv/new"),
        ("import shutil; shutil.copy('a.txt', '/srv/data')", "C /srv/data/a.txt"),
        ("import shutil; shutil.copy('a.txt', '/srv/data/b')", "C /srv/data/b"),
        ("import shutil; shutil.copy2('a.txt', 'sub/')", "C sub/a.txt"),
        ("from shutil import move\nmove('/w/a.txt', '/srv/data')", "D /w/a.txt; C /srv/data/a.txt"),
        ("import shutil; shutil.rmtree('/srv/x', ignore_errors=True)", "D /srv/x"),
        ("import shutil; shutil.make_archive('/srv/b', 'zip', '.')", "C /srv/b.zip"),
        ("import shutil; shutil.make_archive('/srv/b', 'gztar', '.')", "C /srv/b.tar.gz"),
        ("import shutil; shutil.unpack_archive('a.zip', '/srv/u')", "I /srv/u"),
        ("import shutil; shutil.unpack_archive('a.zip', extract_dir='/srv/u')", "I /srv/u"),
    ]);
}

#[test]
fn programs_are_started() {
    py(&[
        ("import os; os.system('mkdir -p /srv/a')", "S mkdir -p /srv/a"),
        ("import os\nd = '/srv/a'\nos.system(f'mkdir {d}')", "S mkdir /srv/a"),
        ("import os\nos.system('mkdir ' + d)", "S mkdir ?"),
        ("import os\nos.popen('ls /srv').read()", "S ls /srv"),
        ("import subprocess\nsubprocess.run(['mkdir', '-p', '/srv/a'], check=True)", "X mkdir|-p|/srv/a"),
        ("import subprocess as sp\nsp.run('mkdir /srv/a && ls', shell=True)", "S mkdir /srv/a && ls"),
        ("import subprocess as sp\nsp.run('ls')", "X ls"),
        ("import subprocess\nsubprocess.check_output(['touch', 'x'], cwd='/srv')", "X touch|x @/srv"),
        ("import subprocess\nsubprocess.check_call('touch x', cwd='/srv', shell=True)", "S touch x @/srv"),
        ("from subprocess import Popen\nPopen(['cp', 'a', '/srv/'])", "X cp|a|/srv/"),
        (
            "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'venv', '/srv/v'])",
            "X python3|-m|venv|/srv/v",
        ),
        (
            "import subprocess\ncmd = ['git', 'clone', 'u']\ncmd += ['/srv/r']\nsubprocess.run(cmd)",
            "X git|clone|u|/srv/r",
        ),
        ("import subprocess\ncmd = ['git', 'clone']\ncmd.append('/srv/r')\nsubprocess.run(cmd)", "X git|clone|/srv/r"),
        (
            "import subprocess\ndef sh(c):\n    return subprocess.run(c, shell=True, capture_output=True).stdout\nprint(sh('touch /srv/a'))\nsh('ls')",
            "S touch /srv/a; S ls",
        ),
        (
            "import subprocess\nfor d in ['a', 'b']:\n    subprocess.run(['mkdir', '/srv/' + d])",
            "X mkdir|/srv/a; X mkdir|/srv/b",
        ),
        ("import os\nos.execvp('touch', ['touch', '/srv/a'])", "X touch|/srv/a"),
        ("import shlex, subprocess\nsubprocess.run(shlex.split('mkdir /srv/a'))", "X mkdir|/srv/a"),
        ("import os\nos.chdir('/srv')\nos.system('touch x')", "S touch x @/srv"),
        (
            "import asyncio\nasync def main():\n    await asyncio.create_subprocess_shell('touch /srv/a')\nasyncio.run(main())",
            "S touch /srv/a",
        ),
        ("exec(\"open('/srv/a','w')\")", "C /srv/a"),
        ("exec('import os; os.mkdir(\"/srv/a\")')", "C /srv/a"),
    ]);
}

#[test]
fn libraries_write() {
    py(&[
        ("import numpy as np\nnp.save('/srv/a.npy', x)", "C /srv/a.npy"),
        ("import numpy as np\nnp.savetxt(fname='/srv/a.txt', X=x)", "C /srv/a.txt"),
        ("import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.to_csv('/srv/b.csv', index=False)", "C /srv/b.csv"),
        ("import pandas as pd\npd.DataFrame({'a': [1]}).to_parquet('/srv/b.pq')", "C /srv/b.pq"),
        ("df.to_json()", ""),
        ("df.rename(columns={'a': '/srv/b'})", ""),
        ("df.replace('/srv/a')", ""),
        ("import matplotlib.pyplot as plt\nplt.savefig('/srv/p.png')", "C /srv/p.png"),
        ("from PIL import Image\nImage.open('a.png').resize((1, 2)).save('/srv/b.png')", "C /srv/b.png"),
        ("user.save()", ""),
        ("import sqlite3; sqlite3.connect('/srv/x.db').execute('create table t(a)')", "C /srv/x.db"),
        ("import sqlite3; sqlite3.connect(':memory:')", ""),
        ("import logging\nlogging.basicConfig(filename='/srv/l.log', level=10)", "C /srv/l.log"),
        ("import logging\nlogging.basicConfig(level=10)", ""),
        ("import logging\nh = logging.FileHandler('/srv/l.log')", "C /srv/l.log"),
        ("import torch\ntorch.save(m.state_dict(), '/srv/m.pt')", "C /srv/m.pt"),
        ("import joblib\njoblib.dump(m, '/srv/m.pkl')", "C /srv/m.pkl"),
        ("import pickle\npickle.dump(x, open('/srv/p', 'wb'))", "C /srv/p"),
        ("import venv; venv.create('/srv/v', with_pip=True)", "C /srv/v"),
        ("from urllib.request import urlretrieve\nurlretrieve('https://h/x', '/srv/x')", "C /srv/x"),
        ("import urllib.request\nurllib.request.urlretrieve('https://h/x', filename='/srv/x')", "C /srv/x"),
        ("import tempfile\nd = tempfile.mkdtemp()\nopen(d + '/x', 'w')", "C /tmp/t/*/x"),
        ("import tempfile\nd = tempfile.mkdtemp(dir='/srv')\nopen(d + '/x', 'w')", "I /srv; C /srv/*/x"),
        ("import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    open(f'{d}/x', 'w')", "C /tmp/t/*/x"),
        ("import tempfile\nwith tempfile.NamedTemporaryFile(delete=False) as t:\n    open(t.name, 'w')", "C /tmp/t/*"),
        ("import csv\nwith open('/srv/o.csv', 'w', newline='') as f:\n    csv.writer(f).writerow([1])", "C /srv/o.csv"),
        ("model.save_pretrained('/srv/m')", "C /srv/m"),
        ("import cv2\ncv2.imwrite('/srv/i.png', i)", "C /srv/i.png"),
    ]);
}

#[test]
fn strings_are_put_together() {
    py(&[
        ("d = '/srv'\nopen(d + '/' + 'a', 'w')", "C /srv/a"),
        ("d = '/srv'\nopen('%s/%s' % (d, 'a'), 'w')", "C /srv/a"),
        ("d = '/srv'\nopen('%s/a' % d, 'w')", "C /srv/a"),
        ("open('/srv/%03d.txt' % 7, 'w')", "C /srv/*.txt"),
        ("d = '/srv'\nopen('{}/{}'.format(d, 'a'), 'w')", "C /srv/a"),
        ("open('{d}/{n}.txt'.format(d='/srv', n='x'), 'w')", "C /srv/x.txt"),
        ("d = '/srv'; n = 3\nopen(f'{d}/{n}.txt', 'w')", "C /srv/3.txt"),
        ("d = {'k': '/srv'}\nopen(f\"{d['k']}/a\", 'w')", "C /srv/a"),
        ("d = {'k': '/srv'}\nopen(f\"{d[\"k\"]}/a\", 'w')", "C /srv/a"),
        ("open(f'/srv/{{x}}', 'w')", "C /srv/{x}"),
        ("open('/s' 'rv/' 'a', 'w')", "C /srv/a"),
        ("open('/'.join(['/srv', 'a', 'b']), 'w')", "C /srv/a/b"),
        ("open(r'/srv/a', 'w'); open(b'/srv/b', 'w'); open(u'/srv/c', 'w')", "C /srv/a; C /srv/b; C /srv/c"),
        ("open('\\x2fsrv\\x2fa', 'w')", "C /srv/a"),
        ("open('''/srv/a''', \"\"\"w\"\"\")", "C /srv/a"),
        ("open('/srv/a.txt'.replace('.txt', '.md'), 'w')", "C /srv/a.md"),
        ("import time\nopen(f'/srv/{time.time()}.log', 'w')", "C /srv/*.log"),
        ("from datetime import datetime\nopen(f'/srv/{datetime.now():%Y}.log', 'w')", "C /srv/*.log"),
        ("import uuid\nopen('/srv/' + str(uuid.uuid4()), 'w')", "C /srv/*"),
        ("x = '/srv/a' if c else '/srv/b'\nopen(x, 'w')", "C /srv/a; C /srv/b"),
        ("x = arg or '/srv/d'\nopen(x, 'w')", "C ?; C /srv/d"),
        ("if c:\n    p = '/srv/a'\nelse:\n    p = '/srv/b'\nopen(p, 'w')", "C /srv/a; C /srv/b"),
        ("p = None\nif c:\n    p = '/srv/a'\nopen(p, 'w')", "C /srv/a"),
        ("a, b = '/srv/a', '/srv/b'\nopen(a); open(b, 'w')", "C /srv/b"),
        ("a = b = '/srv/a'\nopen(a, 'w')", "C /srv/a"),
        ("if (p := '/srv/a'):\n    open(p, 'w')", "C /srv/a"),
        ("paths = ['/srv/a', '/srv/b']\nfor p in paths: open(p, 'w').close()", "C /srv/a; C /srv/b"),
        ("for i in range(2):\n    open(f'/srv/{i}', 'w')", "C /srv/0; C /srv/1"),
        ("for i in range(500):\n    open(f'/srv/{i}', 'w')", "C /srv/*"),
        ("for i, n in enumerate(['a', 'b']):\n    open(f'/srv/{i}-{n}', 'w')", "C /srv/*-a; C /srv/*-b"),
        ("for a, b in [('x', '/srv/1'), ('y', '/srv/2')]:\n    open(b, 'w').write(a)", "C /srv/1; C /srv/2"),
        (
            "files = {'/srv/a': 'x', '/srv/b': 'y'}\nfor p, t in files.items():\n    open(p, 'w').write(t)",
            "C /srv/a; C /srv/b",
        ),
        ("import os\n[os.mkdir(d) for d in ('/srv/a', '/srv/b')]", "C /srv/a; C /srv/b"),
        ("import os\nany(os.mkdir('/srv/' + d) for d in ['a'])", "C /srv/a"),
        ("import os\nlist(map(os.mkdir, ['/srv/a']))", "C /srv/a"),
        ("open(where(), 'w')", "C ?"),
        ("list(map(lambda d: open(d, 'w'), ['/srv/a']))", "C /srv/a"),
        (
            "for f in ['x']:\n    p = '/srv/data/' + f\n    open(p).read()\nfor f in ['x']:\n    p = '/tmp/' + f\n    open(p, 'w')",
            "C /tmp/x",
        ),
    ]);
}

#[test]
fn functions_and_classes() {
    py(&[
        ("def w(p):\n    with open(p, 'w') as f:\n        f.write('x')\n\nw('/srv/a')\nw('b')\n", "C /srv/a; C b"),
        ("def w(p):\n    open(p, 'w')\n", ""),
        ("def w(d, n='x'):\n    open(d + '/' + n, 'w')\nw('/srv')\nw('/srv', n='y')", "C /srv/x; C /srv/y"),
        ("def base():\n    return '/srv'\nopen(base() + '/a', 'w')", "C /srv/a"),
        ("def main():\n    open('/srv/a', 'w')\n\nif __name__ == '__main__':\n    main()", "C /srv/a"),
        (
            "import threading\ndef job(p):\n    open(p, 'w')\nthreading.Thread(target=job, args=('/srv/a',)).start()",
            "C /srv/a",
        ),
        (
            "class W:\n    def __init__(self, root):\n        self.root = root\n    def go(self):\n        open(self.root + '/a', 'w')\nW('/srv').go()",
            "C /srv/a",
        ),
        ("@app.command()\ndef main():\n    open('/srv/a', 'w')\napp()", "C /srv/a"),
        ("def f():\n    f()\n    open('/srv/a', 'w')\nf()", "C /srv/a"),
        ("def f(*ps):\n    for p in ps:\n        open(p, 'w')\nf('/srv/a', '/srv/b')", "C /srv/a; C /srv/b"),
        (
            "from concurrent.futures import ThreadPoolExecutor\ndef j(p):\n    open(p, 'w')\nwith ThreadPoolExecutor() as ex:\n    ex.submit(j, '/srv/a')\n    ex.map(j, ['/srv/b'])",
            "C /srv/a; C /srv/b",
        ),
        ("ROOT = '/srv'\ndef f():\n    global ROOT\n    open(ROOT + '/a', 'w')\nf()", "C /srv/a"),
    ]);
}

#[test]
fn mentioned_is_not_used() {
    py(&[
        ("\"\"\"Writes to /srv/a: open('/srv/a','w')\"\"\"\nprint(1)", ""),
        ("# open('/srv/a', 'w')\nprint('ok')", ""),
        ("print('/srv/a')", ""),
        ("print(\"open('/srv/a', 'w')\")", ""),
        ("import re\nre.match(r'^/srv/\\w+$', s)", ""),
        ("requests.get('https://h.example/srv/new')", ""),
        ("cur.execute(\"INSERT INTO t VALUES ('/srv/a')\")", ""),
        ("html = '<a href=\"/srv/new\">x</a>'", ""),
        (
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--out', default='/srv/x')\nprint(p.parse_args([]).out)",
            "",
        ),
        ("d = {'path': '/srv/a', 'mode': 'w'}\nprint(d['path'])", ""),
        ("code = '''\nimport os\nos.makedirs('/srv/a')\n'''\nopen('gen.py', 'w').write(code)", "C gen.py"),
        ("import os; print(os.path.join('/srv', 'x'), os.listdir('/srv/data'))", ""),
        ("import os; print(os.path.exists('/srv/zzz'))", ""),
        ("src = open('/srv/a', encoding='utf-8', errors='replace').read()", ""),
        ("@app.route('/srv/new')\ndef f():\n    return 'x'", ""),
        ("assert p == '/srv/new'", ""),
        ("x = '/srv/new'.split('/')", ""),
        ("import sys\nsys.path.insert(0, '/srv/lib')", ""),
        ("import os\nos.environ['CACHE'] = '/srv/cache'", ""),
        ("s = 'a'.replace('/srv/a', '/srv/b')", ""),
        ("client.mkdir('/remote/x')", ""),
        ("sftp.rename('/remote/a', '/remote/b')", ""),
        ("print(f'wrote {x} to /srv/a')", ""),
        ("", ""),
    ]);
}

#[test]
fn spans_and_reads_are_given() {
    let acts = run(Language::Python, "open('/srv/a').read()", &[]);
    let Act::Path { kind, span, .. } = &acts[0] else { panic!("{acts:?}") };
    assert_eq!((*kind, span.start, span.end), (EffectKind::Read, 3, 9));
}

#[test]
fn lists_of_commands() {
    py(&[
        (
            "import subprocess\nfor c in [['mkdir', '/srv/a'], ['touch', '-c', '/srv/b'], ['ls', '/srv/c']]:\n    subprocess.run(c)",
            "X mkdir|/srv/a; X touch|-c|/srv/b; X ls|/srv/c",
        ),
        (
            "import subprocess\nfor c in [['mkdir', 'x'], ['ls', '/srv/c'], ['mkdir', '/srv/b']]:\n    subprocess.run(c)",
            "X mkdir|x; X ls|/srv/c; X mkdir|/srv/b",
        ),
        ("import subprocess\nfor c in [['a', 'b'], ['c']]:\n    subprocess.run(' '.join(c), shell=True)", "S a b; S c"),
        ("import os\nfor a, b in [('x', '/srv/a'), ('y', '/srv/b', 1)]:\n    os.mkdir(b)", "C /srv/a; C /srv/b"),
        (
            "import os\nfor a in [['/srv/a', '/srv/b'], ['/srv/c']]:\n    for p in a:\n        os.mkdir(p)",
            "C /srv/a; C /srv/b; C /srv/c",
        ),
        ("import subprocess\nsubprocess.run(['bash', '-s'], input='mkdir /srv/a')", "S mkdir /srv/a; X bash|-s"),
        ("import subprocess\nsubprocess.run(['cat'], input='mkdir /srv/a')", "X cat"),
    ]);
}

#[test]
fn objects_that_write() {
    py(&[
        ("import xml.etree.ElementTree as ET\nET.ElementTree(r).write('/srv/a.xml')", "C /srv/a.xml"),
        (
            "import xml.etree.ElementTree as ET\nt = ET.parse('a.xml')\nt.write('/srv/a.xml', encoding='utf-8')",
            "C /srv/a.xml",
        ),
        ("from lxml import etree\netree.ElementTree(r).write('/srv/a.xml')", "C /srv/a.xml"),
        ("import io\nb = io.StringIO()\nb.write('/srv/a')", ""),
        ("import cProfile\ncProfile.run('f()', '/srv/p')", "C /srv/p"),
        ("import cProfile\np = cProfile.Profile()\np.dump_stats('/srv/p')", "C /srv/p"),
        (
            "import fileinput\nfor l in fileinput.input('/srv/f', inplace=True, backup='.bak'):\n    print(l)",
            "C /srv/f.bak",
        ),
        ("import fileinput\nfor l in fileinput.input('/srv/f'):\n    print(l)", ""),
    ]);
}
