//! Whether a test goes on in a further run, and the runs it took.

use super::{Commits, RunId, Settings, Token};
use crate::openings::WholeNumber;
use crate::plan::{Shards, Stage};
use crate::stats::{Pentanomial, Verdict};

/// A test over as many runs of a workflow as it takes, seen at the end of one of them.
#[derive(Clone, Debug)]
pub struct Chain {
    stage: Stage,
    shards: Shards,
    seed: WholeNumber,
    /// Pairs counted before this run.
    prior: Pentanomial,
    /// Pairs counted before the first run.
    began: Pentanomial,
    /// Runs before this one.
    runs: Vec<RunId>,
    settings: Settings,
}

/// Why it cannot be said how a test goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// Not a plan of a match.
    #[error("the plan's `{0}` is not one that `mache ci plan-shards` writes")]
    Setting(&'static str),
    /// Counts that this run cannot have led to.
    #[error(
        "carried {carried} cannot come of this run: it began with {prior} and plays {most} pairs at most"
    )]
    Carried {
        /// As given.
        carried: Pentanomial,
        /// Of the plan.
        prior: Pentanomial,
        /// Pairs of all its batches.
        most: u64,
    },
}

/// How a test goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is decided.
    Decided(Verdict),
    /// Nobody judged it, so something broke.
    Unjudged,
    /// This run added no pair; a further one would not either.
    Nothing,
    /// It has had its runs.
    Spent,
    /// In a further run.
    Run(Box<Token>),
}

impl Chain {
    /// The test that a plan is of, which counted `prior` before the run of the plan.
    ///
    /// # Errors
    /// When the plan is not one of a match.
    pub fn of_plan(plan: &Settings, prior: Pentanomial) -> Result<Self, ChainError> {
        let number = |name: &'static str| {
            let text = plan.get(name).ok_or(ChainError::Setting(name))?;
            text.parse::<u64>().map_err(|_| ChainError::Setting(name))
        };
        let stage = Stage::from_batch(
            number("run_batches")?,
            number("max_runs")?,
            number("first_batch")?,
        );
        let (shards, pairs) = (number("shards")?, number("pairs")?);
        let games = pairs
            .checked_mul(2)
            .and_then(|games| games.checked_mul(shards))
            .ok_or(ChainError::Setting("pairs"))?;
        let seed = plan.get("seed").ok_or(ChainError::Setting("seed"))?;
        let runs = plan.get("chain_runs").unwrap_or_default();
        let runs: Option<Vec<RunId>> = runs
            .split(',')
            .filter(|run| !run.is_empty())
            .map(RunId::parse)
            .collect();
        Ok(Self {
            stage: stage.map_err(|_| ChainError::Setting("first_batch"))?,
            shards: Shards::new(games, shards).map_err(|_| ChainError::Setting("pairs"))?,
            seed: seed.parse().map_err(|_| ChainError::Setting("seed"))?,
            prior,
            began: began(plan, prior)?,
            runs: runs.ok_or(ChainError::Setting("chain_runs"))?,
            settings: Token::fixed(plan),
        })
    }

    /// Where this run stands.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Pairs of one batch.
    #[must_use]
    pub const fn batch(&self) -> u64 {
        self.shards.pairs() * self.shards.count()
    }

    /// The runs before this one, the first one first.
    #[must_use]
    pub fn runs(&self) -> &[RunId] {
        &self.runs
    }

    /// What comes after this run, which led to `carried` and `verdict`; `run` is its number and `commits` what it
    /// compared.
    ///
    /// # Errors
    /// When the counts cannot be those of this run.
    pub fn next(
        &self,
        verdict: Option<Verdict>,
        carried: Pentanomial,
        run: Option<RunId>,
        commits: Commits,
    ) -> Result<Next, ChainError> {
        let verdict = match verdict {
            None => return Ok(Next::Unjudged),
            Some(verdict) => verdict,
        };
        self.check(carried)?;
        match verdict {
            Verdict::Passed | Verdict::Failed => return Ok(Next::Decided(verdict)),
            Verdict::Inconclusive if carried == self.prior => return Ok(Next::Nothing),
            Verdict::Inconclusive => {}
        }
        let Some(next) = self.stage.next() else {
            return Ok(Next::Spent);
        };
        Ok(Next::Run(Box::new(Token {
            run: next.run(),
            max_runs: next.runs(),
            seed: self.seed.clone(),
            carried,
            began: self.began,
            runs: self.runs.iter().cloned().chain(run).collect(),
            commits,
            settings: self.settings.clone(),
        })))
    }

    fn check(&self, carried: Pentanomial) -> Result<(), ChainError> {
        let most = self.batch() * self.stage.batches();
        let counts = self.prior.counts().into_iter().zip(carried.counts());
        let grown = counts.clone().all(|(before, now)| before <= now);
        let added: u64 = counts.map(|(before, now)| now.saturating_sub(before)).sum();
        if grown && added <= most {
            return Ok(());
        }
        Err(ChainError::Carried {
            carried,
            prior: self.prior,
            most,
        })
    }
}

