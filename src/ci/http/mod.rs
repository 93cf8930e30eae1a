//! Requests over https, each with an end: to the time it takes, the bytes it brings, the redirects it follows.
//!
//! Plain http is for this machine alone (a loopback address), so that tests need no certificate. A token goes to the
//! host it is for and is dropped at the first redirect to another.

mod address;

pub use address::{Address, encoded};

use std::fmt;
use std::io::Read;
use std::time::{Duration, Instant};

use ureq::http::{Request, Response, header};
use ureq::{Agent, Body};

/// Redirects followed before a request is given up.
const REDIRECTS: u32 = 5;
/// Bytes the headers of an answer may have.
const LONGEST_HEADERS: usize = 64 * 1024;

/// A secret that says who asks. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token; `None` when the text is none: empty, or with characters no token has.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let sound = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
        sound.then(|| Self(text.to_owned()))
    }
}

/// Where a request ends whatever the other side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Time to be connected, and to wait for each next piece.
    pub silence: Duration,
    /// Time for everything, redirects included.
    pub whole: Duration,
    /// Bytes of the body.
    pub bytes: u64,
}

impl Bounds {
    /// For questions to an interface: a minute, 16 MiB.
    pub const QUESTION: Self = Self {
        silence: Duration::from_secs(20),
        whole: Duration::from_secs(60),
        bytes: 16 << 20,
    };

    /// For files: ten minutes, so many bytes.
    #[must_use]
    pub const fn file(bytes: u64) -> Self {
        Self {
            silence: Duration::from_secs(30),
            whole: Duration::from_secs(600),
            bytes,
        }
    }

    /// The same with at most so much time.
    #[must_use]
    pub fn within(self, whole: Duration) -> Self {
        Self {
            silence: self.silence.min(whole),
            whole,
            ..self
        }
    }
}

/// What a request does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask<'a> {
    /// Reads.
    Get,
    /// Makes something from a JSON text.
    Post(&'a str),
    /// Changes something by a JSON text.
    Patch(&'a str),
}

/// What came back, whatever its status.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// 200 and the like.
    pub status: u16,
    /// The body, whole.
    pub body: Vec<u8>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({}, {} bytes)", self.status, self.body.len())
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// A text that is no address.
    #[error("`{}` is no address", .0.escape_debug())]
    Address(String),
    /// An address that anybody on the way could answer for.
    #[error("{0} is not https")]
    Insecure(Address),
    /// A redirect to nowhere, or away from https.
    #[error("{from} redirects to what cannot be followed")]
    Redirect {
        /// Who redirects.
        from: Address,
        /// Why it is not followed; nothing when it names no place.
        source: Option<Box<HttpError>>,
    },
    /// A redirect that leads to a redirect, and so on.
    #[error("{0} is redirected more than {REDIRECTS} times")]
    Redirects(Address),
    /// More bytes than there should be.
    #[error("{address} gives more than {limit} bytes")]
    Large {
        /// Where.
        address: Address,
        /// Bytes it may have.
        limit: u64,
    },
    /// It took too long.
    #[error("{address} did not answer in full within {} s", limit.as_secs_f64())]
    Time {
        /// Where.
        address: Address,
        /// How long it was given.
        limit: Duration,
    },
    /// Nobody is there, or what came is broken off.
    #[error("cannot read {address}")]
    Failed {
        /// Where.
        address: Address,
        /// What went wrong.
        source: Box<ureq::Error>,
    },
}

/// Asks.
#[derive(Clone, Debug)]
pub struct Client {
    bounds: Bounds,
}

impl Client {
    /// One whose requests stay within these bounds.
    #[must_use]
    pub const fn new(bounds: Bounds) -> Self {
        Self { bounds }
    }

    /// The file at an address.
    ///
    /// # Errors
    /// When it cannot be had within the bounds. An answer that is no success is none of them.
    pub fn get(&self, address: &Address) -> Result<Answer, HttpError> {
        self.ask(&Ask::Get, address, None, "*/*")
    }

