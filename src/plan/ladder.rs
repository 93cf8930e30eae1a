//! A ladder: opponents of known rating, each a rung that one job plays.

/// One opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    engine: String,
    tag: String,
    rating: String,
}

impl Rung {
    /// The engine, as the caller's table names it.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// The release it is built from: letters, digits, `.`, `_` and `-`.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Its rating as it was written: a number with at most one point.
    #[must_use]
    pub fn rating(&self) -> &str {
        &self.rating
    }

    /// The name it plays under: `engine-tag`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}", self.engine, self.tag)
    }
}

/// Why a text is no ladder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// Nothing in it.
    #[error("the ladder is empty: write engine:tag:rating, with commas between the rungs")]
    Empty,
    /// Not three fields.
    #[error("`{0}` in the ladder is not engine:tag:rating")]
    Fields(String),
    /// No engine of the table.
    #[error("`{engine}` in the ladder is not one of {}", known.join(", "))]
    Engine {
        /// The engine asked for.
        engine: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// A tag that could be something else, such as a path.
    #[error(
        "`{0}` in the ladder has a tag that is not a name: letters, digits, `.`, `_` and `-` make one"
    )]
    Tag(String),
    /// A rating that is no number.
    #[error("`{0}` in the ladder has a rating that is no number, such as 2875 or 2875.5")]
    Rating(String),
    /// The same opponent again.
    #[error("`{0}` is in the ladder twice")]
    Twice(String),
    /// More rungs than a matrix has jobs.
    #[error("the ladder has {0} rungs; a matrix has 256 jobs at most")]
    Many(usize),
}

/// Rungs in the order given; at least one, none twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder(Vec<Rung>);

impl Ladder {
    /// As many as a matrix may have jobs.
    pub const MOST_RUNGS: usize = super::MOST_JOBS as usize;

    /// Reads `engine:tag:rating`, with commas or line feeds between; blanks and empty entries are dropped. `known` are
    /// the engines of the caller's table.
    ///
    /// # Errors
    /// When an entry is not of that form, names an unknown engine or an opponent that was there before.
    pub fn parse(text: &str, known: &[String]) -> Result<Self, LadderError> {
        let mut rungs: Vec<Rung> = Vec::new();
        for entry in text.split([',', '\n']) {
            let entry: String = entry.chars().filter(|c| !c.is_whitespace()).collect();
            if entry.is_empty() {
                continue;
            }
            let rung = rung(&entry, known)?;
            if rungs.iter().any(|other| other.name() == rung.name()) {
                return Err(LadderError::Twice(rung.name()));
            }
            rungs.push(rung);
        }
        match rungs.len() {
            0 => Err(LadderError::Empty),
            many if many > Self::MOST_RUNGS => Err(LadderError::Many(many)),
            _ => Ok(Self(rungs)),
        }
    }

    /// The rungs, in order.
    #[must_use]
    pub fn rungs(&self) -> &[Rung] {
        &self.0
    }

    /// `engine-tag:rating` with commas between: what a fit of ratings wants.
    #[must_use]
    pub fn spec(&self) -> String {
        let entry = |rung: &Rung| format!("{}:{}", rung.name(), rung.rating);
        self.0.iter().map(entry).collect::<Vec<_>>().join(",")
    }
}

fn rung(entry: &str, known: &[String]) -> Result<Rung, LadderError> {
    let fields: Vec<&str> = entry.split(':').collect();
    let &[engine, tag, rating] = fields.as_slice() else {
        return Err(LadderError::Fields(entry.to_owned()));
    };
    if fields.iter().any(|field| field.is_empty()) {
        return Err(LadderError::Fields(entry.to_owned()));
    }
    if !known.iter().any(|name| name == engine) {
        return Err(LadderError::Engine {
            engine: engine.to_owned(),
            known: known.to_vec(),
        });
    }
    if !is_tag(tag) {
        return Err(LadderError::Tag(entry.to_owned()));
    }
    if !is_rating(rating) {
        return Err(LadderError::Rating(entry.to_owned()));
    }
    Ok(Rung {
        engine: engine.to_owned(),
        tag: tag.to_owned(),
        rating: rating.to_owned(),
    })
}

/// A name that no program takes for an option and no path for a folder above.
fn is_tag(tag: &str) -> bool {
    tag.chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && !tag.starts_with(['-', '.'])
}

fn is_rating(rating: &str) -> bool {
    rating.chars().all(|c| c.is_ascii_digit() || c == '.')
        && rating.parse::<f64>().is_ok_and(f64::is_finite)
        && rating.len() <= 9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<String> {
        ["stash", "zahak"].map(str::to_owned).to_vec()
    }

    #[track_caller]
    fn reads(text: &str, spec: &str) {
        let ladder = Ladder::parse(text, &known()).expect("a ladder");
        assert_eq!(ladder.spec(), spec, "{text}");
    }

    #[track_caller]
    fn refused(text: &str) -> String {
        Ladder::parse(text, &known())
            .expect_err("no ladder")
            .to_string()
    }

    #[test]
    fn rungs_keep_their_order() {
        reads("stash:v1:2500", "stash-v1:2500");
        reads(
            " stash:v2 :2500 , stash:v1:2400.5, ",
            "stash-v2:2500,stash-v1:2400.5",
        );
        reads(
            "stash:v1:2500\nzahak:v1.0:2700",
            "stash-v1:2500,zahak-v1.0:2700",
        );
    }

    #[test]
    fn what_is_no_ladder_is_refused() {
        insta::assert_snapshot!(refused("maia:v1:2500"), @"`maia` in the ladder is not one of stash, zahak");
        insta::assert_snapshot!(refused("stash:v1"), @"`stash:v1` in the ladder is not engine:tag:rating");
        insta::assert_snapshot!(refused("stash:v1:2500:x"), @"`stash:v1:2500:x` in the ladder is not engine:tag:rating");
        insta::assert_snapshot!(refused("stash::2500"), @"`stash::2500` in the ladder is not engine:tag:rating");
        insta::assert_snapshot!(refused("stash:v1:strong"), @"`stash:v1:strong` in the ladder has a rating that is no number, such as 2875 or 2875.5");
        insta::assert_snapshot!(refused("stash:v1/../x:2500"), @"`stash:v1/../x:2500` in the ladder has a tag that is not a name: letters, digits, `.`, `_` and `-` make one");
        insta::assert_snapshot!(refused("stash:v1:2500,stash:v1:2600"), @"`stash-v1` is in the ladder twice");
        insta::assert_snapshot!(refused(" , "), @"the ladder is empty: write engine:tag:rating, with commas between the rungs");
        for text in [
            "stash:*:2500",
            "stash:--x:1",
            "stash:..:1",
            "stash:v1:.",
            "stash:v1:1e3",
            "stash:v1:1.2.3",
        ] {
            refused(text);
        }
        let many: Vec<String> = (0..257).map(|at| format!("stash:v{at}:2500")).collect();
        insta::assert_snapshot!(refused(&many.join(",")), @"the ladder has 257 rungs; a matrix has 256 jobs at most");
    }

    #[test]
    fn an_engine_may_come_in_several_releases() {
        let ladder = Ladder::parse("stash:v1:2500,stash:v2:2600", &known()).expect("a ladder");
        let names: Vec<String> = ladder.rungs().iter().map(Rung::name).collect();
        assert_eq!(names, ["stash-v1", "stash-v2"]);
    }
}
