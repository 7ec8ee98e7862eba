//! Which programs have a row, and that the ones that agents really run are among them.

use std::collections::BTreeSet;

use super::super::row::{Row, Token};
use super::super::table::{GROUPS, find, find_program, next_row};

/// What agents run, by what it is for.
const PROGRAMS: &str = "
    cp mv ln install mkdir mkfifo mknod mktemp touch tee split csplit sort shuf uniq truncate dd rm rmdir shred unlink
    chmod chown chgrp link sponge rename stow rdfind fdupes trash-put cat head tail cut paste join comm tr nl od wc
    ls stat du df realpath readlink dirname basename seq date sleep find fd xargs parallel rg grep ag
    sed awk gawk mawk patch diff sdiff jq yq xq mlr iconv xxd base64 xmllint xsltproc envsubst dos2unix indent
    git svn svnadmin hg bzr fossil darcs pijul jj gh glab hub
    tar bsdtar zip unzip 7z 7za rar unrar cpio pax ar gzip gunzip bzip2 xz zstd lz4 brotli jar unsquashfs mksquashfs
    curl wget aria2c axel http https yt-dlp rsync scp sftp lftp ftp rclone s3cmd aws gsutil gcloud az
    ssh ssh-keygen ssh-copy-id openssl gpg age age-keygen nc socat nmap tcpdump tshark
    cargo rustc rustup npm npx pnpm yarn bun bunx deno node tsc esbuild vite webpack jest eslint prettier
    pip uv uvx poetry pipx pdm hatch conda mamba virtualenv python pytest tox coverage black ruff isort mypy
    go gofmt java javac mvn gradle kotlinc scalac sbt dotnet nuget msbuild swift swiftc xcodebuild dart flutter
    zig nim ghc stack cabal mix elixir erl gem bundle bundler rake ruby rails php composer perl lua Rscript julia
    make cmake ctest cpack meson ninja bazel ant autoconf autoreconf automake configure gcc g++ cc clang clang++ ld as
    docker docker-compose podman buildah skopeo nerdctl ctr kubectl helm kustomize skaffold kind k3d minikube
    terraform terragrunt tofu packer vagrant ansible ansible-playbook pulumi cdk sam serverless
    cosign syft grype trivy gitleaks semgrep
    ffmpeg ffprobe convert magick mogrify montage identify inkscape rsvg-convert dot gnuplot sox lame flac exiftool
    optipng jpegoptim cwebp pandoc pdflatex xelatex lualatex latexmk pdftk qpdf gs pdftotext pdftoppm pdfunite mutool
    tesseract libreoffice soffice wkhtmltopdf chrome chromium google-chrome mkvmerge
    sqlite3 psql pg_dump pg_restore initdb createdb mysql mysqldump mongodump redis-cli duckdb
    protoc flatc thrift buf openapi-generator swagger-codegen quicktype datamodel-codegen
    django-admin alembic prisma sqlx diesel sphinx-build sphinx-quickstart mkdocs mdbook hugo jekyll jupyter papermill
    doxygen ctags clang-format shfmt
    env sudo doas su runuser nohup timeout nice ionice setsid stdbuf script flock watch time strace ltrace perf valgrind
    chroot unshare nsenter bwrap firejail proot systemd-run tmux screen zellij busybox toybox xvfb-run dbus-run-session
    expect at batch crontab setarch taskset chrt numactl prlimit runcon faketime fakeroot proxychains torsocks tini
    dumb-init gosu su-exec pkexec sg setpriv direnv nix-shell
    apt apt-get dpkg dpkg-deb dnf yum rpm zypper pacman apk brew snap flatpak nix-env
    useradd groupadd usermod mount umount mkfs losetup fallocate qemu-img systemctl
    bash sh dash zsh fish ksh pwsh powershell cmd eval exec command builtin source
    vim vi nvim emacs nano ed ex code
";

/// Sub-commands that put something somewhere.
const SUBCOMMANDS: &str = "
    git/clone git/init git/worktree/add git/archive git/format-patch git/bundle/create git/submodule/add git/config
    git/mv git/rm git/clean git/apply git/diff git/fast-export git/svn/clone
    cargo/new cargo/init cargo/build cargo/install cargo/run cargo/doc cargo/generate
    npm/install npm/init npm/create npm/pack npm/exec npm/run pip/install pip/download pip/wheel uv/venv uv/init uv/run
    poetry/new poetry/run poetry/export go/build go/mod/init go/install go/test
    docker/run docker/build docker/buildx/build docker/cp docker/save docker/export docker/compose
    kubectl/cp helm/create helm/pull terraform/plan gh/repo/clone gh/release/download gh/run/download
    cmake/make_directory cmake/copy cmake/touch composer/create-project dotnet/new django-admin/startproject
    rails/new hugo/new/site mkdocs/new jekyll/new jupyter/nbconvert perf/record tmux/new-session
";

fn programs() -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for text in GROUPS {
        let mut at = next_row(text.as_bytes(), 0);
        while at < text.len() {
            let row = Row::at(text, at);
            at = next_row(text.as_bytes(), row.end);
            if !row.name.contains(['/', '@']) {
                names.insert(row.name);
            }
        }
    }
    names
}

/// Whether the row says of any argument that something is made, changed, removed or started.
fn acts(row: Row<'_>) -> bool {
    let is_act = |roles: &str| roles.contains(|c: char| "cdijxmDCNYItlUabvBepqhPsSkKfMRJEzXVgoyQWFHu/".contains(c));
    row.tokens().any(|t| match t {
        Token::Option { role, .. } | Token::Key { role, .. } => is_act(role),
        Token::Operands { pattern, .. } => is_act(pattern),
        Token::Also { roles, .. } => is_act(roles),
        Token::Code(_) => true,
        _ => false,
    })
}

#[test]
fn what_agents_run_has_a_row() {
    let named: Vec<&str> = PROGRAMS.split_whitespace().collect();
    assert!(named.len() > 300, "{}", named.len());
    let missing: Vec<_> = named.into_iter().filter(|name| find_program(name).is_none()).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    let missing: Vec<_> = SUBCOMMANDS.split_whitespace().filter(|name| find(name).is_none()).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn more_than_readers_are_covered() {
    let all = programs();
    let acting = all.iter().filter(|name| find(name).is_some_and(acts)).count();
    assert!(all.len() > 2500 && acting > 1000, "{} programs, {acting} that write or start something", all.len());
}
