//! Real files with bytes changed, cut and glued: nothing panics and nothing good is lost.

use mache::games::{Endings, Pool};
use mache::notation::pgn::{Record, Visitor, pieces, scan};
use proptest::prelude::*;

fn text(case: &str) -> Vec<u8> {
    let path = format!(
        "{}/tests/data/games/{case}/games.pgn.zst",
        env!("CARGO_MANIFEST_DIR")
    );
    zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap()
}

fn read(text: &[u8]) -> Endings {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, text).unwrap();
    let _ = Pool::read(std::slice::from_ref(&path), "alpha", "beta");
    Endings::read(&[path]).unwrap().0
}

#[derive(Default)]
struct Results(Vec<(Vec<u8>, bool)>);

impl<'t> Visitor<'t> for Results {
    fn end(&mut self, record: &Record<'t>) {
        let result = record.tags.result.unwrap_or_default();
        self.0.push((result.to_vec(), record.torn()));
    }
}

fn results(pieces: &[&[u8]]) -> Vec<(Vec<u8>, bool)> {
    let mut results = Results::default();
    for piece in pieces {
        scan(piece, &mut results);
    }
    results.0
}

#[test]
fn a_torn_file_and_a_later_run_in_one_lose_no_game() {
    let (first, second) = (text("truncated-file-limit"), text("depth"));
    let apart = [results(&[&first]), results(&[&second])].concat();
    for cut in 1..400 {
        let torn = &first[..first.len() - cut];
        let glued = [torn, &second].concat();
        let whole = results(&[torn]).len();
        assert_eq!(results(&[&glued]).len(), whole + 8, "cut by {cut} bytes");
    }
    assert_eq!(results(&[&[first, second].concat()]), apart);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cutting_at_any_size_gives_the_same_records(target in 1_usize..100_000) {
        let text = text("fault-bestmove-garbage");
        let text = [text.as_slice(), &self::text("depth")].concat();
        let cut: Vec<&[u8]> = pieces(&text, target).into_iter().map(|piece| &text[piece]).collect();
        prop_assert_eq!(results(&cut), results(&[&text]));
    }

    #[test]
    fn changed_bytes_change_little(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut text = text("pgn-min");
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        text.truncate(cut.index(text.len()));
        prop_assert!(read(&text).games() <= 7);
    }

    #[test]
    fn any_bytes_are_read(text in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(&text);
    }
}
