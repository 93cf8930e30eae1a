//! One comment a pull request, kept up to date.

use serde::{Deserialize, Serialize};

use super::{Ask, GitHub, GitHubError, Repository, json, read};

/// Characters a comment may have.
const LONGEST: usize = 65_536;
/// Comments a page.
const PAGE: usize = 100;
/// Pages looked through for ours.
const PAGES: usize = 50;
/// What stands where a text was cut.
const CUT: &str = "\nCut here: the whole is in the summary of the run.\n";

/// What our comment is known by: a line that is not shown, with a name of its own for each match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker(String);

impl Marker {
    /// The marker of a name; `None` when that is not letters, digits, blanks and `._/-`, up to 100.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let known = |c: char| c.is_ascii_alphanumeric() || " ._/-".contains(c);
        let sound = (1..=100).contains(&name.len())
            && name.chars().all(known)
            && !name.contains("--")
            && name.trim() == name;
        sound.then(|| Self(format!("<!-- mache comment: {name} -->")))
    }
}

/// Who our comments are by: the login that our token posts under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author(pub String);

impl Default for Author {
    /// The token of a workflow.
    fn default() -> Self {
        Self("github-actions[bot]".to_owned())
    }
}

/// A comment that was made or brought up to date.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Posted {
    /// Where it can be read.
    pub html_url: String,
}

#[derive(Deserialize)]
struct Comment {
    id: u64,
    #[serde(default)]
    body: Option<String>,
    user: Option<User>,
}

#[derive(Deserialize)]
struct User {
    login: String,
}

#[derive(Serialize)]
struct Body<'a> {
    body: &'a str,
}

impl GitHub {
    /// Puts a text into our comment on a pull request, or makes that. Text beyond what a comment holds is cut at a
    /// line.
    ///
    /// # Errors
    /// When GitHub does not allow it; that needs `pull-requests: write`.
    pub fn comment(
        &self,
        repository: &Repository,
        pull: u64,
        marker: &Marker,
        author: &Author,
        text: &str,
    ) -> Result<Posted, GitHubError> {
        let body = json(&Body {
            body: &within(&format!("{}\n{text}", marker.0), LONGEST),
        });
        let (ask, path) = match self.ours(repository, pull, marker, author)? {
            Some(id) => (
                Ask::Patch(&body),
                format!("{}/issues/comments/{id}", repository.path()),
            ),
            None => (
                Ask::Post(&body),
                format!("{}/issues/{pull}/comments", repository.path()),
            ),
        };
        let answer = self.write(&ask, &path)?;
        read(&path, &answer)
    }

    /// The first comment with our marker that is by us: anybody can write the marker.
    fn ours(
        &self,
        repository: &Repository,
        pull: u64,
        marker: &Marker,
        author: &Author,
    ) -> Result<Option<u64>, GitHubError> {
        let is_ours = |comment: &&Comment| {
            let by = comment.user.as_ref().map(|user| user.login.as_str());
            let first = comment.body.as_deref().and_then(|body| body.lines().next());
            by == Some(&author.0) && first == Some(&marker.0)
        };
        for page in 1..=PAGES {
            let path = format!(
                "{}/issues/{pull}/comments?per_page={PAGE}&page={page}",
                repository.path()
            );
            let comments: Vec<Comment> = self.get(&path)?;
            if let Some(comment) = comments.iter().find(is_ours) {
                return Ok(Some(comment.id));
            }
            if comments.len() < PAGE {
                break;
            }
        }
        Ok(None)
    }
}

/// The text, or as many of its lines as fit with a word that it was cut. A code block that the cut leaves open is
/// closed.
fn within(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let (mut kept, mut used, mut fence) = (String::new(), 0, None);
    for line in text.split_inclusive('\n') {
        let open = after(fence, line);
        let closing = open.map_or(0, str::len) + 2;
        let length = line.chars().count();
        if used + length + closing + CUT.len() > longest {
            break;
        }
        kept.push_str(line);
        used += length;
        fence = open;
    }
    if let Some(fence) = fence {
        kept.push_str(fence);
        kept.push('\n');
    }
    kept + CUT
}

