//! Kinds of secrets, and what is none.
#![expect(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::{MASK, mask};

/// In each text the parts between `«` and `»` are hidden.
const SECRETS: &[&str] = &[
    // Headers.
    r#"curl -H "Authorization: «Bearer abc.def»" https://x.y/z"#,
    r"curl --header 'Authorization: «Basic dXNlcjpwYXNz»' https://x.y/z",
    r"curl -H 'X-Api-Key: «12345»' -H 'Accept: text/html' x",
    r#"curl -H "PRIVATE-TOKEN: «abc»" x"#,
    r"curl -H Authorization:«abc» https://x.y/z",
    r#"curl -H "Cookie: «a=b; session=c»" x"#,
    "http POST x.y Authorization:'«Token 123»'",
    "echo Bearer «0123456789abcdef»",
    // Options.
    "curl -u me:«hunter2» https://x.y/z",
    "curl -u 'me:«hunter 2»' https://x.y/z",
    "curl -ume:«hunter2» https://x.y/z",
    "curl --user me:«hunter2» --proxy-user p:«q» x",
    "mysql --password «hunter2» -h host",
    "mysql --password=«hunter2» -h host",
    "mysql -u root -p«hunter2» db",
    "mysqldump -p'«a b»' db > out.sql",
    "mysql '--password=«a&b c»' db",
    "sshpass -p «hunter2» ssh host",
    "docker login -u me -p «hunter2» registry",
    "redis-cli -a «hunter2» ping",
    "mongosh -u me -p «x» db",
    "gh auth login --token «abc»",
    "tool --api-key «abc» --client-secret=«def» --file a",
    r#"Connect-X -Password "«a b»" -Name c"#,
    "openssl rsa -in key -passin pass:«abc»",
    // Assignments.
    "PASSWORD=«x» ./run",
    "export GITHUB_TOKEN=«abc» && make",
    "DB_PASSWORD='«a b»' API_KEY=\"«c d»\" MYSQL_PWD=«e» ls",
    r"TOKEN=«a\ b» ls",
    r#"TOKEN=«a'b c'"d e"» ls"#,
    "TOKEN=«$'a b'» ls",
    "SECRET_KEY2=«abc» x",
    r#"docker run -e "PASSWORD=«a b»" image"#,
    r#"bash -c "PASSWORD=«a» mkdir /opt/x""#,
    "$env:API_TOKEN = '«abc»'",
    "setx API_TOKEN «abc»",
    "set TOKEN=«abc»",
    r#"client = connect(password="«abc»", host="h")"#,
    r#"config = {"password": "«a b»", "host": "h"}"#,
    r#"curl -d "{\"password\": \"«a b»\", \"n\": 1}" x"#,
    r#"curl -d '{"token":"«abc»","n":1}' x"#,
    "curl -d 'password=«abc»&user=me' x",
    "curl -F user[password]=«abc» x",
    "password: «abc»",
    "TOKEN=«never» closed",
    "TOKEN='«never closed",
    // URLs and connection strings.
    "git clone https://me:«hunter2»@x.y/z.git",
    "git clone https://me:«p@ss»@x.y/z.git",
    "git clone https://«0123456789abcdef0123»@x.y/z.git",
    "psql postgres://me:«hunter2»@h:5432/db?sslmode=off",
    "curl 'https://x.y/z?a=b&access_token=«abc»&c=d'",
    "curl 'https://x.y/z?key=«abc»&c=d'",
    "curl 'https://x.y/z?sv=1&sig=«abc%2F»'",
    "tool 'Server=h;Uid=me;Pwd=«a b»;Database=d'",
    "tool 'Server=h;Password=«a b»;Database=d'",
    "tool 'DefaultEndpointsProtocol=https;AccountName=n;AccountKey=«abc/+==»;X=y'",
    // Tokens by their looks.
    "echo «AKIAIOSFODNN7EXAMPLE» > x",
    "echo «ghp_0123456789abcdefghijABCDEFGHIJ012345»",
    "echo x-«github_pat_0123456789abcdefghij»",
    "echo «glpat-0123456789abcdefghij»,",
    "echo \"«xoxb-123456789012-abcdef»\"",
    "echo «sk-proj-0123456789abcdefghij»",
    "echo «sk_live_0123456789abcdef»",
    "echo «npm_0123456789abcdefghijABCDEFGHIJ012345»",
    "echo «AIzaSyA0123456789abcdefghijABCDEFGHIJ0»",
    "echo «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_DEF»",
    "printf '«-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----»\n' > k",
    "«-----BEGIN PRIVATE KEY-----\nabc",
    // Around other scripts.
    "PASSWORD=«пароль» echo «ghp_0123456789abcdefghij»é 密碼",
];