    /// Asks and reads the answer to its end. A reading request follows redirects, another does not.
    ///
    /// # Errors
    /// When there is no answer within the bounds.
    pub fn ask(
        &self,
        ask: &Ask,
        address: &Address,
        token: Option<&Token>,
        accept: &str,
    ) -> Result<Answer, HttpError> {
        let deadline = Instant::now() + self.bounds.whole;
        let mut at = address.clone();
        for _ in 0..=REDIRECTS {
            let token = token.filter(|_| at.same_origin(address));
            let response = self.send(ask, &at, token, accept, deadline)?;
            match location(&response) {
                Some(location) if *ask == Ask::Get => at = follow(&at, location)?,
                Some(_) | None => return self.read(response, at),
            }
        }
        Err(HttpError::Redirects(address.clone()))
    }

    fn send(
        &self,
        ask: &Ask,
        address: &Address,
        token: Option<&Token>,
        accept: &str,
        deadline: Instant,
    ) -> Result<Response<Body>, HttpError> {
        let request = match ask {
            Ask::Get => Request::get(&*address.0),
            Ask::Post(_) => Request::post(&*address.0),
            Ask::Patch(_) => Request::patch(&*address.0),
        };
        let mut request = request.header(header::ACCEPT, accept);
        if let Some(Token(token)) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let failed = |error| self.failed(address, error);
        let agent = self.agent(address, deadline);
        let response = match ask {
            Ask::Get => request
                .body(())
                .map_err(Into::into)
                .and_then(|it| agent.run(it)),
            Ask::Post(json) | Ask::Patch(json) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                request
                    .body(*json)
                    .map_err(Into::into)
                    .and_then(|it| agent.run(it))
            }
        };
        response.map_err(failed)
    }

    /// Each request has an agent of its own: a few requests share nothing worth keeping.
    fn agent(&self, address: &Address, deadline: Instant) -> Agent {
        let Bounds { silence, .. } = self.bounds;
        // Nought would stand for no end at all.
        let left = deadline.saturating_duration_since(Instant::now());
        let left = left.max(Duration::from_millis(1));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(LONGEST_HEADERS)
            .user_agent(concat!("mache/", env!("CARGO_PKG_VERSION")))
            .timeout_global(Some(left))
            .timeout_resolve(Some(silence))
            .timeout_connect(Some(silence))
            .timeout_per_read(Some(silence))
            .timeout_per_write(Some(silence));
        let config = if address.is_here() {
            config.proxy(None)
        } else {
            config
        };
        config.build().into()
    }

    fn read(&self, mut response: Response<Body>, address: Address) -> Result<Answer, HttpError> {
        let limit = self.bounds.bytes;
        let status = response.status().as_u16();
        let large = |address| HttpError::Large { address, limit };
        if response
            .body()
            .content_length()
            .is_some_and(|length| length > limit)
        {
            return Err(large(address));
        }
        let mut body = Vec::new();
        let reader = response.body_mut().as_reader();
        let read = reader.take(limit.saturating_add(1)).read_to_end(&mut body);
        read.map_err(|error| self.failed(&address, error.into()))?;
        if body.len() as u64 > limit {
            return Err(large(address));
        }
        Ok(Answer { status, body })
    }

    fn failed(&self, address: &Address, error: ureq::Error) -> HttpError {
        let address = address.clone();
        match error {
            ureq::Error::Timeout(_) => HttpError::Time {
                address,
                limit: self.bounds.whole,
            },
            other => HttpError::Failed {
                address,
                source: Box::new(other),
            },
        }
    }
}

/// Where an answer leads, if it is a redirect.
fn location(response: &Response<Body>) -> Option<Option<String>> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(header::LOCATION);
    Some(
        location
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned),
    )
}

