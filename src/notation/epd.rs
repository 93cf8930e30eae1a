//! A position on one line: FEN, and EPD with its operations.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use shakmaty::Setup;
use shakmaty::fen::Fen;

/// One position on one line, as books write it.
///
/// Two forms are read. FEN: four fields and up to two counters. EPD: four fields and operations, each ended
/// by a semicolon, of which `hmvc` and `fmvn` give the counters; counters may stand in their FEN place too.
/// Counters that are missing are `0 1`. Castling rights are read as FEN, X-FEN or Shredder-FEN.
///
/// Printing gives EPD with the counters as operations when they are not `0 1`; [`EpdRecord::fen`] gives FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdRecord {
    setup: Setup,
    operations: Vec<Operation>,
}

/// An EPD operation: `bm Nf3`, `id "position 1"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    opcode: String,
    operands: String,
}

/// Why a line is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// Fewer than the four fields every form has.
    #[error("a position has at least four fields, this has {0}")]
    Fields(usize),
    /// A field of the position.
    #[error("{0}")]
    Fen(String),
    /// Pockets, counted checks or marks of promotion, which no variant played here has.
    #[error("the position belongs to a variant other than chess and Chess960")]
    OtherVariant,
    /// More behind the counters, and no semicolon that would make it an operation.
    #[error("unknown text after the position: '{0}'")]
    Trailing(String),
    /// An operation without its semicolon, or with a quote left open.
    #[error("operation '{0}' is not ended by a semicolon")]
    Unended(String),
    /// An opcode that is not a name.
    #[error("'{0}' is not an opcode")]
    Opcode(String),
    /// A counter that is not one.
    #[error("'{operands}' is not a count for {opcode}")]
    Counter {
        /// `hmvc` or `fmvn`.
        opcode: String,
        /// What stood there.
        operands: String,
    },
}

impl Operation {
    /// The operation's name.
    #[must_use]
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// Its operands as they stand, quotes included; often empty.
    #[must_use]
    pub fn operands(&self) -> &str {
        &self.operands
    }

    /// Reads an operation without its semicolon.
    fn parse(text: &str) -> Result<Self, EpdError> {
        let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let named = opcode.starts_with(|c: char| c.is_ascii_alphabetic());
        if !named
            || !opcode
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            return Err(EpdError::Opcode(opcode.to_owned()));
        }
        Ok(Self {
            opcode: opcode.to_owned(),
            operands: operands.trim().to_owned(),
        })
    }

    /// The counter it gives, `None` when the operation is another one.
    fn counter(&self, opcode: &str) -> Result<Option<u32>, EpdError> {
        if self.opcode != opcode {
            return Ok(None);
        }
        let unreadable = |_| EpdError::Counter {
            opcode: self.opcode.clone(),
            operands: self.operands.clone(),
        };
        self.operands.parse().map(Some).map_err(unreadable)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        if !self.operands.is_empty() {
            write!(f, " {}", self.operands)?;
        }
        f.write_str(";")
    }
}

impl EpdRecord {
    /// A record of the position alone.
    #[must_use]
    pub const fn new(setup: Setup) -> Self {
        Self {
            setup,
            operations: Vec::new(),
        }
    }

    /// The position with its counters. Its castling rights and en-passant square are as they were written and
    /// may be impossible.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The operations in their order, but for `hmvc` and `fmvn`.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The position as six FEN fields.
    #[must_use]
    pub fn fen(&self) -> String {
        let fen = Fen::try_from_setup(self.setup.clone());
        fen.unwrap_or_else(|lossy| lossy.ignore()).to_string()
    }

    /// Takes the counters out of the operations.
    fn with_operations(mut self, operations: Vec<Operation>) -> Result<Self, EpdError> {
        for operation in operations {
            if let Some(halfmoves) = operation.counter("hmvc")? {
                self.setup.halfmoves = halfmoves;
            } else if let Some(fullmoves) = operation.counter("fmvn")? {
                // Nought is written by some for the first move, as in FEN.
                self.setup.fullmoves = NonZeroU32::new(fullmoves).unwrap_or(NonZeroU32::MIN);
            } else {
                self.operations.push(operation);
            }
        }
        Ok(self)
    }
}

impl FromStr for EpdRecord {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Self, EpdError> {
        let (fields, rest) = split_fields(line.trim());
        if fields.len() < 4 {
            return Err(EpdError::Fields(fields.len()));
        }
        let setup = read_fields(&fields)?;
        let operations = if line.contains(';') {
            read_operations(rest)?
        } else if rest.is_empty() {
            Vec::new()
        } else {
            return Err(EpdError::Trailing(rest.to_owned()));
        };
        Self::new(setup).with_operations(operations)
    }
}

impl fmt::Display for EpdRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.fen();
        let mut fields = fen.rsplitn(3, ' ');
        let (fullmoves, halfmoves) = (fields.next(), fields.next());
        f.write_str(fields.next().unwrap_or_default())?;
        if (halfmoves, fullmoves) != (Some("0"), Some("1")) {
            let (halfmoves, fullmoves) = (self.setup.halfmoves, self.setup.fullmoves);
            write!(f, " hmvc {halfmoves}; fmvn {fullmoves};")?;
        }
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}

/// The four fields and the counters behind them, and what is left of the line.
fn split_fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::with_capacity(6);
    let mut rest = line;
    while fields.len() < 6 && !rest.is_empty() && !rest.starts_with(';') {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';');
        let end = end.unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        let is_counter = field.bytes().all(|b| b.is_ascii_digit());
        if fields.len() >= 4 && !is_counter {
            break;
        }
        fields.push(field);
        rest = after.trim_start();
    }
    (fields, rest.strip_prefix(';').unwrap_or(rest).trim_start())
}

