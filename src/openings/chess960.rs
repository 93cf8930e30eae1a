//! Finding out whether a book is one of Chess960.

use shakmaty::CastlingMode;

use crate::notation::EpdRecord;

/// Whether a line of a PGN book needs Chess960: a `Variant` tag that says so, or a `FEN` tag with such a position. Called
/// for every line of a large book.
pub(super) fn tag_shows(line: &[u8]) -> bool {
    if let Some(rest) = line.strip_prefix(b"[FEN \"") {
        let fen = rest.split(|&byte| byte == b'"').next().unwrap_or_default();
        return position_shows(fen);
    }
    let Some(rest) = line.strip_prefix(b"[Variant \"") else {
        return false;
    };
    let variant = String::from_utf8_lossy(rest).to_ascii_lowercase();
    [
        "chess960",
        "chess 960",
        "fischerandom",
        "fischer random",
        "fischerrandom",
    ]
    .iter()
    .any(|name| variant.starts_with(name))
}

/// Whether a position does: castling rights of a king that is not on the e-file or of a rook that is not in its corner.
pub(super) fn position_shows(line: &[u8]) -> bool {
    let mut fields = line
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty());
    let (Some(board), Some(_turn), Some(rights)) = (fields.next(), fields.next(), fields.next())
    else {
        return false;
    };
    !rights_are_standard(board, rights) && detect(line)
}

/// A quick look; `false` when a closer one is needed.
fn rights_are_standard(board: &[u8], rights: &[u8]) -> bool {
    let mut ranks = board.split(|&byte| byte == b'/');
    let (Some(eighth), Some(first)) = (ranks.next(), ranks.next_back()) else {
        return false;
    };
    rights.iter().all(|right| match right {
        b'-' => true,
        b'K' | b'H' => piece_on(first, 4) == Some(b'K') && piece_on(first, 7) == Some(b'R'),
        b'Q' | b'A' => piece_on(first, 4) == Some(b'K') && piece_on(first, 0) == Some(b'R'),
        b'k' | b'h' => piece_on(eighth, 4) == Some(b'k') && piece_on(eighth, 7) == Some(b'r'),
        b'q' | b'a' => piece_on(eighth, 4) == Some(b'k') && piece_on(eighth, 0) == Some(b'r'),
        _ => false,
    })
}

/// The piece on a file, from nought, of a rank as FEN writes it.
fn piece_on(rank: &[u8], file: u8) -> Option<u8> {
    let mut at = 0;
    for &byte in rank {
        if byte.is_ascii_digit() {
            at += byte - b'0';
        } else if at == file {
            return Some(byte);
        } else {
            at += 1;
        }
        if at > file {
            return None;
        }
    }
    None
}

fn detect(line: &[u8]) -> bool {
    let record = std::str::from_utf8(line)
        .ok()
        .and_then(|line| line.parse::<EpdRecord>().ok());
    record.is_some_and(|record| CastlingMode::detect(record.setup()).is_chess960())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn position(line: &str, chess960: bool) {
        assert_eq!(position_shows(line.as_bytes()), chess960, "{line}");
        let tag = format!("[FEN \"{line}\"]\r\n");
        assert_eq!(tag_shows(tag.as_bytes()), chess960, "{tag}");
    }

    #[test]
    fn castling_rights_tell() {
        position(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            false,
        );
        position(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            false,
        );
        position(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            true,
        );
        position(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
            true,
        );
        position(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w - - 2 9",
            false,
        );
        position("4k3/8/8/8/8/8/8/1R2K2R w BK - 0 1", true);
        position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false);
        // Rights without a rook are a mistake, not another variant.
        position("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", false);
    }

    #[test]
    fn a_variant_tag_tells() {
        for (tag, wanted) in [
            ("[Variant \"Chess960\"]", true),
            ("[Variant \"fischerandom\"]", true),
            ("[Variant \"Standard\"]", false),
            ("[White \"Chess960\"]", false),
        ] {
            assert_eq!(tag_shows(tag.as_bytes()), wanted, "{tag}");
        }
    }

    #[test]
    fn pieces_of_a_rank() {
        assert_eq!(piece_on(b"r3k2r", 0), Some(b'r'));
        assert_eq!(piece_on(b"r3k2r", 4), Some(b'k'));
        assert_eq!(piece_on(b"r3k2r", 7), Some(b'r'));
        assert_eq!(piece_on(b"r3k2r", 6), None);
        assert_eq!(piece_on(b"r3", 7), None);
        assert_eq!(piece_on(b"99", 7), None);
    }
}
