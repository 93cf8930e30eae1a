//! `mache book list`, `fetch` and `verify`, and the table script, against a server of our own.

use std::io::{Cursor, Write};
use std::time::Duration;

use crate::program::{Answer, Place, refusal};
use crate::test_server::{Reply, TestServer};

const BOOK: &[u8] = b"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
const SUM: &str = "d3b98e5ae26c0d9df6a4d4b9e5b2b90ab9ef6d7f4f4d5cbdf7a23d3b0a7a0f8e";

fn zipped(names: &[&str]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).expect("a new file");
        writer.write_all(BOOK).expect("memory takes it");
    }
    writer.finish().expect("memory takes it").into_inner()
}

fn sum(bytes: &[u8]) -> String {
    mache::openings::Sha256Sum::of(bytes).to_string()
}

/// A table with one book at an address.
fn table(address: &str, sums: &str) -> String {
    format!(
        "[[book]]\nname = \"mine\"\nfile = \"mine.epd\"\nformat = \"epd\"\nopenings = 1\nlicence = \"CC0-1.0\"\n\
         address = \"{address}\"\n{sums}"
    )
}

/// Fetches the book of a table whose address is a path of the server.
fn fetched(place: &Place, server: &TestServer, path: &str, sums: &str, more: &[&str]) -> Answer {
    place.write("table.toml", table(&server.address(path), sums));
    let mut words = vec![
        "book",
        "fetch",
        "mine",
        "--into",
        "books",
        "--table",
        "table.toml",
    ];
    words.extend(more);
    let mut answer = place.run(words);
    answer.stderr = answer.stderr.replace(&server.address(""), "SERVER");
    answer
}

/// Everything in the folder of books.
fn left(place: &Place) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(place.path("books")) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.expect("a name").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn the_table_lists_its_books() {
    let list = Place::new().run(["book", "list"]).stdout;
    assert_eq!(list.lines().count(), 16);
    assert!(list.contains("\n8moves_v3\n"), "{list}");
    let long = Place::new().run(["book", "list", "--long"]).stdout;
    let row = long.lines().find(|row| row.starts_with("3moves_FRC"));
    insta::assert_snapshot!(row.unwrap_or_default(), @"3moves_FRC               epd chess960   126113 openings  sum known  CC0-1.0");
    let place = Place::new();
    let answers = [
        ["file", "8moves_v3"],
        ["format", "8moves_v3"],
        ["format", "UHO_4060_v2"],
    ];
    let answers = answers.map(|words| place.run(["book"].iter().chain(&words)).stdout);
    assert_eq!(answers, ["8moves_v3.pgn\n", "pgn\n", "epd\n"]);
    assert_eq!(place.run(["book", "pin"]).stdout.len(), 41);
    let unknown = refusal(&place.run(["book", "file", "a\nb"]));
    assert!(
        unknown.starts_with(r"2: error: no book named `a\nb`; this table has mache_8ply, "),
        "{unknown}"
    );
}

#[test]
fn the_book_inside_the_program_is_fetched_without_asking_anybody() {
    let place = Place::new();
    let answer = place.run(["book", "fetch", "mache_8ply", "--into", "a/b"]);
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (0, "a/b/mache_8ply.epd\n")
    );
    assert_eq!(
        place.read("a/b/mache_8ply.epd"),
        include_str!("../../books/default.epd")
    );
    assert_eq!(place.run(["book", "verify", "mache_8ply", "a/b"]).code, 0);
    place.write("a/b/mache_8ply.epd", "rubbish\n");
    let changed = refusal(&place.run(["book", "verify", "mache_8ply", "a/b"]));
    assert!(
        changed.starts_with("1: error: a/b/mache_8ply.epd is "),
        "{changed}"
    );
    assert!(
        changed
            .contains(", not the 2c7e517dfb50ea16d1394c18f52bedbd05402bfe68dbc39bb64981a657504288"),
        "{changed}"
    );
    let missing = refusal(&place.run(["book", "verify", "mache_8ply", "."]));
    assert_eq!(
        missing,
        "1: error: ./mache_8ply.epd is not there to check\n"
    );
}

#[test]
fn a_book_without_a_sum_is_refused_until_one_is_given() {
    let archive = zipped(&["mine.epd"]);
    let server = TestServer::start([("/mine.zip", Reply::bytes(200, archive))]);
    let place = Place::new();
    let answer = fetched(&place, &server, "/mine.zip", "", &[]);
    insta::assert_snapshot!(refusal(&answer), @"1: error: the table has no SHA-256 for book `mine`, so it is neither fetched nor verified; look at it once and give its sum with --sha256 or in a table of your own with --table");
    assert_eq!(server.requests().len(), 0);
    let given = fetched(&place, &server, "/mine.zip", "", &["--sha256", &sum(BOOK)]);
    assert_eq!(
        (given.code, given.stdout.as_str()),
        (0, "books/mine.epd\n"),
        "{}",
        given.stderr
    );
    assert_eq!(place.read("books/mine.epd").as_bytes(), BOOK);
    let ours = Place::new().run(["book", "fetch", "UHO_Lichess_4852_v1", "--into", "."]);
    assert!(refusal(&ours).contains("the table has no SHA-256 for book `UHO_Lichess_4852_v1`"));
}