fn read_fields(fields: &[&str]) -> Result<Setup, EpdError> {
    let fen = Fen::from_ascii(fields.join(" ").as_bytes());
    let setup = fen
        .map_err(|error| EpdError::Fen(error.to_string()))?
        .into_setup();
    // The reader also takes what other variants put behind a board and in it.
    if setup.pockets.is_some() || setup.remaining_checks.is_some() || setup.promoted.any() {
        return Err(EpdError::OtherVariant);
    }
    Ok(setup)
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = end_of_operation(rest).ok_or_else(|| EpdError::Unended(rest.to_owned()))?;
        let operation = rest[..end].trim();
        // A bare semicolon ends nothing and harms nobody.
        if !operation.is_empty() {
            operations.push(Operation::parse(operation)?);
        }
        rest = rest[end + 1..].trim_start();
    }
    Ok(operations)
}

/// Where the first semicolon outside quotes stands.
fn end_of_operation(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b';' && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{Chess, EnPassantMode, Position};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[track_caller]
    fn reads(line: &str, fen: &str) -> EpdRecord {
        let record: EpdRecord = line.parse().unwrap();
        assert_eq!(record.fen(), fen);
        assert_eq!(record.to_string().parse::<EpdRecord>().unwrap(), record);
        record
    }

    #[track_caller]
    fn refused(line: &str, message: &str) {
        assert_eq!(line.parse::<EpdRecord>().unwrap_err().to_string(), message);
    }

    #[test]
    fn counters_in_every_place() {
        reads(START, &format!("{START} 0 1"));
        reads(&format!("{START} 3"), &format!("{START} 3 1"));
        reads(&format!("{START} 3 9"), &format!("{START} 3 9"));
        reads(&format!("{START} 0 0"), &format!("{START} 0 1"));
        reads(&format!("{START} hmvc 3; fmvn 9;"), &format!("{START} 3 9"));
        reads(
            &format!("{START} fmvn 9; id \"a\";"),
            &format!("{START} 0 9"),
        );
        reads(&format!("{START} 3 9 ; id \"a\";"), &format!("{START} 3 9"));
        reads(&format!("  {START}\t3  9;\r"), &format!("{START} 3 9"));
    }

    #[test]
    fn operations_keep_their_order_and_quotes() {
        let record = reads(
            &format!("{START} bm Nf3 e4; hmvc 0; id \"one; two\"; noop;"),
            &format!("{START} 0 1"),
        );
        let operations: Vec<_> = record
            .operations()
            .iter()
            .map(Operation::to_string)
            .collect();
        assert_eq!(operations, ["bm Nf3 e4;", "id \"one; two\";", "noop;"]);
        assert_eq!(record.operations()[1].opcode(), "id");
        assert_eq!(record.operations()[1].operands(), "\"one; two\"");
    }

    #[test]
    fn castling_rights_of_other_set_ups() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        reads(
            fen,
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        );
        let inner = "rr2k2r/8/8/8/8/8/8/RR2K2R w BHbh - 0 1";
        reads(inner, "rr2k2r/8/8/8/8/8/8/RR2K2R w KBkb - 0 1");
    }

    #[test]
    fn refusals() {
        refused("", "a position has at least four fields, this has 0");
        refused(
            "rnbqkbnr/pppppppp/8/8 w",
            "a position has at least four fields, this has 2",
        );
        refused(
            &START.replace("pppppppp", "ppppppp"),
            "invalid board part in fen",
        );
        refused(
            &START.replace("pppppppp", "ppppQ~ppp"),
            "the position belongs to a variant other than chess and Chess960",
        );
        refused(&START.replace(" w ", " x "), "invalid turn part in fen");
        refused(
            &format!("{START} bm e4"),
            "unknown text after the position: 'bm e4'",
        );
        refused(
            &format!("{START} 0 1 7"),
            "unknown text after the position: '7'",
        );
        refused(
            &format!("{START} bm e4; id \"a;"),
            "operation 'id \"a;' is not ended by a semicolon",
        );
        refused(&format!("{START} hmvc x;"), "'x' is not a count for hmvc");
        refused(&format!("{START} 0 1; 7 8;"), "'7' is not an opcode");
    }

    fn opcode() -> impl Strategy<Value = String> {
        "[a-z][a-z0-9_]{0,5}".prop_filter("a counter is no operation", |name| {
            name != "hmvc" && name != "fmvn"
        })
    }

    prop_compose! {
        /// A position some random moves into a game, with any operations.
        fn record()(
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
            operations in proptest::collection::vec((opcode(), "(\"[ -!#-~]{0,9}\"|[A-Za-z0-9+]{0,5})"), 0..4),
        ) -> EpdRecord {
            let mut position = Chess::default();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() { break; }
                position.play_unchecked(moves[choice.index(moves.len())]);
            }
            let operations = operations.into_iter().map(|(opcode, operands)| Operation { opcode, operands });
            EpdRecord { setup: position.to_setup(EnPassantMode::Legal), operations: operations.collect() }
        }
    }

    proptest! {
        #[test]
        fn printing_and_reading_agree(record in record()) {
            prop_assert_eq!(record.to_string().parse::<EpdRecord>().unwrap(), record.clone());
            let read: EpdRecord = record.fen().parse().unwrap();
            prop_assert_eq!(read.setup(), record.setup());
        }

        #[test]
        fn no_line_panics(line in "\\PC{0,90}", tail in "\\PC{0,30}") {
            let _ = line.parse::<EpdRecord>();
            let _ = format!("{START} {tail}").parse::<EpdRecord>();
        }
    }
}
