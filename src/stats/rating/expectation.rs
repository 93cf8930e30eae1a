//! What a difference in rating makes of a game.

use std::f64::consts::LN_10;

/// Elo of one unit on the natural scale, on which the odds of a point are the exponential of the difference.
pub(super) const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// Half width of an interval in standard errors. By convention rounded, where 95 % is 1.959964.
pub(super) const WIDTH: f64 = 1.96;

/// Points expected from a game at this difference on the natural scale: `1 / (1 + e^−x)`.
pub(super) fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`expected`], without loss where that is all but nought.
pub(super) fn log_expected(difference: f64) -> f64 {
    if difference < -30.0 {
        difference
    } else {
        -(-difference).exp().ln_1p()
    }
}

/// How often a game is drawn when `score` points are expected of it and `level` of all games between equal engines are.
///
/// The law is Davidson's (*On extending the Bradley-Terry model to accommodate ties*, Journal of the American Statistical
/// Association 65, 1970): wins times losses over the square of draws is the same at any difference. With
/// `win = score − draw/2` and `loss = 1 − score − draw/2` it is a quadratic equation for the draws.
pub(super) fn drawn(score: f64, level: f64) -> f64 {
    if level <= 0.0 {
        return 0.0;
    }
    let product = 4.0 * score * (1.0 - score);
    let bend = (1.0 - 2.0 * level) / (level * level);
    product / (1.0 + (1.0 + product * bend).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_elo_are_worth_three_quarters() {
        let score = expected(200.0 / ELO_PER_UNIT);
        assert!((score - 0.759_746_926_647_9).abs() < 1e-12);
        assert!((log_expected(200.0 / ELO_PER_UNIT) - score.ln()).abs() < 1e-14);
        assert_eq!(log_expected(-800.0), -800.0);
    }

    #[test]
    fn draws_keep_wins_times_losses_in_proportion() {
        for level in [0.05, 0.3, 0.5, 0.8, 0.99] {
            let constant = (1.0 - level) * (1.0 - level) / (4.0 * level * level);
            for score in [0.02, 0.3, 0.5, 0.9] {
                let draw = drawn(score, level);
                let (win, loss) = (score - draw / 2.0, 1.0 - score - draw / 2.0);
                assert!(win > 0.0 && loss > 0.0 && draw > 0.0);
                assert!((win * loss / (draw * draw) / constant - 1.0).abs() < 1e-9);
            }
            assert!((drawn(0.5, level) - level).abs() < 1e-14);
        }
        assert_eq!(drawn(0.5, 0.0), 0.0);
        assert!((drawn(0.9, 1.0) - 0.2).abs() < 1e-15);
    }
}