#[test]
fn a_book_that_is_there_is_not_fetched_again_and_a_changed_one_is() {
    let archive = zipped(&["readme.txt", "mine.epd"]);
    let sums = format!(
        "sha256 = \"{}\"\nzip_sha256 = \"{}\"\n",
        sum(BOOK),
        sum(&archive)
    );
    let server = TestServer::start([("/mine.zip", Reply::bytes(200, archive))]);
    let place = Place::new();
    for _ in 0..2 {
        assert_eq!(fetched(&place, &server, "/mine.zip", &sums, &[]).code, 0);
    }
    assert_eq!(server.requests().len(), 1);
    place.write("books/mine.epd", "rubbish\n");
    assert_eq!(fetched(&place, &server, "/mine.zip", &sums, &[]).code, 0);
    assert_eq!(place.read("books/mine.epd").as_bytes(), BOOK);
    assert_eq!(left(&place), ["mine.epd"]);
}

#[test]
fn whatever_goes_wrong_leaves_no_file() {
    let good = zipped(&["mine.epd"]);
    let replies = [
        ("/good.zip", Reply::bytes(200, good.clone())),
        ("/torn.zip", Reply::bytes(200, &good[..good.len() / 2])),
        (
            "/half.zip",
            Reply::bytes(200, &good[..good.len() / 2]).saying_length(good.len()),
        ),
        ("/page.zip", Reply::text(200, "<html>")),
        ("/up.zip", Reply::bytes(200, zipped(&["../mine.epd"]))),
        (
            "/slow.zip",
            Reply::bytes(200, good.clone()).after(Duration::from_secs(60)),
        ),
        ("/plain.zip", Reply::redirect("http://192.0.2.1/mine.zip")),
        ("/huge.zip", Reply::text(200, "").saying_length(1 << 40)),
        ("/secret.zip", Reply::text(403, "no")),
        (
            "/endless.epd",
            Reply::bytes(200, [BOOK, BOOK].concat()).without_length(),
        ),
        ("/plain.epd", Reply::bytes(200, &BOOK[1..])),
    ];
    let server = TestServer::start(replies);
    let refused = |path: &str, sums: &str| {
        let place = Place::new();
        let answer = fetched(&place, &server, path, sums, &["--timeout", "2"]);
        assert_eq!(left(&place), [""; 0], "{path}");
        refusal(&answer)
    };
    let content = format!("sha256 = \"{}\"\n", sum(BOOK));
    let wrong = format!("sha256 = \"{}\"\n", SUM);
    let archive = format!("{content}zip_sha256 = \"{SUM}\"\n");
    insta::assert_snapshot!(refused("/good.zip", &wrong), @"1: error: mine.epd in SERVER/good.zip is ebe3c51ccab0779b4f664577a03ee5f86da4013becc9e972f4c5b5ef48cae343, not the d3b98e5ae26c0d9df6a4d4b9e5b2b90ab9ef6d7f4f4d5cbdf7a23d3b0a7a0f8e this table names");
    assert!(refused("/good.zip", &archive).starts_with("1: error: SERVER/good.zip is "));
    insta::assert_snapshot!(refused("/torn.zip", &content), @"1: error: cannot unpack book `mine` from SERVER/torn.zip: the archive cannot be unpacked: invalid Zip archive: Could not find EOCD");
    assert!(
        refused("/half.zip", &content)
            .starts_with("1: error: cannot fetch book `mine`: cannot read SERVER/half.zip: ")
    );
    insta::assert_snapshot!(refused("/page.zip", &content), @"1: error: cannot unpack book `mine` from SERVER/page.zip: the archive cannot be unpacked: invalid Zip archive: Could not find EOCD");
    insta::assert_snapshot!(refused("/up.zip", &content), @"1: error: cannot unpack book `mine` from SERVER/up.zip: the archive holds no file `mine.epd`");
    insta::assert_snapshot!(refused("/slow.zip", &content), @"1: error: cannot fetch book `mine`: SERVER/slow.zip did not answer in full within 2 s");
    insta::assert_snapshot!(refused("/plain.zip", &content), @"1: error: cannot fetch book `mine`: SERVER/plain.zip redirects to what cannot be followed: http://192.0.2.1/mine.zip is not https");
    insta::assert_snapshot!(refused("/huge.zip", &content), @"1: error: cannot fetch book `mine`: SERVER/huge.zip gives more than 268435456 bytes");
    insta::assert_snapshot!(refused("/secret.zip", &content), @"1: error: cannot fetch book `mine`: SERVER/secret.zip answers 403");
    insta::assert_snapshot!(refused("/missing.zip", &content), @"1: error: cannot fetch book `mine`: SERVER/missing.zip answers 404");
    assert!(refused("/endless.epd", &content).contains("SERVER/endless.epd is "));
    assert!(refused("/plain.epd", &content).contains("SERVER/plain.epd is "));
}