/// What must stay as it is.
const HARMLESS: &[&str] = &[
    "",
    "ls -la",
    "mkdir -p /opt/x/y && cd /opt/x",
    "PWD=/tmp OLDPWD=/x ls",
    "cp token.txt secrets/passwords.md /srv/password-store",
    "docker run -u 1000:1000 image-token:latest",
    "docker run --user app:app x",
    "git clone git@github.com:me/repo.git",
    "git clone ssh://git@host/repo.git https://me@host/x",
    "echo $TOKEN ${PASSWORD}",
    "TOKEN=$GITHUB_TOKEN PASSWORD=\"$PW\" API_KEY=${KEY} make",
    "TOKEN=$(cat /run/secrets/token) make",
    "set TOKEN=%OTHER%",
    "curl --user \"$USER_PASS\" x",
    "mysql -u root -p db",
    "ssh -p 22 host",
    "docker run -p 80:80 x",
    "psql --no-password -h host",
    "ansible-playbook --ask-vault-password site.yml",
    "docker login --password-stdin registry",
    "docker build --secret id=npm,src=a .",
    "llm --max-token 5 --max_tokens=5 --tokenizer=x",
    "sort --key=2 -k1,1",
    "sk-learn-and-other-long-names/x",
    "use crate::token::Token; secret::x()",
    "grep -rn password= src",
    "compass=north bypass=1 keyboard=us",
    "a == b; c := d",
    "http://[::1]:80/x?a=b#c",
    "/home/me/.ssh/id_rsa C:\\Users\\me\\token",
    "echo 'password'; echo token:",
    "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
];

#[test]
fn kinds_of_secrets() {
    let mut wrong = Vec::new();
    for marked in SECRETS {
        let (mut want, mut rest) = (String::new(), *marked);
        while let Some((before, after)) = rest.split_once('«') {
            want += before;
            want += MASK;
            rest = after.split_once('»').map_or("", |(_, rest)| rest);
        }
        want += rest;
        let text = marked.replace(['«', '»'], "");
        if mask(&text) != want {
            wrong.push(format!("{text}\n  is  {}\n  not {want}", mask(&text)));
        }
        if mask(&want) != want {
            wrong.push(format!("{want}\n  becomes {}", mask(&want)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn odd_texts_are_masked_once() {
    for text in
        ["Authorization: \"\"-----BEGIN PRIVATE KEY-----", "Authorization: \"\" ", "token: '***'x", "Pwd=;Pwd=a'***"]
    {
        let once = mask(text);
        assert_eq!(mask(&once), once, "{text}");
    }
}

#[test]
fn what_is_no_secret_stays() {
    let wrong: Vec<_> = HARMLESS.iter().filter(|text| mask(text) != **text).map(|text| mask(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_work_is_in_proportion() {
    for piece in
        ["--token ", "sk-", "password=", "x://", "token: ", "'\"", "PASSWORD='", "-----BEGIN PRIVATE KEY", "a@b:", "-p"]
    {
        let text = piece.repeat((1 << 19) / piece.len());
        let start = std::time::Instant::now();
        mask(&text);
        // Quadratic work would take minutes.
        assert!(start.elapsed().as_secs() < 10, "{piece}");
    }
}

/// Texts out of what the rules look for.
fn odd() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "password",
        "PASSWORD",
        "--token",
        "token",
        "-u",
        "-p",
        "curl",
        "mysql",
        "setx",
        "docker",
        "login",
        "=",
        ":",
        " ",
        " = ",
        "\"",
        "'",
        "\\",
        "://",
        "@",
        ";",
        "&",
        "?",
        "Pwd",
        "$",
        "${A}",
        "$(",
        ")",
        "%",
        "Authorization: ",
        "Bearer ",
        "abc",
        "ghp_0123456789abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "***",
        "\n",
        "é",
        "密",
        "\u{1f980}",
        "-",
        "--",
        ",",
        "]",
        "}",
        "sh -c ",
        "id=",
        ">",
        "0",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        let once = mask(&text);
        prop_assert_eq!(mask(&once), once.clone());
    }

    #[test]
    fn twice_is_once(text in odd()) {
        let once = mask(&text);
        prop_assert_eq!(mask(&once), once.clone());
    }

    #[test]
    fn no_tail_is_left(value in "[A-Za-z0-9!#%*+,./:=?@^_{}~-]{1,30}", tail in "[A-Za-z0-9]{12}", before in 0..9_usize) {
        // What looks like a variable is one.
        let secret = format!("x{value}{tail}");
        let text = [
            format!("PASSWORD='{secret}' ls"),
            format!("PASSWORD={secret} ls"),
            format!("tool --password {secret} -x"),
            format!("tool --password=\"{secret}\" -x"),
            format!("curl -u me:{secret} x"),
            format!("curl -H 'Authorization: Bearer {secret}' x"),
            format!("mysql -p{secret} db"),
            format!("{{\"api_key\": \"{secret}\"}}"),
            format!("sshpass -p '{secret}' ssh h"),
        ][before].clone();
        let masked = mask(&text);
        prop_assert!(!masked.contains(&tail), "{} of {}", masked, text);
        let end = text.rsplit_once(&*secret).unwrap().1;
        prop_assert!(masked.ends_with(end.trim_start_matches(['"', '\''])), "{} of {}", masked, text);
    }
}
