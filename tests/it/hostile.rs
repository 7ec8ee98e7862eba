//! Commands that make work: each kind grows with a number, everything else stays. Shared by the tests and by the
//! benchmark `decide`.

/// A kind of hostile command.
pub(crate) struct Hostile {
    pub(crate) name: &'static str,
    /// What stands before the repeated part.
    before: &'static str,
    /// The repeated part; `@` stands for a number that is never the same.
    again: &'static str,
    /// What stands behind it.
    behind: &'static str,
}

impl Hostile {
    /// The command of about `bytes` bytes, never more.
    pub(crate) fn command(&self, bytes: usize) -> String {
        let mut out = self.before.to_owned();
        // Brackets that open have to be closed.
        let close = match self.again {
            "(" | "$(" | "<(" => ")",
            "{ " => ";}",
            "${a:-" => "}",
            "$((1+" => "))",
            "[" => "]",
            "if a;then " => ";fi",
            "case a in a) " => ";esac",
            "while a;do " => ";done",
            _ => "",
        };
        let mut count = 0;
        loop {
            let piece = self.again.replace('@', &count.to_string());
            if out.len() + piece.len() + (count + 1) * close.len() + self.behind.len() > bytes {
                break;
            }
            out += &piece;
            count += 1;
        }
        out += self.behind;
        out += &close.repeat(count);
        out
    }
}

macro_rules! hostile {
    ($($name:literal: $before:literal, $again:literal, $behind:literal;)*) => {
        &[$(Hostile { name: $name, before: $before, again: $again, behind: $behind },)*]
    };
}