fn follow(from: &Address, location: Option<String>) -> Result<Address, HttpError> {
    let redirected = location.map(|location| from.redirected(&location));
    redirected
        .transpose()
        .map_err(Some)
        .and_then(|next| next.ok_or(None))
        .map_err(|source| HttpError::Redirect {
            from: from.clone(),
            source: source.map(Box::new),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::test_server::{Reply, TestServer};

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    const SHORT: Bounds = Bounds {
        silence: Duration::from_secs(10),
        whole: Duration::from_secs(10),
        bytes: 1000,
    };

    #[test]
    fn a_token_is_never_shown_and_never_crosses_hosts() {
        let token = Token::new(" secret\n").unwrap();
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!((Token::new(""), Token::new("a\nb: c")), (None, None));
        let other = TestServer::start([("/there", Reply::text(200, "here"))]);
        let server = TestServer::start([
            ("/away", Reply::redirect(&other.address("/there"))),
            ("/home", Reply::redirect("/end")),
            ("/end", Reply::text(200, "end")),
        ]);
        let client = Client::new(SHORT);
        let ask = |path: &str| {
            client
                .ask(
                    &Ask::Get,
                    &address(&server.address(path)),
                    Some(&token),
                    "*/*",
                )
                .unwrap()
                .body
        };
        assert_eq!(ask("/away"), b"here");
        assert_eq!(ask("/home"), b"end");
        let tokens = |server: &TestServer| -> Vec<bool> {
            server
                .requests()
                .iter()
                .map(|request| request.head.contains("Bearer secret"))
                .collect()
        };
        assert_eq!(tokens(&server), [true, true, true]);
        assert_eq!(tokens(&other), [false]);
    }

    #[test]
    fn every_request_has_an_end() {
        let server = TestServer::start([
            ("/round", Reply::redirect("/round")),
            ("/nowhere", Reply::text(302, "")),
            ("/plain", Reply::redirect("http://192.0.2.1/")),
            ("/huge", Reply::text(200, &"x".repeat(1001))),
            (
                "/endless",
                Reply::text(200, &"x".repeat(1001)).without_length(),
            ),
            ("/full", Reply::text(200, &"x".repeat(1000))),
            ("/torn", Reply::text(200, "half").saying_length(800)),
            (
                "/slow",
                Reply::text(200, "slow").after(Duration::from_secs(60)),
            ),
        ]);
        let get = |path: &str, bounds: Bounds| {
            let answer = Client::new(bounds).get(&address(&server.address(path)));
            answer.map_err(|error| error.to_string().replace(&server.address(""), "SERVER"))
        };
        let failure = |path: &str| get(path, SHORT).unwrap_err();
        insta::assert_snapshot!(failure("/round"), @"SERVER/round is redirected more than 5 times");
        insta::assert_snapshot!(failure("/nowhere"), @"SERVER/nowhere redirects to what cannot be followed");
        insta::assert_snapshot!(failure("/plain"), @"SERVER/plain redirects to what cannot be followed");
        insta::assert_snapshot!(failure("/huge"), @"SERVER/huge gives more than 1000 bytes");
        insta::assert_snapshot!(failure("/endless"), @"SERVER/endless gives more than 1000 bytes");
        insta::assert_snapshot!(failure("/torn"), @"cannot read SERVER/torn");
        assert_eq!(get("/full", SHORT).unwrap().body.len(), 1000);
        let hasty = SHORT.within(Duration::from_millis(200));
        insta::assert_snapshot!(get("/slow", hasty).unwrap_err(), @"SERVER/slow did not answer in full within 0.2 s");
    }

    #[test]
    fn an_answer_of_any_status_is_an_answer() {
        let server = TestServer::start([("/no", Reply::text(403, "why"))]);
        let answer = Client::new(SHORT).ask(
            &Ask::Post("{}"),
            &address(&server.address("/no")),
            None,
            "a/b",
        );
        assert_eq!(
            answer.unwrap(),
            Answer {
                status: 403,
                body: b"why".to_vec()
            }
        );
        let [request] = &server.requests()[..] else {
            panic!("one request")
        };
        assert!(
            request.head.starts_with("POST /no HTTP/1.1\r\n"),
            "{}",
            request.head
        );
        let head = request.head.to_lowercase();
        for header in [
            "accept: a/b",
            "content-type: application/json",
            "content-length: 2",
            "user-agent: mache/",
        ] {
            assert!(head.contains(header), "{head}");
        }
        assert_eq!(request.body, "{}");
    }
}
