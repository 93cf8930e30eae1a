//! What the scripted engine is asked to be, read from `key=value` arguments.

use std::path::PathBuf;
use std::time::Duration;

macro_rules! faults {
    ($($word:literal => $fault:ident,)*) => {
        /// What the engine does wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Fault {
            $($fault,)*
        }

        /// Every fault with the word that asks for it.
        const FAULTS: &[(&str, Fault)] = &[$(($word, Fault::$fault),)*];
    };
}

faults! {
    "crash-start" => CrashStart, // exits with status 1 before it says a word
    "no-uciok" => NoUciok, // never answers `uci`
    "no-readyok" => NoReadyok, // never answers `isready`
    "crash-newgame" => CrashNewgame, // exits with status 1 on `ucinewgame`
    "ignore-quit" => IgnoreQuit, // lives on after `quit`, and so does a child it started that holds its output open
    "crash" => Crash, // exits with status 1 and a word on standard error
    "abort" => Abort, // dies of a signal
    "exit" => Exit, // exits with status 0
    "close-output" => CloseOutput, // closes its output and lives on
    "close-input" => CloseInput, // closes its input and lives on
    "hang" => Hang, // never reads or says anything again
    "think" => Think, // no move before `stop`, but answers `isready`
    "deaf" => Deaf, // no move and no `readyok` before `stop`
    "mute" => Mute, // no move, not even after `stop`, but answers `isready`
    "chatter" => Chatter, // prints information until well past its flag, then a move
    "endless" => Endless, // one line without end
    "ignore-nodes" => IgnoreNodes, // thinks until `stop` when told `nodes` or `depth`
    "late" => Late, // a legal move, some time after its flag
    "flood" => Flood, // a million lines of information, then a move
    "stderr-flood" => StderrFlood, // a million lines on standard error, then a move
    "long" => Long, // a line of 200 kB, then a move
    "binary" => Binary, // bytes that are no text, then a move
    "commands" => Commands, // workflow commands and terminal escapes, then a move
    "bad-score" => BadScore, // information that makes no sense, then a move
    "ponder" => Ponder, // a move with a move to ponder on
    "crlf" => Crlf, // lines end in CR LF, from the start
    "double" => Double, // the move twice, in one piece
    "last-word" => LastWord, // a move, and exits at once
    "readyok-no-more" => ReadyokNoMore, // a move, and no `readyok` ever after
    "illegal" => Illegal, // `a1a1`
    "illegal-thinking" => IllegalThinking, // `a1a1`, and thinks on until `stop`, when another move comes
    "wrong-side" => WrongSide, // a move of the other side
    "null" => Null, // `0000`
    "none" => None, // `(none)`
    "empty" => Empty, // `bestmove` and nothing more
    "upper" => Upper, // its move in capitals
    "san" => San, // its move in SAN
    "garbage" => Garbage, // braces, quotes and a result for a move
}

/// How the engine behaves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What `id name` says.
    pub(crate) name: String,
    /// Seed of its choice of moves.
    pub(crate) seed: u64,
    /// What it does wrong, if anything.
    pub(crate) fault: Option<Fault>,
    /// A fault of the search comes in positions with so many moves after the start given, or more.
    pub(crate) ply: usize,
    /// Faults come in every so-manieth game, counted by `ucinewgame`.
    pub(crate) every: usize,
    /// Time it thinks about a move.
    pub(crate) think: Duration,
    /// How far past its flag a late move comes, and for how long it chatters past it.
    pub(crate) over: Duration,
    /// Info lines a move.
    pub(crate) info: usize,
    /// Moves in the principal variation it prints.
    pub(crate) line: usize,
    /// What follows `score`.
    pub(crate) score: String,
    /// A file that takes down every line it is sent.
    pub(crate) log: Option<PathBuf>,
}

impl Settings {
    /// Reads the arguments; `mark=…` only makes a process easy to find.
    pub(crate) fn read(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self {
            name: "scripted".to_owned(),
            seed: 1,
            fault: None,
            ply: 8,
            every: 1,
            think: Duration::ZERO,
            over: Duration::from_millis(300),
            info: 1,
            line: 1,
            score: "cp 0".to_owned(),
            log: None,
        };
        for argument in arguments {
            let (key, value) = argument
                .split_once('=')
                .ok_or_else(|| format!("`{argument}` is not key=value"))?;
            settings.set(key, value)?;
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || {
            let parsed = value.parse::<u64>();
            parsed.map_err(|_| format!("{key}={value}: not a number"))
        };
        let count = || number().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        match key {
            "name" => value.clone_into(&mut self.name),
            "score" => value.clone_into(&mut self.score),
            "seed" => self.seed = number()?,
            "ply" => self.ply = count()?,
            "every" => self.every = count()?.max(1),
            "info" => self.info = count()?,
            "line" => self.line = count()?,
            "ms" => self.think = Duration::from_millis(number()?),
            "over" => self.over = Duration::from_millis(number()?),
            "log" => self.log = Some(PathBuf::from(value)),
            "fault" => self.fault = fault(value)?,
            "mark" => {}
            _ => return Err(format!("unknown key `{key}`")),
        }
        Ok(())
    }
}

fn fault(word: &str) -> Result<Option<Fault>, String> {
    if word.is_empty() {
        return Ok(None);
    }
    let found = FAULTS.iter().find(|(known, _)| *known == word);
    found
        .map(|(_, fault)| Some(*fault))
        .ok_or_else(|| format!("unknown fault `{word}`"))
}