/// All kinds.
pub(crate) const KINDS: &[Hostile] = hostile! {
    // Many of one thing.
    "commands": "", "a;", "a";
    "commands on lines": "", "a\n", "a";
    "known commands": "", "mkdir out/a;", "a";
    "different folders": "", "mkdir out/d@;", "a";
    "different folders outside": "", "mkdir /srv/d@;", "a";
    "builtins": "", "cd x;", "a";
    "folders on a stack": "./x.sh; ", "pushd a;", "b";
    "links in a circle": "ln -s l/a l; ln -s n/a m; ln -s m/a n; ", "mkdir -p m/@ l/@;", "";
    "folders up and down": "", "cd x && cd ..;", "a";
    "ands": "a", "&&a", "";
    "ors": "a", "||a", "";
    "pipes": "a", "|a", "";
    "background": "", "a&", "a";
    "arguments": "mkdir", " a", "";
    "different arguments": "mkdir", " a@", "";
    "options": "tar", " -x", "";
    "options and operands": "tar -c", " -x a", "";
    "options of a program text": "node -e 1", " -x@ a", "";
    "options that decide": "node -e 1", " -p 1 a", "";
    "program texts": "perl -e 1", " -e 1 a", "";
    "folders to copy into": "cp a", " -t b@ c", "";
    "modules": "py -c 1", " -m a@ b", "";
    "operands with a suffix": "sed -i.bak -e p", " -n a", "";
    "options of Windows": "cmd /c robocopy a b", " /x@ a", "";
    "unknown options": "prog", " --a@=b", "";
    "comments": "", "#\n", "a";
    "escaped newlines": "a", "\\\n", "";
    "redirections": "a", " >b", "";
    "different redirections": "a", " >b@", "";
    "redirections with numbers": "a", " 3>b@", "";
    "redirections alone": "", ">b@;", "a";
    "copied descriptors": "a", " 2>&1", "";
    "here-strings": "a", " <<<b", "";
    "quotes": "a ", "'b'", "";
    "double quotes": "a ", "\"b\"", "";
    "quoted words": "a", " \"b c\"", "";
    "ANSI quotes": "a ", "$'\\x41'", "";
    "escapes": "a ", "\\b", "";
    "variables": "a ", "$x", "";
    "known variables": "x=abcdef; a ", "$x", "";
    "variables as words": "mkdir", " $x/b", "";
    "variables in quotes": "a \"", "$x", "\"";
    "defaults": "a", " ${x:-b}", "";
    "replacements": "x=abcdefgh; a", " ${x//b/c}", "";
    "replacements with stars": "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; x=$x$x$x$x$x$x$x$x; a", " ${x//*a*b/c}", "";
    "a replacement with many stars": "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; x=$x$x$x$x$x$x$x$x; x=$x$x$x$x$x$x$x; y=${x//", "*a", "b/c}";
    "prefixes": "x=abcdefgh; a", " ${x##*c}", "";
    "subscripts": "a", " ${x[1]}", "";
    "globs": "a", " *", "";
    "different globs": "ls", " */b@*", "";
    "folders for all operands": "cp a b c d e f g h", " -t d@", "";
    "globs among what was made": "", "mkdir d@/x;ls z*;", "a";
    "finds among what was made": "", "mkdir d@/x;find . -name z;", "a";
    "stars": "ls ", "*", "b";
    "stars and letters": "ls ", "a*", "b";
    "question marks": "ls ", "?", "";
    "bracket patterns": "ls ", "[a-z]", "";
    "extended patterns": "ls ", "@(a|b)", "";
    "braces": "mkdir", " {a,b}", "";
    "braces side by side": "mkdir ", "{a,b}", "";
    "brace lists": "mkdir {a", ",b@", "}";
    "brace ranges": "mkdir", " {1..99}", "";
    "wide brace ranges": "mkdir", " {1..99999999}", "";
    "tildes": "ls", " ~/a", "";
    "assignments": "", "a=b;", "a";
    "different assignments": "", "a@=b;", "a";
    "assignments before one command": "", "a@=b ", "a";
    "appending": "", "a+=b;", "mkdir $a";
    "doubling": "a=bb;", "a=$a$a;", "mkdir $a";
    "doubling unknown parts": "a=b$(c);", "a=$a$a;", "mkdir $a";
    "doubling twice": "a=bb;b=cc;", "a=$a$b;b=$b$a;", "mkdir $a";
    "alternatives": "", "[ -e $x ] && a=@;", "mkdir $a";
    "many alternatives": "a=$(cat f);", "if b; then a=$a@; fi;", "mkdir $a";
    "alternatives in many variables": "if a; then b=1; else b=2; fi; mkdir", " $b", "";
    "arrays": "a=(", "b@ ", ");mkdir ${a[@]}";
    "array elements": "", "a[@]=b;", "mkdir ${a[@]}";
    "exports": "", "export a@=b;", "a";
    "functions": "", "f@(){ a;};", "f1";
    "calls": "f(){ mkdir a;};", "f;", "a";
    "calls within": "f0(){ a;};", "f@(){ f1;f1;};", "f1;f1;f1";
    "aliases": "", "alias a@=b;", "a";
    "loops": "", "for i in 1 2 3;do a $i;done;", "a";
    "loop words": "for i in", " a@", ";do mkdir $i;done";
    "loops without end": "", "while :;do mkdir a$i;done;", "a";
    "arithmetic": "a", " $((1+2))", "";
    "long arithmetic": "a $((1", "+1", "))";
    "arithmetic with brackets": "a $((", "(1)+", "1))";
    "arithmetic commands": "", "((x++));", "a";
    "ternaries": "a $((1", "?1:1", "))";
    "tests": "", "[ a = b ];", "a";
    "double brackets": "", "[[ a = b ]];", "a";
    "long test": "[[ a", " && a", " ]]";
    "case arms": "case $x in ", "a@) mkdir b@;; ", "esac";
    "case patterns": "case $x in a", "|b@", ") mkdir b;; esac";
    "searches": "", "find /usr -name x -delete;", "a";
    "ifs": "", "if a;then b;fi;", "a";
    "elifs": "if a;then b;", "elif a;then b;", "fi";
    "elifs with folders": "if a;then cd b;", "elif a;then cd c@;", "fi;mkdir d";
    "here-documents": "", "cat <<E >b\nc\nE\n", "a";
    "long here-document": "cat >a.txt <<'E'\n", "some text and more of it\n", "E\n";
    "long live here-document": "cat >a.txt <<E\n", "some text $x and more `a` of it\n", "E\n";
    "long here-document with tabs": "cat >a.txt <<-E\n", "\tsome text\n", "E\n";
    "here-document to a shell": "bash <<'E'\n", "mkdir a@\n", "E\n";
    "here-document to Python": "python3 - <<'E'\n", "open('a@','w')\n", "E\n";
    "here-document to psql": "psql <<'E'\n", "insert into t values (1);\n", "E\n";
    "here-document that does not end": "cat <<E\n", "some text\n", "";
    "openers of here-documents": "cat", " <<E", "\nE\n";
    "long word": "mkdir ", "abcdefgh", "";
    "long path": "mkdir ", "a/", "b";
    "long path and up": "mkdir ", "a/", "b/..";
    "long path of names and dots": "mkdir ", "a/.../", "b";
    "long path and an unknown name": "mkdir ", "a/", "$(b)";
    "long path up": "mkdir ", "../", "b";
    "long path with dots": "mkdir a", "/./b/..", "";
    "path list": "PATH=/bin", ":/usr/lib/p@/bin", ";ls";
    "path list for a program": "prog -p /bin", ":/usr/lib/p@/bin", "";
    "long quoted text": "git commit -m '", "some words about /srv/x\n", "'";
    "echoed text": "echo '", "some words about it ", "' > a.txt";
    "substitutions": "a", " $(b)", "";
    "substitutions with output": "mkdir", " $(echo b)", "";
    "back-quotes": "a", " `b`", "";
    "process substitutions": "a", " <(b)", "";
    "evals": "", "eval 'mkdir a';", "a";
    "shells": "", "bash -c 'mkdir a';", "a";
    "wrappers": "", "sudo ", "mkdir a";
    "wrappers with options": "", "env -u A ", "mkdir a";
    "timeouts": "", "timeout 5 ", "mkdir a";
    "find": "find .", " -name a@ -o", " -name b";
    "find -exec": "find .", " -exec touch {}@ \\;", "";
    "xargs": "printf 'a\\n", "b@\\n", "' | xargs -I{} mkdir {}";
    "xargs without marks": "echo a", " b@", " | xargs mkdir";
    "parallel": "parallel mkdir {} :::", " a@", "";
    "sed program": "sed -e '", "s/a/b@/;", "' f";
    "sed writes": "sed -e '", "w a@\n", "' f";
    "awk program": "awk '{", "print \"a\" > \"b@\";", "}' f";
    "Python": "python3 -c \"", "a=1;", "\"";
    "Python that opens": "python3 -c \"", "open('a@','w');", "\"";
    "Python that doubles": "python3 -c \"a='b';", "a=a+a;", "open(a,'w')\"";
    "Python text": "python3 -c \"print('", "some text ", "')\"";
    "Python sum": "python3 -c \"open('a'", "+'b'", ",'w')\"";
    "Python calls": "python3 -c \"", "f(a,b);", "\"";
    "Python functions": "python3 -c \"", "\ndef f@(a):\n  open(a,'w')\nf@('b')", "\"";
    "Python lists": "python3 -c \"a=[", "'b@',", "]\nfor i in a: open(i,'w')\"";
    "Python lines": "python3 -c \"", "\nif a:\n  b='c@'", "\nopen(b,'w')\"";
    "Node": "node -e \"", "require('fs').writeFileSync('a@','');", "\"";
    "Node objects": "node -e \"", "({a:", "1\"";
    "Perl": "perl -e '", "open(F,\">a@\");", "'";
    "Perl lists": "perl -e '@p=(1);", "@p=(@p,@p);", "'";
    "Perl lists in a loop": "perl -e '@p=(1); for my $r (1..9) {", "@p=(@p,(@p,1));", "}'";
    "Python lists": "python3 -c 'p=[1];", "p=[*p,*p];", "'";
    "Python calls with lists": "python3 -c 'p=[1];", "f(*p,*p);p=[*p,2];", "'";
    "Perl quotes": "perl -e '", "q(", "'";
    "Ruby": "ruby -e '", "File.write(\"a@\",\"\");", "'";
    "PHP": "php -r '", "file_put_contents(\"a@\",\"\");", "'";
    "git": "", "git commit -m a;", "a";
    "curl": "curl", " -o a@ http://example.com/a", "";
    "tar": "tar -cf a.tar", " -C b@ c", "";
    "rsync": "rsync -a", " a@", " /srv/x/";
    "make": "make", " A@=b", "";
    "ssh": "ssh host '", "mkdir a;", "'";
    "docker": "docker run", " -v /srv/a@:/b", " image";
    "semicolons": "", ";", "";
    "ampersands": "", "&", "";
    "words of the language": "", "then ", "";
    "unclosed quote": "a '", "b", "";
    "unclosed double quote": "a \"", "$b", "";
    "unclosed substitution": "a $(", "b ", "";
    "errors on lines": "", "a)\n", "";
    "errors and here-documents": "", "cat <<E\n)\n", "";
    "odd brackets": "", "((a)", "";
    "brackets twice": "", "((a);(b));", "";
    "sets that nothing closes": "a ", "[x", "";
    "sets of a class that is none": "a ", "[x", "[:zz:]]";
    "sets of classes": "a ", "[[:digit:]", "";
    "sets as a program": "", "[[", "";
    "patterns of sets": "case x in ", "[x", ") a;; esac";
    "not ASCII": "mkdir ", "é", "";
    "carriage returns": "", "a\r\n", "";
    // Within one another.
    "subshells": "", "(", "a";
    "groups": "", "{ ", "a";
    "substitutions within": "a ", "$(", "b";
    "processes within": "a ", "<(", "b";
    "defaults within": "a ", "${a:-", "b";
    "arithmetic within": "a ", "$((1+", "1";
    "brackets within": "a ", "[", "b";
    "ifs within": "", "if a;then ", "b";
    "cases within": "", "case a in a) ", "b";
    "whiles within": "", "while a;do ", "b";
};
