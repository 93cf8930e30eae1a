//! Where requests go.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;

use super::HttpError;

/// Where a request goes: `https://…`, or `http://…` on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(pub(super) Box<Uri>);

/// Shown without what follows a question mark: signatures stand there.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, host) = (self.0.scheme_str(), self.0.authority());
        let host = host.map_or("", |authority| authority.as_str());
        write!(
            f,
            "{}://{host}{}",
            scheme.unwrap_or_default(),
            self.0.path()
        )
    }
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When the text is none, holds a user name, or is neither https nor on this machine.
    pub fn parse(text: &str) -> Result<Self, HttpError> {
        let none = || HttpError::Address(text.chars().take(200).collect());
        let uri: Uri = text.trim().parse().map_err(|_| none())?;
        let authority = uri.authority().ok_or_else(none)?;
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(none());
        }
        let address = Self(Box::new(uri));
        match address.0.scheme_str() {
            Some("https") => Ok(address),
            Some("http") if address.is_here() => Ok(address),
            Some("http") => Err(HttpError::Insecure(address)),
            Some(_) | None => Err(none()),
        }
    }

    /// The address below this one. `path` begins with a slash, and what is not ours in it was encoded by
    /// [`encoded`].
    ///
    /// # Errors
    /// When the two make no address.
    pub fn below(&self, path: &str) -> Result<Self, HttpError> {
        let base = self.to_string();
        Self::parse(&format!("{}{path}", base.trim_end_matches('/')))
    }

    /// Where a `Location` of this address leads.
    pub(super) fn redirected(&self, location: &str) -> Result<Self, HttpError> {
        let next = if location.starts_with("//") || !location.starts_with('/') {
            location.to_owned()
        } else {
            let host = self.0.authority().map_or("", |it| it.as_str());
            format!(
                "{}://{host}{location}",
                self.0.scheme_str().unwrap_or_default()
            )
        };
        let next = Self::parse(&next)?;
        if self.0.scheme_str() == Some("https") && next.0.scheme_str() != Some("https") {
            return Err(HttpError::Insecure(next));
        }
        Ok(next)
    }

    /// Whether it is a loopback address, written in digits.
    pub(super) fn is_here(&self) -> bool {
        let host = self.0.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
    }

    pub(super) fn same_origin(&self, other: &Self) -> bool {
        self.0.scheme() == other.0.scheme() && self.0.authority() == other.0.authority()
    }
}

/// A text as one step of a path or one value of a query: everything but letters, digits and `-._~` as `%XX`.
#[must_use]
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    fn refused(text: &str) -> String {
        Address::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn plain_http_is_for_this_machine_alone() {
        for text in [
            "https://example.org/a?b=c",
            "http://127.0.0.1:80/a",
            "http://[::1]:8/",
        ] {
            assert!(Address::parse(text).is_ok(), "{text}");
        }
        insta::assert_snapshot!(refused("http://example.org/a?token=b"), @"http://example.org/a is not https");
        insta::assert_snapshot!(refused("http://127.0.0.1.example.org/"), @"http://127.0.0.1.example.org/ is not https");
        insta::assert_snapshot!(refused("http://localhost/"), @"http://localhost/ is not https");
        for text in [
            "",
            "a",
            "/a",
            "ftp://a/",
            "file:///etc/passwd",
            "https://",
            "https://a b/",
            "https://a@b/",
        ] {
            assert_eq!(refused(text), format!("`{text}` is no address"));
        }
    }

    #[test]
    fn a_path_is_put_below_an_address() {
        let api = address("https://example.org/api/v3/");
        let path = format!("/repos/{}", encoded("a/../b?c#d e%"));
        assert_eq!(
            api.below(&path).unwrap().0.to_string(),
            "https://example.org/api/v3/repos/a%2F..%2Fb%3Fc%23d%20e%25"
        );
    }

    #[test]
    fn a_redirect_stays_on_https() {
        let from = address("https://example.org/a");
        let to = |location: &str| {
            from.redirected(location)
                .map(|it| it.0.to_string())
                .map_err(|it| it.to_string())
        };
        assert_eq!(to("/b?c").unwrap(), "https://example.org/b?c");
        assert_eq!(to("https://other.org/").unwrap(), "https://other.org/");
        assert_eq!(
            to("http://127.0.0.1/").unwrap_err(),
            "http://127.0.0.1/ is not https"
        );
        assert_eq!(
            to("//other.org/").unwrap_err(),
            "`//other.org/` is no address"
        );
    }
}
