//! How long the job of a shard may take.

use super::Capacity;

/// Minutes that a job takes beside playing: fetching, starting and uploading.
const ASIDE: u64 = 30;
/// Minutes after which a hosted runner ends a job.
const LONGEST_JOB: u64 = 360;
/// What is left of that to play.
const LONGEST_PLAY: u64 = LONGEST_JOB - ASIDE;

/// The cap on the play of one shard, in minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayTime(u64);

/// A cap that leaves no time to play, or none to hand the games in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "max_match_minutes has to be 1 to {LONGEST_PLAY}, not {0}: a job ends after {LONGEST_JOB} minutes and needs {ASIDE} beside playing"
)]
pub struct PlayTimeError(u64);

impl PlayTime {
    /// A cap of so many minutes.
    ///
    /// # Errors
    /// When it is nought, or the job would not end in time.
    pub const fn new(minutes: u64) -> Result<Self, PlayTimeError> {
        if minutes == 0 || minutes > LONGEST_PLAY {
            return Err(PlayTimeError(minutes));
        }
        Ok(Self(minutes))
    }

    /// Minutes of play.
    #[must_use]
    pub const fn minutes(self) -> u64 {
        self.0
    }

    /// Minutes for the whole job.
    #[must_use]
    pub const fn job(self) -> u64 {
        self.0 + ASIDE
    }

    /// What to say when so many pairs will likely take one job longer than the cap.
    #[must_use]
    pub fn too_short_for(self, pairs: u64, capacity: Capacity) -> Option<String> {
        let minutes = 60.0 * capacity.job_hours(pairs as f64);
        (minutes > self.0 as f64).then(|| {
            format!(
                "{pairs} pairs will likely take a shard {minutes:.0} minutes and it is stopped after {}; what is played by then counts",
                self.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_has_half_an_hour_beside_playing() {
        let cap = PlayTime::new(150).expect("a cap");
        assert_eq!((cap.minutes(), cap.job()), (150, 180));
        assert_eq!(PlayTime::new(330).expect("the longest").job(), 360);
        for minutes in [0, 331, u64::MAX] {
            assert_eq!(PlayTime::new(minutes), Err(PlayTimeError(minutes)));
        }
        insta::assert_snapshot!(PlayTimeError(331), @"max_match_minutes has to be 1 to 330, not 331: a job ends after 360 minutes and needs 30 beside playing");
    }

    #[test]
    fn a_cap_too_short_for_the_games_is_remarked_on() {
        let capacity = Capacity::at("10+0.1".parse().expect("a clock"), 1, 2);
        let cap = PlayTime::new(60).expect("a cap");
        assert_eq!(cap.too_short_for(100, capacity), None);
        insta::assert_snapshot!(
            cap.too_short_for(250, capacity).expect("a remark"),
            @"250 pairs will likely take a shard 129 minutes and it is stopped after 60; what is played by then counts"
        );
    }
}
