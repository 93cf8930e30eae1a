//! `--resign` and `--draw`: the numbers of a rule separated by commas.

use crate::play::{DrawRule, ResignRule};

/// Reads `MOVES,SCORE` or `MOVES,SCORE,twosided`.
pub(in crate::cli) fn resign(text: &str) -> Result<ResignRule, String> {
    let wanted = || {
        "write MOVES,SCORE or MOVES,SCORE,twosided, such as 3,400: whole numbers above 0".to_owned()
    };
    let (numbers, two_sided) = match text.strip_suffix(",twosided") {
        Some(numbers) => (numbers, true),
        None => (text, false),
    };
    let [moves, score] = whole_numbers(numbers).ok_or_else(wanted)?;
    if moves == 0 || score == 0 {
        return Err(wanted());
    }
    Ok(ResignRule {
        moves,
        score,
        two_sided,
    })
}

/// Reads `MOVE,MOVES,SCORE`.
pub(in crate::cli) fn draw(text: &str) -> Result<DrawRule, String> {
    let wanted =
        || "write MOVE,MOVES,SCORE, such as 40,8,10: whole numbers, the second above 0".to_owned();
    let [from_move, moves, score] = whole_numbers(text).ok_or_else(wanted)?;
    if moves == 0 {
        return Err(wanted());
    }
    Ok(DrawRule {
        from_move,
        moves,
        score,
    })
}

fn whole_numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let numbers: Option<Vec<u32>> = text
        .split(',')
        .map(|item| item.trim().parse().ok())
        .collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_print_as_they_are_read() {
        for text in ["3,400", "1,1,twosided"] {
            assert_eq!(resign(text).unwrap().to_string(), text);
        }
        for text in ["40,8,10", "0,1,0"] {
            assert_eq!(draw(text).unwrap().to_string(), text);
        }
        assert_eq!(draw("40, 8, 10").unwrap().to_string(), "40,8,10");
    }

    #[test]
    fn refusals() {
        for text in [
            "",
            "3",
            "0,400",
            "3,0",
            "3,-4",
            "3,400,twosides",
            "3,400,1",
            "a,b",
            "3,,400",
        ] {
            assert!(resign(text).is_err(), "{text}");
        }
        for text in ["", "40,8", "40,0,10", "40,8,10,1", "40,8,-10", "40,8,1.5"] {
            assert!(draw(text).is_err(), "{text}");
        }
    }
}