#[test]
fn an_address_that_is_not_https_is_refused() {
    let place = Place::new();
    let sums = format!("sha256 = \"{SUM}\"\n");
    place.write("table.toml", table("http://example.org/mine.zip", &sums));
    let answer = place.run([
        "book",
        "fetch",
        "mine",
        "--into",
        "books",
        "--table",
        "table.toml",
    ]);
    insta::assert_snapshot!(refusal(&answer), @"1: error: cannot fetch book `mine`: http://example.org/mine.zip is not https");
}

/// A caller's table with the verbs, for a book that it makes itself.
#[cfg(unix)]
const PROGRAM: &str = r#"#!/bin/sh
case "$1" in
  list) echo mine; echo other ;;
  pin) echo 1234 ;;
  file) if [ "$2" = other ]; then echo ../other.epd; else echo mine.epd; fi ;;
  format) echo "${FORMAT:-epd}" ;;
  count) wc -l < "$3" ;;
  fetch) echo book > "$3/mine.epd"; [ -z "$BREAK" ] || echo more >> "$3/mine.epd" ;;
  verify) [ "$(cat "$3/mine.epd")" = book ] || { echo 'not the book' >&2; exit 1; } ;;
esac
"#;

#[cfg(unix)]
fn make_executable(place: &Place, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.path(name), executable).expect("the file is ours");
}

#[cfg(unix)]
#[test]
fn a_callers_program_is_a_table() {
    let place = Place::new();
    place.write("scripts/books.sh", PROGRAM);
    make_executable(&place, "scripts/books.sh");
    let run = |words: &[&str]| {
        let more = ["--table", "scripts/books.sh"];
        place.run(["book"].iter().chain(words).chain(&more))
    };
    assert_eq!(run(&["list"]).stdout, "mine\nother\n");
    assert_eq!(run(&["pin"]).stdout, "1234\n");
    assert_eq!(run(&["file", "mine"]).stdout, "mine.epd\n");
    assert_eq!(run(&["format", "mine"]).stdout, "epd\n");
    assert_eq!(
        run(&["fetch", "mine", "--into", "tools"]).stdout,
        "tools/mine.epd\n"
    );
    assert_eq!(run(&["verify", "mine", "tools"]).code, 0);
    place.write("tools/mine.epd", "rubbish\n");
    insta::assert_snapshot!(refusal(&run(&["verify", "mine", "tools"])), @"1: error: the table of books failed on `verify mine tools`: ./scripts/books.sh ended with exit status: 1: not the book");
    insta::assert_snapshot!(refusal(&run(&["file", "other"])), @"1: error: the table of books says `../other.epd` to `file other`; the name of a file was wanted");
    insta::assert_snapshot!(refusal(&run(&["file", "none"])), @"2: error: no book named `none`; this table has mine, other");
    let broken = place
        .program()
        .env("BREAK", "1")
        .args([
            "book",
            "fetch",
            "mine",
            "--into",
            "tools",
            "--table",
            "scripts/books.sh",
        ])
        .output();
    assert_eq!(broken.expect("it starts").status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn the_script_has_the_verbs_of_a_table() {
    use std::path::Path;
    let folder = Path::new(env!("CARGO_BIN_EXE_mache"))
        .parent()
        .expect("a folder");
    let path = [folder, Path::new("/usr/bin"), Path::new("/bin")];
    let path = std::env::join_paths(path).expect("a path");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bin/book_table.sh");
    let place = Place::new();
    let run = |words: &[&str]| {
        let output = std::process::Command::new(&script)
            .args(words)
            .env("PATH", &path)
            .current_dir(place.path("."))
            .output()
            .expect("it starts");
        let text = String::from_utf8(output.stdout).expect("text");
        (output.status.code().expect("no signal"), text)
    };
    assert_eq!(run(&["list"]).1.lines().next(), Some("mache_8ply"));
    assert_eq!(run(&["pin"]).1.trim().len(), 40);
    assert_eq!(run(&["file", "8moves_v3"]), (0, "8moves_v3.pgn\n".into()));
    assert_eq!(run(&["format", "mache_8ply"]), (0, "epd\n".into()));
    assert_eq!(run(&["fetch", "mache_8ply", "tools"]), (0, String::new()));
    assert_eq!(run(&["verify", "mache_8ply", "tools"]), (0, String::new()));
    assert_eq!(
        run(&["count", "mache_8ply", "tools/mache_8ply.epd"]),
        (0, "500\n".into())
    );
    for wrong in [
        &["file", "none"][..],
        &["count", "none", "tools/mache_8ply.epd"],
        &["verify", "mache_8ply", "."],
        &["fetch", "-h", "tools"],
        &["file"],
        &["x"],
        &[],
    ] {
        let (code, text) = run(wrong);
        assert!(code != 0 && text.is_empty(), "{wrong:?}: {code} {text}");
    }
}
