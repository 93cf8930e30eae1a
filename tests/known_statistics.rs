//! Figures that others worked out for the same pairs.
//!
//! `statistics.json` holds what the Python mache 0.7.1 printed for 304 counts, with the exact likelihood ratio
//! beside each; `fishtest.json` what fishtest's statistics code gives for 160 (its commit stands in the file).

use mache::stats::{
    DrawElo, Estimate, FastchessFigures, GroupRow, Homogeneity, Model, Pentanomial, Sprt,
    Trinomial, Verdict,
};
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/tests/data/{name}.json.zst", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::File::open(&path).expect("test data is there");
    let text = zstd::decode_all(file).expect("test data is zstd");
    serde_json::from_slice(&text).expect("test data is as described here")
}

#[derive(Deserialize)]
struct Statistics {
    alpha: f64,
    beta: f64,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    counts: [u64; 5],
    pairs: u64,
    paired_score: Option<f64>,
    elo: Option<f64>,
    margin: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    los: Option<f64>,
    nelo: Option<f64>,
    nelo_margin: Option<f64>,
    bounded: String,
    modelled: bool,
    llr: Vec<Ratio>,
}

#[derive(Deserialize)]
struct Ratio {
    elo0: f64,
    elo1: f64,
    model: String,
    verdict: String,
    exact: f64,
    agrees: bool,
}

/// Within `relative` of the wanted figure, or of 1 if that is less.
#[track_caller]
fn assert_close(got: f64, want: f64, relative: f64, what: &str) {
    let far = (got - want).abs();
    assert!(
        far <= relative * want.abs().max(1.0),
        "{what}: {got:?} for {want:?}, off by {far:.1e}"
    );
}

/// Within 10⁻⁹ of the wanted figure, relative to it, or both absent.
#[track_caller]
fn assert_figure(got: Option<f64>, want: Option<f64>, what: &str) {
    match (got, want) {
        (Some(got), Some(want)) => {
            assert!(
                (got - want).abs() <= 1e-9 * want.abs(),
                "{what}: {got:?} for {want:?}"
            );
        }
        (None, None) => {}
        (got, want) => panic!("{what}: {got:?} for {want:?}"),
    }
}

fn model(name: &str) -> Model {
    match name {
        "logistic" => Model::Logistic,
        "normalized" => Model::Normalized,
        name => panic!("no model is called {name}"),
    }
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Inconclusive => "inconclusive",
    }
}

#[test]
fn estimates_are_those_of_the_reference() {
    for vector in read::<Statistics>("statistics").vectors {
        let estimate = Estimate::of(Pentanomial::new(vector.counts));
        let name = |figure: &str| format!("{figure} of {:?}", vector.counts);
        assert_eq!(estimate.pairs, vector.pairs, "{:?}", vector.counts);
        assert_figure(estimate.paired_score, vector.paired_score, &name("score"));
        assert_figure(estimate.elo, vector.elo, &name("elo"));
        assert_figure(estimate.margin, vector.margin, &name("margin"));
        assert_figure(estimate.low, vector.low, &name("low"));
        assert_figure(estimate.high, vector.high, &name("high"));
        assert_figure(estimate.los, vector.los, &name("los"));
        assert_figure(estimate.nelo, vector.nelo, &name("nelo"));
        assert_figure(
            estimate.nelo_margin,
            vector.nelo_margin,
            &name("nelo margin"),
        );
        assert_eq!(
            estimate.bounded.text(),
            vector.bounded,
            "{:?}",
            vector.counts
        );
        assert_eq!(estimate.modelled, vector.modelled, "{:?}", vector.counts);
    }
}

#[test]
fn ratios_are_exact() {
    let statistics: Statistics = read("statistics");
    for vector in &statistics.vectors {
        for ratio in &vector.llr {
            let name = format!(
                "{:?} on {} {}/{}",
                vector.counts, ratio.model, ratio.elo0, ratio.elo1
            );
            let test = Sprt::new(
                model(&ratio.model),
                ratio.elo0,
                ratio.elo1,
                statistics.alpha,
                statistics.beta,
            )
            .expect("the vectors hold valid tests");
            let llr = test
                .llr(Pentanomial::new(vector.counts))
                .expect("all counts can be fitted");
            assert_close(llr, ratio.exact, 1e-9, &name);
            if ratio.agrees {
                assert_eq!(word(test.verdict(llr)), ratio.verdict, "{name}");
            }
        }
    }
}

