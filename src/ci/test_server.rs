//! A web server for tests: fixed replies by path, on this machine, in this process.

#![allow(dead_code)] // several sets of tests share it, and each uses a part

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What is answered at a path.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    location: Option<String>,
    body: Vec<u8>,
    length: Option<usize>,
    delay: Duration,
}

impl Reply {
    pub(crate) fn bytes(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self {
            status,
            location: None,
            length: Some(body.len()),
            body,
            delay: Duration::ZERO,
        }
    }

    pub(crate) fn text(status: u16, body: &str) -> Self {
        Self::bytes(status, body)
    }

    pub(crate) fn redirect(location: &str) -> Self {
        Self {
            location: Some(location.to_owned()),
            ..Self::text(302, "")
        }
    }

    /// Its end is told by the end of the connection.
    pub(crate) fn without_length(self) -> Self {
        Self {
            length: None,
            ..self
        }
    }

    /// Says that there are so many bytes, whatever comes.
    pub(crate) fn saying_length(self, length: usize) -> Self {
        Self {
            length: Some(length),
            ..self
        }
    }

    /// Comes late.
    pub(crate) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The first line and the headers.
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Answers until the test ends. A path is looked up as `METHOD path`, then as the path alone; 404 is the rest.
pub(crate) struct TestServer {
    root: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl TestServer {
    pub(crate) fn start<S: Into<String>>(replies: impl IntoIterator<Item = (S, Reply)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let root = format!("http://{}", listener.local_addr().unwrap());
        let replies: HashMap<String, Reply> = replies
            .into_iter()
            .map(|(path, reply)| (path.into(), reply))
            .collect();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (replies, kept) = (replies.clone(), Arc::clone(&kept));
                thread::spawn(move || answer(stream, &replies, &kept));
            }
        });
        Self { root, asked }
    }

    /// The address of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    pub(crate) fn requests(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, replies: &HashMap<String, Reply>, kept: &Mutex<Vec<Asked>>) {
    let Some(asked) = read(&stream) else { return };
    let line: Vec<&str> = asked.head.split_whitespace().take(2).collect();
    let reply = replies
        .get(&line.join(" "))
        .or_else(|| replies.get(line[1]))
        .cloned()
        .unwrap_or_else(|| Reply::text(404, r#"{"message": "Not Found"}"#));
    kept.lock().unwrap().push(asked);
    thread::sleep(reply.delay);
    let mut head = format!("HTTP/1.1 {} x\r\nconnection: close\r\n", reply.status);
    if let Some(location) = &reply.location {
        head.push_str(&format!("location: {location}\r\n"));
    }
    if let Some(length) = reply.length {
        head.push_str(&format!("content-length: {length}\r\n"));
    }
    head.push_str("\r\n");
    // The other side may have gone; that is what some tests are about.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(&reply.body));
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    Some(Asked { head, body })
}
