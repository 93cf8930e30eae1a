//! Numbers as text. All decimal rounding is of the exact binary value, ties to even.

/// Nearest integer with an explicit sign: `+56`, `-3`, `+0`.
pub(crate) fn signed(value: f64) -> String {
    format!("{:+.0}", whole(value))
}

/// Nearest integer: `37`.
pub(crate) fn rounded(value: f64) -> String {
    format!("{:.0}", whole(value))
}

/// Ties go to even; a negative nought loses its sign.
fn whole(value: f64) -> f64 {
    value.round_ties_even() + 0.0
}

/// A fraction as a percentage with one decimal: `55.6%`.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{:.1}%", 100.0 * fraction)
}

/// What a chance is, behind its name: `= 0.042`, or `< 0.001` below that.
pub(crate) fn tail(chance: f64) -> String {
    if chance < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("= {chance:.3}")
    }
}

/// A hypothesis or a bound: integral ones without decimals, all others with two.
pub(crate) fn bound(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{:.0}", value + 0.0)
    } else {
        format!("{value:.2}")
    }
}

/// Up to six significant digits without trailing zeros, in exponent form where that is the short one:
/// `0.05`, `0.123457`, `1e-09`.
pub(crate) fn short(value: f64) -> String {
    let scientific = format!("{value:.5e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific; // infinities and NaN
    };
    let exponent: i32 = exponent.parse().expect("what follows the e is an integer");
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(5 - exponent).expect("the exponent is below six");
        return without_trailing_zeros(&format!("{value:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!(
        "{}e{sign}{:02}",
        without_trailing_zeros(digits),
        exponent.abs()
    )
}

fn without_trailing_zeros(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// An integer with commas between thousands: `1,234,567`.
pub(crate) fn grouped(value: u64) -> String {
    with_commas(&value.to_string())
}

/// Nearest integer with commas between thousands.
pub(crate) fn grouped_rounded(value: f64) -> String {
    with_commas(&rounded(value))
}

/// One decimal and commas between thousands: `1,234.5`.
pub(crate) fn grouped_tenths(value: f64) -> String {
    let text = format!("{value:.1}");
    let (whole, tenths) = text.split_once('.').expect("one decimal was asked for");
    format!("{}.{tenths}", with_commas(whole))
}

fn with_commas(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and its noun in the number it wants: `1 game`, `0 games`, `12,000 games`.
pub(crate) fn counted(count: u64, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {one}{plural}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_round_to_the_even_neighbour() {
        for (value, text) in [
            (0.5, "+0"),
            (-0.5, "+0"),
            (1.5, "+2"),
            (2.5, "+2"),
            (-2.5, "-2"),
            (190.8, "+191"),
        ] {
            assert_eq!(signed(value), text, "{value}");
        }
        assert_eq!(rounded(2.5), "2");
        // 0.0625 is exact in binary, so both of these are true ties
        assert_eq!(percent(0.000_625), "0.1%");
        assert_eq!(
            format!("{:.1} {:.1} {:.3}", 0.25, 0.75, 0.0625),
            "0.2 0.8 0.062"
        );
        // and these are not: the double lies just off the tie
        assert_eq!(bound(2.675), "2.67");
        assert_eq!(bound(-1.005), "-1.00");
    }

    #[test]
    fn hypotheses_lose_their_decimals_when_integral() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (10.0, "10"),
            (-1000.0, "-1000"),
            (0.5, "0.50"),
            (-0.001, "-0.00"),
        ] {
            assert_eq!(bound(value), text);
        }
    }

    #[test]
    fn six_significant_digits() {
        let cases = [
            (0.05, "0.05"),
            (0.123_456_789, "0.123457"),
            (1e-9, "1e-09"),
            (0.000_1, "0.0001"),
            (0.000_01, "1e-05"),
            (1_234_567.0, "1.23457e+06"),
            (999_999.5, "1e+06"),
            (123_456.0, "123456"),
            (20.0, "20"),
            (0.0, "0"),
            (-0.01, "-0.01"),
            (1e100, "1e+100"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped_tenths(1_234.25), "1,234.2");
        assert_eq!(grouped_rounded(9_047.6), "9,048");
    }

    #[test]
    fn nouns_agree_with_their_count() {
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "pair"), "0 pairs");
        assert_eq!(counted(1200, "pair"), "1,200 pairs");
    }
}
