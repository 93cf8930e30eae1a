//! What an open test will still take, in one sentence.

use std::num::NonZeroU64;

use super::number::{counted, grouped_rounded, percent};
use crate::stats::{
    Design, Forecast, Model, Pentanomial, Rule, Sprt, Strength, Unfittable, settles,
};

/// What a test that is played in batches will still take, at the strength its pairs show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    batch: NonZeroU64,
    forecast: Forecast,
    settles: f64,
}

impl Expected {
    /// For a test that has counted these pairs; `None` when they show no spread to go by, or the test is one of BayesElo,
    /// which pairs alone do not tell the draw Elo of.
    ///
    /// # Errors
    /// When the test fits no such pairs.
    pub fn of(
        sprt: &Sprt,
        rule: Rule,
        pairs: Pentanomial,
        batch: NonZeroU64,
    ) -> Result<Option<Self>, Unfittable> {
        let strength = match (sprt.model(), Strength::measured(pairs)) {
            (Model::Logistic | Model::Normalized, Some(strength)) => strength,
            (Model::Bayesian(_), _) | (_, None) => return Ok(None),
        };
        let llr = sprt.llr(pairs)?;
        let design = Design {
            batch: Some(batch),
            ..Design::new(*sprt, rule)
        };
        Ok(Some(Self {
            batch,
            forecast: Forecast::from(&design, strength, llr),
            settles: settles(sprt, rule, strength, llr, batch.get()),
        }))
    }

    /// `At the measured strength 1,500 further pairs are to be expected, 90% within 3,000: about 6 batches of 250 pairs,
    /// 90% within 12. The chance that the next batch decides is 12.5%.`
    #[must_use]
    pub fn sentence(&self) -> String {
        let Forecast { played, ninety, .. } = self.forecast;
        let size = self.batch.get() as f64;
        let (mean, most) = ((played / size).round().max(1.0), (ninety / size).ceil());
        let plural = if mean == 1.0 { "" } else { "es" };
        format!(
            "At the measured strength {} further pairs are to be expected, 90% within {}: about {} batch{plural} of {}, 90% \
             within {}. The chance that the next batch decides is {}.",
            grouped_rounded(played),
            grouped_rounded(ninety),
            grouped_rounded(mean),
            counted(self.batch.get(), "pair"),
            grouped_rounded(most),
            percent(self.settles)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_test_says_what_it_will_take() {
        let sprt = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 0.05).expect("a test");
        let batch = NonZeroU64::new(250).expect("not nought");
        let pairs = Pentanomial::new([23, 26, 88, 46, 67]);
        let expected = Expected::of(&sprt, Rule::Totals, pairs, batch).expect("a ratio");
        let expected = expected.expect("a spread");
        insta::assert_snapshot!(expected.sentence(), @"At the measured strength 255 further pairs are to be expected, 90% within 250: about 1 batch of 250 pairs, 90% within 1. The chance that the next batch decides is 97.9%.");
        let same = Pentanomial::new([0, 0, 9, 0, 0]);
        assert_eq!(Expected::of(&sprt, Rule::Totals, same, batch), Ok(None));
    }
}