/// The fence of the code block that is open after a line.
fn after<'a>(fence: Option<&'a str>, line: &'a str) -> Option<&'a str> {
    let line = line.trim();
    let length = line.len() - line.trim_start_matches('`').len();
    match fence {
        None if length >= 3 => Some(&line[..length]),
        Some(open) if length >= open.len() && length == line.len() => None,
        Some(_) | None => fence,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{github, repository};
    use super::*;
    use crate::ci::test_server::{Reply, TestServer};

    const FIRST: &str = "GET /repos/owner/engine/issues/7/comments?per_page=100&page=1";
    const SECOND: &str = "GET /repos/owner/engine/issues/7/comments?per_page=100&page=2";
    const POST: &str = "POST /repos/owner/engine/issues/7/comments";

    fn entry(id: u64, login: &str, body: &str) -> serde_json::Value {
        serde_json::json!({"id": id, "body": body, "user": {"login": login}})
    }

    fn page(entries: &[serde_json::Value]) -> Reply {
        Reply::text(200, &serde_json::to_string(entries).unwrap())
    }

    fn posted(status: u16) -> Reply {
        Reply::text(status, r#"{"html_url": "https://example.org/7"}"#)
    }

    fn comment(server: &TestServer) -> Result<Posted, GitHubError> {
        let marker = Marker::new("mache").unwrap();
        github(server).comment(&repository(), 7, &marker, &Author::default(), "text\n")
    }

    #[test]
    fn a_first_comment_is_made() {
        let server = TestServer::start([(FIRST, page(&[])), (POST, posted(201))]);
        assert_eq!(comment(&server).unwrap().html_url, "https://example.org/7");
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(
            requests[1].body,
            r#"{"body":"<!-- mache comment: mache -->\ntext\n"}"#
        );
    }

    #[test]
    fn our_comment_is_brought_up_to_date_and_no_other() {
        let marked = "<!-- mache comment: mache -->\nold";
        let many: Vec<_> = (0..97).map(|id| entry(id, "someone", "hello")).collect();
        let decoys = [
            entry(100, "mallory", marked),
            entry(
                101,
                "github-actions[bot]",
                "see `<!-- mache comment: mache -->`",
            ),
            entry(
                102,
                "github-actions[bot]",
                "<!-- mache comment: mache two -->\nold",
            ),
        ];
        let server = TestServer::start([
            (FIRST, page(&[&many[..], &decoys].concat())),
            (
                SECOND,
                page(&[entry(
                    103,
                    "github-actions[bot]",
                    &marked.replace('\n', "\r\n"),
                )]),
            ),
            ("PATCH /repos/owner/engine/issues/comments/103", posted(200)),
        ]);
        comment(&server).unwrap();
        let lines: Vec<_> = server
            .requests()
            .iter()
            .map(|it| it.head.lines().next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(
            lines[2],
            "PATCH /repos/owner/engine/issues/comments/103 HTTP/1.1"
        );
    }

    #[test]
    fn a_token_that_may_not_write_is_told_so() {
        let said = r#"{"message": "Resource not accessible by integration"}"#;
        let server = TestServer::start([(FIRST, page(&[])), (POST, Reply::text(403, said))]);
        let error = comment(&server).unwrap_err().to_string();
        assert!(
            error.contains("Resource not accessible by integration; the job's permissions"),
            "{error}"
        );
    }

    #[test]
    fn a_long_text_is_cut_at_a_line_and_its_block_closed() {
        let line = "ö".repeat(99) + "\n";
        let text = format!("head\n````text\n{}", line.repeat(1000));
        let cut = within(&text, LONGEST);
        let length = cut.chars().count();
        assert!((LONGEST - 200..=LONGEST).contains(&length), "{length}");
        assert!(cut.ends_with(&format!("{line}````\n{CUT}")));
        assert_eq!(within("one\ntwo\n", 100), "one\ntwo\n");
        assert_eq!(within(&"x".repeat(200), 100), CUT);
        assert_eq!(after(Some("````"), "```\n"), Some("````"));
        assert_eq!(after(Some("```"), "````\n"), None);
    }

    #[test]
    fn names_that_would_end_a_marker_are_refused() {
        for name in ["", "a-->", "a--b", " a", "a\nb", "<b>"] {
            assert_eq!(Marker::new(name), None, "{name}");
        }
    }
}
