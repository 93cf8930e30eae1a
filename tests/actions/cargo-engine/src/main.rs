//! A small UCI engine without castling moves of its own: what the tests build with cargo, at two commits.

use std::io::BufRead;

/// Plies it looks ahead. Without any it plays whatever comes.
const DEPTH: u32 = 0;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PIECES: &str = " PNBRQK";
const WORTH: [i32; 7] = [0, 100, 300, 310, 500, 900, 0];
const MATED: i32 = -100_000;
const NOWHERE: usize = 128;

const AROUND: [isize; 8] = [1, -1, 16, -16, 15, -15, 17, -17];
const JUMPS: [isize; 8] = [14, -14, 18, -18, 31, -31, 33, -33];

#[derive(Clone, Copy)]
struct Move {
    from: usize,
    to: usize,
    /// 0 when no pawn is promoted.
    becomes: i8,
}

/// A board of 16 files and 8 ranks, of which the left half is real; White's pieces are positive.
#[derive(Clone)]
struct Board {
    squares: [i8; 128],
    side: i8,
    en_passant: usize,
}

fn is_on_board(square: usize) -> bool {
    square & 0x88 == 0
}

fn square(name: &[u8]) -> usize {
    match name {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8', ..] => {
            usize::from(rank - b'1') * 16 + usize::from(file - b'a')
        }
        _ => NOWHERE,
    }
}

fn name(square: usize) -> String {
    let file = b'a' + (square % 16) as u8;
    format!("{}{}", char::from(file), square / 16 + 1)
}

impl Move {
    fn uci(self) -> String {
        let becomes = PIECES.as_bytes()[self.becomes as usize].to_ascii_lowercase();
        let text = format!(
            "{}{}{}",
            name(self.from),
            name(self.to),
            char::from(becomes)
        );
        text.trim_end().to_owned()
    }
}

impl Board {
    fn new(fen: &str) -> Self {
        let words: Vec<&str> = fen.split_whitespace().collect();
        let mut board = Self {
            squares: [0; 128],
            side: if words[1] == "w" { 1 } else { -1 },
            en_passant: words.get(3).map_or(NOWHERE, |name| square(name.as_bytes())),
        };
        let mut at = 7 * 16;
        for letter in words[0].chars() {
            match letter {
                '/' => at = at - at % 16 - 16,
                '1'..='8' => at += letter as usize - '0' as usize,
                _ => {
                    let piece = PIECES.find(letter.to_ascii_uppercase()).unwrap() as i8;
                    board.squares[at] = if letter.is_ascii_uppercase() {
                        piece
                    } else {
                        -piece
                    };
                    at += 1;
                }
            }
        }
        board
    }

    fn play(&mut self, played: Move) {
        let Move { from, to, becomes } = played;
        let piece = self.squares[from];
        if piece.abs() == 1 && to == self.en_passant {
            self.squares[to ^ 16] = 0;
        }
        if piece.abs() == 6 && from.abs_diff(to) == 2 {
            let (corner, beside) = if to > from {
                (to + 1, to - 1)
            } else {
                (to - 2, to + 1)
            };
            self.squares[beside] = std::mem::take(&mut self.squares[corner]);
        }
        self.squares[from] = 0;
        self.squares[to] = if becomes == 0 {
            piece
        } else {
            becomes * self.side
        };
        let two_steps = piece.abs() == 1 && from.abs_diff(to) == 32;
        self.en_passant = if two_steps { (from + to) / 2 } else { NOWHERE };
        self.side = -self.side;
    }

    fn is_attacked(&self, target: usize, by: i8) -> bool {
        let sees = |step: isize, reach: u32, pieces: &[i8]| {
            let mut at = target;
            for _ in 0..reach {
                at = at.wrapping_add_signed(step);
                if !is_on_board(at) {
                    return false;
                }
                if self.squares[at] != 0 {
                    return pieces.contains(&(self.squares[at] * by));
                }
            }
            false
        };
        let pawn = isize::from(by) * -16;
        JUMPS.iter().any(|&step| sees(step, 1, &[2]))
            || AROUND.iter().any(|&step| sees(step, 1, &[6]))
            || AROUND[..4].iter().any(|&step| sees(step, 7, &[4, 5]))
            || AROUND[4..].iter().any(|&step| sees(step, 7, &[3, 5]))
            || [pawn - 1, pawn + 1].iter().any(|&step| sees(step, 1, &[1]))
    }

    fn is_in_check(&self, side: i8) -> bool {
        let king = self.squares.iter().position(|&piece| piece == 6 * side);
        king.is_some_and(|king| self.is_attacked(king, -side))
    }

