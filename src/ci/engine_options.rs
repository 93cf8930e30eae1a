//! UCI options as an input of a workflow gives them.

/// Why a text is no list of options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is no option: write Name=Value, one a line or with commas between", .0.escape_debug())]
pub struct InvalidOption(pub String);

/// The options of a text: `Name=Value`, one a line or with commas between.
///
/// A piece between commas without an equals sign belongs to the value before it, so that a value may hold commas:
/// `EvalFile=a,b.nnue` is one option, `Hash=16,Style=Bold` are two.
///
/// # Errors
/// When a line does not begin with a name and an equals sign, or holds control characters.
pub fn engine_options(text: &str) -> Result<Vec<(String, String)>, InvalidOption> {
    let mut options: Vec<(String, String)> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let before = options.len();
        for piece in line.split(',') {
            let wrong = || InvalidOption(piece.trim().to_owned());
            if piece.chars().any(char::is_control) {
                return Err(wrong());
            }
            match piece.split_once('=') {
                Some((name, value)) if !name.trim().is_empty() => {
                    options.push((name.trim().to_owned(), value.trim().to_owned()));
                }
                Some(_) => return Err(wrong()),
                None if options.len() > before => {
                    let (_, value) = options.last_mut().expect("this line began one");
                    value.push(',');
                    value.push_str(piece);
                }
                None if piece.trim().is_empty() => {}
                None => return Err(wrong()),
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, wanted: &[(&str, &str)]) {
        let read = engine_options(text).expect("options");
        let read: Vec<(&str, &str)> = read.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(read, wanted, "{text}");
    }

    #[test]
    fn one_a_line_or_with_commas_between() {
        case("", &[]);
        case(
            "Hash=16\n\n Move Overhead = 50 \n",
            &[("Hash", "16"), ("Move Overhead", "50")],
        );
        case("Hash=16, Style=Bold", &[("Hash", "16"), ("Style", "Bold")]);
        case("EvalFile=a,b.nnue", &[("EvalFile", "a,b.nnue")]);
        case(
            "Path=/a=b\nClear Hash=",
            &[("Path", "/a=b"), ("Clear Hash", "")],
        );
    }

    #[test]
    fn what_is_no_option_is_named() {
        let why = |text: &str| engine_options(text).expect_err("no option").to_string();
        insta::assert_snapshot!(why("Hash"), @"`Hash` is no option: write Name=Value, one a line or with commas between");
        insta::assert_snapshot!(why("Hash=16\nb.nnue"), @"`b.nnue` is no option: write Name=Value, one a line or with commas between");
        insta::assert_snapshot!(why("=16"), @"`=16` is no option: write Name=Value, one a line or with commas between");
        insta::assert_snapshot!(why("A=\u{1b}[31m"), @r"`A=\u{1b}[31m` is no option: write Name=Value, one a line or with commas between");
    }
}