#[derive(Deserialize)]
struct Fishtest {
    pentanomial_cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Games {
    trinomial_cases: Vec<GamesCase>,
    raw_statistics: Vec<RawStatistics>,
    logistic_to_bayeselo: Vec<LogisticCase>,
}

#[derive(Deserialize)]
struct GamesCase {
    losses_draws_wins: [u64; 3],
    elo: f64,
    elo95: f64,
    los: f64,
    llr_logistic: Vec<FishtestRatio>,
    llr_normalized: Vec<FishtestRatio>,
    draw_elo: f64,
    llr_bayeselo_trinomial: Vec<BayesRatio>,
    logistic_bounds_of_bayeselo: Vec<BayesBound>,
}

#[derive(Deserialize)]
struct BayesRatio {
    elo0: f64,
    elo1: f64,
    llr: Option<f64>,
}

#[derive(Deserialize)]
struct BayesBound {
    bayeselo: f64,
    logistic: f64,
}

#[derive(Deserialize)]
struct LogisticCase {
    logistic_elo: f64,
    draw_ratio: f64,
    /// Null where so many draws leave no room for the score.
    bayes_elo: Option<f64>,
    draw_elo: Option<f64>,
}

#[derive(Deserialize)]
struct RawStatistics {
    losses_draws_wins: [u64; 3],
    trinomial: RawTrinomial,
}

#[derive(Deserialize)]
struct RawTrinomial {
    draw_ratio: f64,
    nelo3: f64,
}

#[derive(Deserialize)]
struct Case {
    pentanomial: [u64; 5],
    elo: f64,
    elo95: f64,
    los: f64,
    nelo: f64,
    nelo95: f64,
    llr_logistic: Vec<FishtestRatio>,
    llr_normalized: Vec<FishtestRatio>,
}

#[derive(Deserialize)]
struct FishtestRatio {
    elo0: f64,
    elo1: f64,
    llr: Option<f64>,
}

#[track_caller]
fn check_fishtest_ratio(model: Model, counts: [u64; 5], ratio: &FishtestRatio) {
    let Some(want) = ratio.llr else { return };
    let test =
        Sprt::new(model, ratio.elo0, ratio.elo1, 0.05, 0.05).expect("the cases hold valid tests");
    let llr = test
        .llr(Pentanomial::new(counts))
        .expect("all counts can be fitted");
    // Its root finder promises about 1e-5; in these cases it does much better.
    let far = (llr - want).abs();
    assert!(
        far <= 1e-8,
        "{counts:?} {model:?} {}/{}: {llr} for {want}",
        ratio.elo0,
        ratio.elo1
    );
}

#[test]
fn ratios_are_those_of_fishtest() {
    for case in read::<Fishtest>("fishtest").pentanomial_cases {
        for ratio in &case.llr_logistic {
            check_fishtest_ratio(Model::Logistic, case.pentanomial, ratio);
        }
        for ratio in &case.llr_normalized {
            check_fishtest_ratio(Model::Normalized, case.pentanomial, ratio);
        }
    }
}

/// fishtest replaces empty counts before it computes anything, so only full ones have the same figures.
#[test]
fn figures_of_full_counts_are_those_of_fishtest() {
    let mut compared = 0;
    for case in read::<Fishtest>("fishtest").pentanomial_cases {
        let pairs = Pentanomial::new(case.pentanomial);
        if case.pentanomial.contains(&0) {
            continue;
        }
        let (estimate, figures) = (Estimate::of(pairs), FastchessFigures::of(pairs, 0));
        let name = |figure: &str| format!("{figure} of {pairs}");
        for elo in [estimate.elo.expect("measured"), figures.elo] {
            assert_close(elo, case.elo, 1e-9, &name("elo"));
        }
        for nelo in [estimate.nelo.expect("measured"), figures.nelo] {
            assert_close(nelo, case.nelo, 1e-9, &name("nelo"));
        }
        for los in [estimate.los.expect("measured"), figures.los] {
            assert_close(los, case.los, 1e-9, &name("los"));
        }
        assert_close(figures.elo_error, case.elo95, 1e-9, &name("elo error"));
        let nelo_error = FastchessFigures::fishtest_nelo_error(pairs);
        assert_close(nelo_error, case.nelo95, 1e-9, &name("nelo error"));
        compared += 1;
    }
    assert_eq!(compared, 124);
}

fn llr(model: Model, hypotheses: [f64; 2], counts: [u64; 5]) -> f64 {
    let [elo0, elo1] = hypotheses;
    let test = Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("a valid test");
    test.llr(Pentanomial::new(counts))
        .expect("all counts can be fitted")
}

/// Ratios that fishtest published, to the two decimals it shows.
#[test]
fn logistic_ratios_of_published_tests() {
    #[track_caller]
    fn case(counts: [u64; 5], hypotheses: [f64; 2], want: f64) {
        let llr = llr(Model::Logistic, hypotheses, counts);
        assert!((llr - want).abs() < 0.01, "{llr} for {want}");
    }
    case([2, 3, 14, 3, 8], [0.0, 10.0], 0.44);
    case([223, 9863, 21279, 10037, 246], [0.5, 2.5], -3.07);
    case([871, 26175, 55983, 26678, 821], [0.0, 2.0], -4.98);
    case([0, 0, 100, 0, 20], [0.0, 10.0], 3.40);
}

#[test]
fn logistic_verdicts() {
    #[track_caller]
    fn case(counts: [u64; 5], want: Verdict) {
        let test = Sprt::new(Model::Logistic, 0.0, 10.0, 0.05, 0.05).expect("a valid test");
        let llr = test
            .llr(Pentanomial::new(counts))
            .expect("the logistic model always fits");
        assert_eq!(test.verdict(llr), want, "{counts:?}: {llr}");
    }
    case([0, 0, 100, 0, 5], Verdict::Inconclusive);
    case([0, 0, 100, 0, 6], Verdict::Passed);
    case([0, 0, 100, 0, 0], Verdict::Inconclusive);
    case([1, 0, 100, 0, 0], Verdict::Failed);
}

/// What fastchess gives, whose iteration stops short of the last digits.
#[test]
fn normalized_ratios_of_fastchess() {
    #[track_caller]
    fn case(counts: [u64; 5], hypotheses: [f64; 2], want: f64) {
        let llr = llr(Model::Normalized, hypotheses, counts);
        assert!((llr - want).abs() < 1e-6, "{llr} for {want}");
    }
    case([2, 3, 14, 3, 8], [0.0, 5.0], 0.194_344_971);
    case([223, 9863, 21279, 10037, 246], [0.0, 2.0], 1.096_834_254);
    case([871, 26175, 55983, 26678, 821], [0.0, 2.0], 0.804_451_473);
    case([2, 9, 36, 19, 9], [-1.0, 3.0], 0.391_779_344);
    case([100, 400, 1000, 450, 120], [0.0, 5.0], 1.574_910_820);
}

/// Worked out to 40 digits in another way: multipliers of mean and spread for each spread on a grid dense
/// towards both ends, every local maximum refined. One sided and level pairs, up to half a thousand million.
#[test]
fn ratios_in_the_corners() {
    #[track_caller]
    fn case(model: Model, counts: [u64; 5], hypotheses: [f64; 2], want: f64) {
        let llr = llr(model, hypotheses, counts);
        assert!(
            (llr - want).abs() <= 1e-12 * want.abs(),
            "{llr:?} for {want:?}"
        );
    }
    use Model::{Logistic, Normalized};
    case(
        Normalized,
        [0, 0, 0, 0, 99999999],
        [-3.0, 3.0],
        2442199.583301365,
    );
    case(
        Normalized,
        [0, 0, 0, 0, 99999999],
        [0.0, 5.0],
        2014370.1700606036,
    );
    case(
        Normalized,
        [0, 0, 0, 0, 238368],
        [0.0, 5.0],
        4801.613944494405,
    );
    case(
        Normalized,
        [978558, 0, 0, 114589, 0],
        [0.0, 5.0],
        -20634.926268697865,
    );
    case(
        Normalized,
        [0, 4, 12307, 1, 0],
        [0.0, 10.0],
        -20.670362506703636,
    );
    case(
        Normalized,
        [0, 4, 12307, 1, 0],
        [-10.0, 10.0],
        -10.507353391917658,
    );
    case(
        Normalized,
        [0, 0, 500000000, 3, 0],
        [0.0, 5.0],
        -207024.883363445,
    );
    case(
        Normalized,
        [0, 0, 500000000, 0, 0],
        [-5.0, 0.0],
        207062.4948005164,
    );
    case(
        Normalized,
        [400000000, 0, 0, 0, 300000000],
        [-100.0, 100.0],
        -79313393.67553066,
    );
    case(
        Logistic,
        [0, 0, 0, 0, 99999999],
        [-3.0, 3.0],
        1726938.8025106848,
    );
    case(
        Logistic,
        [0, 0, 0, 0, 99999999],
        [-1000.0, 1000.0],
        575646267.5035616,
    );
    case(
        Normalized,
        [3000000, 40000000, 200000000, 40400000, 3100000],
        [0.0, 2.0],
        -1417.6905450977422,
    );
    case(
        Logistic,
        [3000000, 40000000, 200000000, 40400000, 3100000],
        [0.0, 2.0],
        -33008.38190522759,
    );
    case(
        Normalized,
        [1, 0, 83064820, 14, 0],
        [0.0, 5.0],
        -34275.026982707524,
    );
    case(
        Normalized,
        [0, 115785, 0, 0, 0],
        [-100.0, 0.0],
        -24289.572273538455,
    );
    case(
        Logistic,
        [250, 0, 89, 15906, 0],
        [0.0, 1000.0],
        -66019.14794997615,
    );
    case(
        Normalized,
        [1436628, 24763764, 77689371, 33552002, 1385021],
        [-50.0, 25.0],
        5896902.389820628,
    );
    case(
        Logistic,
        [8903, 199, 0, 21603783, 21],
        [-500.0, 250.0],
        51317207.34250921,
    );
    case(
        Normalized,
        [0, 0, 139014170, 5, 34],
        [-3.0, 3.0],
        310.0984856677833,
    );
    case(
        Normalized,
        [0, 10463767, 45140787, 45718944, 0],
        [-3.0, 3.0],
        1032207.9731844494,
    );
    case(
        Normalized,
        [98294, 0, 0, 167426, 0],
        [-3.0, 1.0],
        -318.06469805727204,
    );
    case(
        Normalized,
        [11, 593, 8549, 574, 10],
        [0.0, 2.0],
        -0.7996332977857032,
    );
    case(
        Normalized,
        [0, 0, 0, 516, 1432722],
        [-100.0, 100.0],
        1136652.1353393407,
    );
    case(
        Normalized,
        [0, 9120, 0, 11310, 72364292],
        [-3.0, 3.0],
        1767543.2881496523,
    );
    case(
        Normalized,
        [21, 10, 13944, 0, 0],
        [0.0, 5.0],
        -14.90630201337505,
    );
    case(
        Normalized,
        [1, 427, 0, 1, 0],
        [-100.0, 100.0],
        -245.48541382860282,
    );
}

#[test]
fn the_normalized_ratio_of_a_long_match_is_nearly_normal() {
    let counts = [900, 3600, 16000, 3900, 1000];
    let nelo = Estimate::of(Pentanomial::new(counts))
        .nelo
        .expect("measured");
    let t = |nelo: f64| nelo * std::f64::consts::SQRT_2 * std::f64::consts::LN_10 / 800.0;
    let pairs: u64 = counts.iter().sum();
    let normal = pairs as f64 * ((t(nelo) - t(0.0)).powi(2) - (t(nelo) - t(5.0)).powi(2)) / 2.0;
    let exact = llr(Model::Normalized, [0.0, 5.0], counts);
    assert!((exact / normal - 1.0).abs() < 0.02, "{exact} for {normal}");
}

#[test]
fn the_normalized_ratio_does_not_depend_on_the_scale_of_the_scores() {
    let (wide, narrow) = ([300, 0, 0, 0, 700], [0, 300, 0, 700, 0]);
    let normalized = [wide, narrow].map(|counts| llr(Model::Normalized, [0.0, 5.0], counts));
    assert!(
        (normalized[0] - normalized[1]).abs() < 1e-4,
        "{normalized:?}"
    );
    let logistic = [wide, narrow].map(|counts| llr(Model::Logistic, [0.0, 5.0], counts));
    let quotient = logistic[0] / logistic[1];
    assert!(!(1.0 / 1.5..=1.5).contains(&quotient), "{quotient}");
}

#[test]
fn normalized_elo_of_real_matches() {
    #[track_caller]
    fn case(counts: [u64; 5], nelo: f64, margin: f64) {
        let estimate = Estimate::of(Pentanomial::new(counts));
        assert!((estimate.nelo.expect("measured") - nelo).abs() < 1e-4);
        assert!((estimate.nelo_margin.expect("measured") / margin - 1.0).abs() < 1e-4);
    }
    case([2, 3, 14, 3, 8], 83.855_453, 87.911_717);
    case([223, 9863, 21279, 10037, 246], 1.794_764, 2.359_447);
    case([871, 26175, 55983, 26678, 821], 1.219_646, 1.448_342);
    case([2, 9, 36, 19, 9], 84.892_025, 55.600_252);
}

const fn trinomial([losses, draws, wins]: [u64; 3]) -> Trinomial {
    Trinomial {
        losses,
        draws,
        wins,
    }
}

#[test]
fn figures_of_games_are_those_of_fishtest() {
    let games: Games = read("fishtest");
    for case in &games.trinomial_cases {
        let counts = case.losses_draws_wins;
        let figures = trinomial(counts).figures();
        let name = |figure: &str| format!("{figure} of {counts:?}");
        if counts.contains(&0) {
            continue;
        }
        assert_close(figures.elo, case.elo, 1e-9, &name("elo"));
        assert_close(figures.elo_error, case.elo95, 1e-9, &name("elo error"));
        assert_close(figures.los, case.los, 1e-9, &name("los"));
    }
    for raw in &games.raw_statistics {
        let figures = trinomial(raw.losses_draws_wins).figures();
        assert_close(figures.draw_ratio, raw.trinomial.draw_ratio, 1e-12, "draws");
        assert_close(figures.nelo, raw.trinomial.nelo3, 1e-9, "nelo");
    }
}

#[test]
fn ratios_of_games_are_those_of_fishtest() {
    for case in read::<Games>("fishtest").trinomial_cases {
        let games = trinomial(case.losses_draws_wins);
        let models = [
            (Model::Logistic, &case.llr_logistic),
            (Model::Normalized, &case.llr_normalized),
        ];
        for (model, ratios) in models {
            for ratio in ratios {
                let test = Sprt::new(model, ratio.elo0, ratio.elo1, 0.05, 0.05).expect("valid");
                let want = ratio.llr.expect("fishtest gave a ratio");
                // Its root finder promises 1e-5.
                assert_close(games.llr(&test), want, 1e-6, &format!("{games:?} {test:?}"));
            }
        }
    }
}

/// BayesElo as fishtest has it: bounds in BayesElo at the draw Elo of the games, and back.
#[test]
fn bayes_elo_is_that_of_fishtest() {
    let games = read::<Games>("fishtest");
    assert_eq!(games.trinomial_cases.len(), 14);
    for case in &games.trinomial_cases {
        let sample = trinomial(case.losses_draws_wins);
        let draws = DrawElo::of(sample);
        assert_close(draws.elo(), case.draw_elo, 1e-9, "draw Elo");
        for bound in &case.logistic_bounds_of_bayeselo {
            let got = draws.logistic(bound.bayeselo);
            assert_close(got, bound.logistic, 1e-9, "a bound in logistic Elo");
        }
        for ratio in &case.llr_bayeselo_trinomial {
            let model = Model::Bayesian(DrawElo::default());
            let test = Sprt::new(model, ratio.elo0, ratio.elo1, 0.05, 0.05).expect("a test");
            let got = sample.llr(&test.for_games(sample));
            let want = ratio.llr.expect("fishtest gave a ratio");
            assert_close(got, want, 1e-8, "the ratio over games");
        }
    }
    assert_eq!(games.logistic_to_bayeselo.len(), 40);
    for case in &games.logistic_to_bayeselo {
        let (Some(bayes_elo), Some(draw_elo)) = (case.bayes_elo, case.draw_elo) else {
            continue;
        };
        let score = 1.0 / (1.0 + 10_f64.powf(-case.logistic_elo / 400.0));
        let games = 1e9;
        let [losses, draws, wins] = [
            1.0 - score - case.draw_ratio / 2.0,
            case.draw_ratio,
            score - case.draw_ratio / 2.0,
        ]
        .map(|share| (share * games).round() as u64);
        let draws = DrawElo::of(trinomial([losses, draws, wins]));
        assert_close(draws.elo(), draw_elo, 1e-6, "draw Elo");
        let got = draws.logistic(bayes_elo);
        assert_close(got, case.logistic_elo, 1e-6, "logistic Elo");
    }
}

/// Over pairs a test in BayesElo is one in the logistic Elo its bounds come to.
#[test]
fn a_bayesian_test_is_a_logistic_one_at_the_draws_of_the_games() {
    for case in &read::<Games>("fishtest").trinomial_cases {
        let sample = trinomial(case.losses_draws_wins);
        let draws = DrawElo::of(sample);
        let pairs = Pentanomial::new([63, 600, 1940, 650, 83]);
        let model = Model::Bayesian(DrawElo::default());
        let bayesian = Sprt::new(model, -3.0, 5.0, 0.05, 0.05).expect("a test");
        let (low, high) = (draws.logistic(-3.0), draws.logistic(5.0));
        let logistic = Sprt::new(Model::Logistic, low, high, 0.05, 0.05).expect("a test");
        let ratio = bayesian.for_games(sample).llr(pairs).expect("it fits");
        assert_close(
            ratio,
            logistic.llr(pairs).expect("it fits"),
            1e-12,
            "the ratio over pairs",
        );
        assert_eq!(logistic.for_games(sample), logistic);
    }
}

#[derive(Deserialize)]
struct Workers {
    worker_residuals: Vec<WorkerTable>,
}

#[derive(Deserialize)]
struct WorkerTable {
    tasks: Vec<Task>,
    chi2: f64,
    dof: u64,
    p: f64,
    z_95: f64,
    z_99: f64,
    residual: BTreeMap<String, f64>,
    bad_workers: Vec<String>,
}

#[derive(Deserialize)]
struct Task {
    worker: String,
    pentanomial: [u64; 5],
}

#[test]
fn residuals_are_those_of_fishtest() {
    let tables = read::<Workers>("fishtest").worker_residuals;
    assert_eq!(tables.len(), 8);
    for table in tables {
        let mut workers: BTreeMap<String, Pentanomial> = BTreeMap::new();
        for task in table.tasks {
            *workers.entry(task.worker).or_default() += Pentanomial::new(task.pentanomial);
        }
        let groups: Vec<Pentanomial> = workers.values().copied().collect();
        let test = Homogeneity::of(&groups).expect("there are many pairs");
        assert_eq!(test.degrees, table.dof);
        assert_close(test.chi_square, table.chi2, 1e-9, "chi-square");
        assert_close(test.p, table.p, 1e-9, "p");
        assert_close(test.limit(0.05), table.z_95, 1e-9, "95 % limit");
        assert_close(test.limit(0.01), table.z_99, 1e-9, "99 % limit");
        for (worker, row) in workers.keys().zip(&test.rows) {
            match row {
                GroupRow::Own(deviation) => {
                    assert_close(deviation.residual, table.residual[worker], 1e-9, worker);
                }
                // fishtest compares no worker with few pairs.
                GroupRow::Missing => assert!(!table.residual.contains_key(worker), "{worker}"),
                GroupRow::Shared => panic!("{worker} has a row with others"),
            }
        }
        // fishtest bars a worker at p < 0.001 of the table or a residual beyond 7; the worst is ours too.
        let named = test
            .outlier
            .and_then(|outlier| workers.keys().nth(outlier.group));
        for bad in &table.bad_workers {
            assert_eq!(named, Some(bad));
        }
    }
}