    fn moves(&self) -> Vec<Move> {
        let mut found = Vec::new();
        for from in (0..128).filter(|&at| is_on_board(at) && self.squares[at] * self.side > 0) {
            let (steps, reach): (&[isize], _) = match self.squares[from].abs() {
                1 => {
                    self.pawn_moves(from, &mut found);
                    continue;
                }
                2 => (&JUMPS, 1),
                3 => (&AROUND[4..], 7),
                4 => (&AROUND[..4], 7),
                5 => (&AROUND, 7),
                _ => (&AROUND, 1),
            };
            for &step in steps {
                let mut to = from;
                for _ in 0..reach {
                    to = to.wrapping_add_signed(step);
                    if !is_on_board(to) || self.squares[to] * self.side > 0 {
                        break;
                    }
                    found.push(Move {
                        from,
                        to,
                        becomes: 0,
                    });
                    if self.squares[to] != 0 {
                        break;
                    }
                }
            }
        }
        found.retain(|&played| {
            let mut after = self.clone();
            after.play(played);
            !after.is_in_check(self.side)
        });
        found
    }

    fn pawn_moves(&self, from: usize, found: &mut Vec<Move>) {
        let ahead = isize::from(self.side) * 16;
        let mut add = |to: usize| {
            let last = to / 16 == 0 || to / 16 == 7;
            let pieces = if last { 2..=5 } else { 0..=0 };
            found.extend(pieces.map(|becomes| Move { from, to, becomes }));
        };
        let to = from.wrapping_add_signed(ahead);
        if self.squares[to] == 0 {
            add(to);
            let second = if self.side > 0 { 1 } else { 6 };
            let further = to.wrapping_add_signed(ahead);
            if from / 16 == second && self.squares[further] == 0 {
                add(further);
            }
        }
        for to in [to.wrapping_sub(1), to + 1] {
            if is_on_board(to) && (self.squares[to] * self.side < 0 || to == self.en_passant) {
                add(to);
            }
        }
    }

    /// Material, for the side to move.
    fn value(&self) -> i32 {
        let worth = |&piece: &i8| WORTH[piece.unsigned_abs() as usize] * i32::from(piece.signum());
        self.squares.iter().map(worth).sum::<i32>() * i32::from(self.side)
    }

    /// The best value to come, for the side to move, and the move to it.
    fn search(&self, depth: u32, nodes: &mut u64) -> (i32, Option<Move>) {
        *nodes += 1;
        let mut moves = self.moves();
        if moves.is_empty() {
            let value = if self.is_in_check(self.side) {
                MATED - depth as i32
            } else {
                0
            };
            return (value, None);
        }
        let any = self.hash() as usize % moves.len();
        moves.rotate_left(any);
        if depth == 0 {
            return (self.value(), Some(moves[0]));
        }
        let mut best = (i32::MIN, None);
        for played in moves {
            let mut after = self.clone();
            after.play(played);
            let value = -after.search(depth - 1, nodes).0;
            if value > best.0 {
                best = (value, Some(played));
            }
        }
        best
    }

    /// FNV-1a.
    fn hash(&self) -> u64 {
        self.squares
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, &piece| {
                (hash ^ piece as u64).wrapping_mul(0x0100_0000_01b3)
            })
            >> 20
    }
}

fn position(line: &str) -> Board {
    let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut board = Board::new(start.strip_prefix("position fen ").unwrap_or(START));
    for text in moves.split_whitespace() {
        let letters = text.as_bytes();
        let becomes = letters
            .get(4)
            .map_or(' ', |&letter| char::from(letter).to_ascii_uppercase());
        board.play(Move {
            from: square(letters),
            to: square(&letters[2..]),
            becomes: PIECES.find(becomes).unwrap_or(0) as i8,
        });
    }
    board
}

fn bench() {
    let (mut board, mut nodes) = (Board::new(START), 0);
    for _ in 0..20 {
        if let (_, Some(played)) = board.search(DEPTH, &mut nodes) {
            board.play(played);
        }
    }
    println!("{nodes} nodes");
}

fn main() {
    if std::env::args().nth(1).is_some_and(|word| word == "bench") {
        return bench();
    }
    let mut board = Board::new(START);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("uci") => println!("id name my-engine\nid author nobody\nuciok"),
            Some("isready") => println!("readyok"),
            Some("position") => board = position(&line),
            Some("go") => {
                let mut nodes = 0;
                let (value, found) = board.search(DEPTH, &mut nodes);
                println!("info depth {DEPTH} score cp {value} nodes {nodes}");
                println!("bestmove {}", found.map_or("0000".to_owned(), Move::uci));
            }
            Some("quit") => break,
            _ => {}
        }
    }
}
