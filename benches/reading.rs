//! How fast a match is read: bytes a second on one thread and on all.

use std::fmt::Write;
use std::path::PathBuf;

use divan::Bencher;
use divan::counter::BytesCount;
use mache::games::Pool;

fn main() {
    divan::main();
}

/// About 32 MB in fastchess's format: a real match repeated, its rounds renumbered.
fn long_match() -> (tempfile::TempDir, PathBuf, usize) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/games/adj-resign-draw/games.pgn.zst"
    );
    let packed = std::fs::File::open(path).expect("the file is part of the repository");
    let text = zstd::decode_all(packed).expect("it is whole");
    let text = String::from_utf8(text).expect("it is text");
    let mut long = String::new();
    let mut round = 0;
    while long.len() < 32_000_000 {
        for record in text.split_inclusive("[Round \"") {
            match record.split_once("\"]") {
                Some((number, rest)) if number.parse::<u64>().is_ok() => {
                    write!(long, "{}\"]{rest}", round / 2 + 1).expect("a string takes all text");
                    round += 1;
                }
                _ => long.push_str(record),
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder for the match");
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, &long).expect("room for the match");
    (folder, path, long.len())
}

#[divan::bench(args = [1, 2], sample_count = 10)]
fn pool(bencher: Bencher<'_, '_>, threads: usize) {
    let (_folder, path, bytes) = long_match();
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| threads.install(|| Pool::read(std::slice::from_ref(&path), "alpha", "beta")));
}
