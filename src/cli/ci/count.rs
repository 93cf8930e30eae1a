//! Counts as a workflow's inputs write them.

use crate::cli::number::real;

/// No count of ours is larger.
const LARGEST: f64 = 1e15;

/// A whole number from nought up in any form a number may have: `500`, `5e2`, `+500`, `500.0`.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let wanted = || "write a whole number from 0 up, such as 500".to_owned();
    let value = real(text).map_err(|_| wanted())?;
    if value.fract() != 0.0 || !(0.0..=LARGEST).contains(&value) {
        return Err(wanted());
    }
    Ok(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_form_of_a_whole_number_counts() {
        for text in ["500", "5e2", "+500", "500.0", " 500 ", "5_00"] {
            assert_eq!(count(text), Ok(500), "{text}");
        }
        for text in ["", "-1", "0.5", "1e16", "nan", "inf", "many"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