/// Pairs counted before the first run: what the plan says of a later one.
fn began(plan: &Settings, prior: Pentanomial) -> Result<Pentanomial, ChainError> {
    let Some(text) = plan.get("chain_began") else {
        return Ok(prior);
    };
    let counts: Option<Vec<u64>> = text.split(',').map(|count| count.parse().ok()).collect();
    let counts = counts.and_then(|counts| <[u64; 5]>::try_from(counts).ok());
    counts
        .map(Pentanomial::new)
        .ok_or(ChainError::Setting("chain_began"))
}

/// The page of a run, when server and repository are what a runner says.
#[must_use]
pub fn run_page(server: &str, repository: &str, run: &RunId) -> Option<String> {
    let plain = |part: &str, marks: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || marks.contains(c))
    };
    let host = server
        .strip_prefix("https://")
        .or_else(|| server.strip_prefix("http://"))?;
    let (owner, name) = repository.split_once('/')?;
    let sound = plain(host, ".-:") && plain(owner, ".-_") && plain(name, ".-_");
    sound.then(|| format!("{server}/{repository}/actions/runs/{}", run.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(first: u64) -> Settings {
        let mut plan = Settings::default();
        for (name, value) in [
            ("run_batches", "2"),
            ("max_runs", "3"),
            ("pairs", "10"),
            ("shards", "5"),
            ("seed", "7"),
            ("time_control", "8+0.08"),
        ] {
            plan.set(name, value);
        }
        plan.set("first_batch", first);
        plan
    }

    fn chain(first: u64) -> Chain {
        Chain::of_plan(&plan(first), Pentanomial::default()).expect("a plan")
    }

    fn next(chain: &Chain, verdict: Option<Verdict>, carried: [u64; 5]) -> Next {
        let run = RunId::parse("123");
        let carried = Pentanomial::new(carried);
        chain
            .next(verdict, carried, run, Commits::default())
            .expect("counts of this run")
    }

    #[test]
    fn only_an_inconclusive_test_with_runs_left_goes_on() {
        let counts = [1, 2, 3, 4, 5];
        let open = Some(Verdict::Inconclusive);
        for verdict in [Verdict::Passed, Verdict::Failed] {
            assert_eq!(
                next(&chain(0), Some(verdict), counts),
                Next::Decided(verdict)
            );
        }
        assert_eq!(next(&chain(0), None, [0; 5]), Next::Unjudged);
        assert_eq!(next(&chain(0), open, [0; 5]), Next::Nothing);
        assert_eq!(next(&chain(4), open, counts), Next::Spent);
        let Next::Run(token) = next(&chain(2), open, counts) else {
            panic!("a run is left");
        };
        assert_eq!((token.run(), token.carried().counts()), (2, counts));
        assert_eq!(token.runs(), [RunId::parse("123").expect("a run")]);
        assert_eq!(Token::parse(&token.json()).expect("a token"), *token);
    }

    #[test]
    fn counts_of_another_run_are_refused() {
        let refused = |carried, prior| {
            let chain = Chain::of_plan(&plan(0), Pentanomial::new(prior)).expect("a plan");
            let verdict = Some(Verdict::Inconclusive);
            let next = chain.next(verdict, Pentanomial::new(carried), None, Commits::default());
            next.expect_err("refused").to_string()
        };
        insta::assert_snapshot!(refused([0, 0, 101, 0, 0], [0; 5]), @"carried 0,0,101,0,0 cannot come of this run: it began with 0,0,0,0,0 and plays 100 pairs at most");
        refused([5, 0, 50, 0, 0], [6, 0, 0, 0, 0]);
    }

    #[test]
    fn a_plan_of_something_else_is_refused() {
        for (name, value) in [
            ("run_batches", ""),
            ("first_batch", "3"),
            ("pairs", "0"),
            ("pairs", "99999999999999999999"),
            ("shards", "18446744073709551615"),
            ("seed", "x"),
            ("chain_runs", "1,x"),
            ("chain_began", "1,2"),
        ] {
            let mut plan = plan(0);
            plan.set(name, value);
            assert!(
                Chain::of_plan(&plan, Pentanomial::default()).is_err(),
                "{name} {value}"
            );
        }
    }

    #[test]
    fn a_link_has_only_what_a_runner_says() {
        let run = RunId::parse("123").expect("a run");
        let page = run_page("https://github.com", "a/b.c", &run);
        assert_eq!(
            page.as_deref(),
            Some("https://github.com/a/b.c/actions/runs/123")
        );
        for (server, repository) in [
            ("javascript:x", "a/b"),
            ("https://x)](y", "a/b"),
            ("https://github.com", "a"),
            ("https://github.com", "a/b) [x](y"),
            ("", ""),
        ] {
            assert_eq!(run_page(server, repository, &run), None);
        }
        for text in ["", "12x", "-1", "123456789012345678901"] {
            assert_eq!(RunId::parse(text), None, "{text}");
        }
    }
}
