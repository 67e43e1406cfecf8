//! A web server on the loopback that can be told to misbehave, and that counts what it is asked.

#![allow(dead_code)] // not each of those who include this file uses all of it
#![allow(clippy::unwrap_used)] // where a test cannot go on

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What was asked.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// Percent-decoded, with its first slash.
    pub path: String,
    pub query: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// `GET /a/b bytes=0-9`.
    pub fn line(&self) -> String {
        let range = self.header("range").map(|range| format!(" {range}")).unwrap_or_default();
        format!("{} {}{range}", self.method, self.path)
    }
}

/// How an answer goes wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Fault {
    #[default]
    None,
    /// The connection ends after so many bytes of the body.
    Cut(usize),
    /// The connection ends before the answer.
    Silence,
    /// So many bytes of the body come, then none, and the connection stays.
    Stall(usize),
    /// The body never ends, and its length is not told.
    Endless,
    /// The body comes in pieces, its length is not told.
    Chunked,
}

/// What is done to an answer before it is sent.
pub type Change = fn(Reply) -> Reply;

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub fault: Fault,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Reply { status, body: body.into(), ..Reply::default() }
    }

    /// With a header in the place of one of the same name.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self
    }

    pub fn failing(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

/// After how many bytes of the body of a request the connection ends; `None`: not.
type Interrupt = dyn Fn(&Request) -> Option<usize> + Send + Sync;

/// A server; ends when it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<thread::JoinHandle<()>>,
}

struct Shared {
    answer: Box<Answer>,
    interrupt: Box<Interrupt>,
    latency: Duration,
    asked: Mutex<Vec<Request>>,
    under_way: AtomicUsize,
    most_under_way: AtomicUsize,
    ends: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Server {
    pub fn new(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Server::slow(Duration::ZERO, answer)
    }

    /// One that thinks so long about each request.
    pub fn slow(
        latency: Duration,
        answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Server::start(latency, Box::new(|_| None), Box::new(answer))
    }

    /// One that ends connections while values are sent to it.
    pub fn interrupting(
        interrupt: impl Fn(&Request) -> Option<usize> + Send + Sync + 'static,
        answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Server::start(Duration::ZERO, Box::new(interrupt), Box::new(answer))
    }

    fn start(latency: Duration, interrupt: Box<Interrupt>, answer: Box<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            answer,
            interrupt,
            latency,
            asked: Mutex::default(),
            under_way: AtomicUsize::new(0),
            most_under_way: AtomicUsize::new(0),
            ends: AtomicBool::new(false),
            open: Mutex::default(),
        });
        let of_listener = shared.clone();
        let listener = thread::spawn(move || {
            for stream in listener.incoming() {
                if of_listener.ends.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let _ = stream.set_nodelay(true);
                if let Ok(other) = stream.try_clone() {
                    of_listener.open.lock().unwrap().push(other);
                }
                let shared = of_listener.clone();
                thread::spawn(move || {
                    let _ = shared.serve(&stream);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Server { address, shared, listener: Some(listener) }
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What was asked since the last call.
    pub fn asked(&self) -> Vec<Request> {
        std::mem::take(&mut self.shared.asked.lock().unwrap())
    }

    /// The same, a line each, sorted.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.asked().iter().map(Request::line).collect();
        lines.sort();
        lines
    }

    /// How many requests were being answered at the same time, at most.
    pub fn most_under_way(&self) -> usize {
        self.shared.most_under_way.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        for stream in self.shared.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Shared {
    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut from = BufReader::new(stream);
        while let Some(mut request) = read_head(&mut from)? {
            let length = request.header("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
            let interrupted = (self.interrupt)(&request).filter(|count| *count < length);
            request.body.resize(interrupted.unwrap_or(length), 0);
            from.read_exact(&mut request.body)?;
            if interrupted.is_some() {
                self.asked.lock().unwrap().push(request);
                break;
            }
            let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_under_way.fetch_max(now, Ordering::SeqCst);
            self.asked.lock().unwrap().push(request.clone());
            thread::sleep(self.latency);
            let reply = (self.answer)(&request);
            // whoever reads the answer may look at the counts
            self.under_way.fetch_sub(1, Ordering::SeqCst);
            if !self.send(stream, &request, reply)? {
                break;
            }
        }
        Ok(())
    }

    /// Sends an answer; whether the connection goes on.
    fn send(&self, mut to: &TcpStream, request: &Request, reply: Reply) -> std::io::Result<bool> {
        if reply.fault == Fault::Silence {
            return Ok(false);
        }
        let untold = matches!(reply.fault, Fault::Endless | Fault::Chunked);
        let mut out = format!("HTTP/1.1 {} Status\r\n", reply.status);
        for (name, value) in &reply.headers {
            out += &format!("{name}: {value}\r\n");
        }
        let tells = reply.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case("content-length"));
        match untold {
            true => out += "Transfer-Encoding: chunked\r\n",
            false if tells => {}
            false => out += &format!("Content-Length: {}\r\n", reply.body.len()),
        }
        out += "\r\n";
        let mut bytes = out.into_bytes();
        if request.method == "HEAD" {
            to.write_all(&bytes)?;
            return Ok(true);
        }
        match reply.fault {
            Fault::Cut(count) => {
                bytes.extend_from_slice(&reply.body[..count.min(reply.body.len())]);
                to.write_all(&bytes)?;
                Ok(false)
            }
            Fault::Stall(count) => {
                bytes.extend_from_slice(&reply.body[..count.min(reply.body.len())]);
                to.write_all(&bytes)?;
                // until whoever asked gives up, or the server ends
                let _ = to.read(&mut [0; 1]);
                Ok(false)
            }
            Fault::Endless => {
                to.write_all(&bytes)?;
                let piece = vec![b'x'; 1 << 20];
                loop {
                    to.write_all(format!("{:x}\r\n", piece.len()).as_bytes())?;
                    to.write_all(&piece)?;
                    to.write_all(b"\r\n")?;
                }
            }
            Fault::Chunked => {
                for piece in reply.body.chunks(1000) {
                    bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
                    bytes.extend_from_slice(piece);
                    bytes.extend_from_slice(b"\r\n");
                }
                bytes.extend_from_slice(b"0\r\n\r\n");
                to.write_all(&bytes)?;
                Ok(true)
            }
            _ => {
                bytes.extend_from_slice(&reply.body);
                to.write_all(&bytes)?;
                Ok(true)
            }
        }
    }
}

/// A request without its body.
fn read_head(from: &mut BufReader<&TcpStream>) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let (path, query, body) = (decoded(path), query.into(), Vec::new());
    Ok(Some(Request { method, path, query, headers, body }))
}

fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let digits = after.get(..2).filter(|_| byte == b'%');
        match digits.and_then(|d| u8::from_str_radix(std::str::from_utf8(d).ok()?, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Files to be served, by path with its first slash, with their tags.
#[derive(Clone, Default)]
pub struct Files(Arc<Mutex<BTreeMap<String, File>>>);

type File = (Arc<[u8]>, String);

impl Files {
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let all = Files::default();
        files.iter().for_each(|(path, bytes)| all.put(path, bytes));
        all
    }

    pub fn put(&self, path: &str, bytes: &[u8]) {
        self.0.lock().unwrap().insert(path.to_owned(), (bytes.into(), etag(bytes)));
    }

    pub fn take(&self, path: &str) -> Option<File> {
        self.0.lock().unwrap().remove(path)
    }

    pub fn get(&self, path: &str) -> Option<File> {
        self.0.lock().unwrap().get(path).cloned()
    }

    pub fn paths(&self) -> Vec<String> {
        self.0.lock().unwrap().keys().cloned().collect()
    }

    /// What a well-behaved server answers to GET and HEAD.
    pub fn answer(&self, request: &Request) -> Reply {
        let Some((bytes, etag)) = self.get(&request.path) else {
            return Reply::new(404, "nothing here");
        };
        if request.header("if-match").is_some_and(|wanted| wanted != etag) {
            return Reply::new(412, "");
        }
        let tell = |reply: Reply| reply.with("ETag", &*etag).with("Accept-Ranges", "bytes");
        let len = bytes.len();
        if request.method == "HEAD" {
            return tell(Reply::new(200, "").with("Content-Length", len.to_string()));
        }
        match request.header("range").and_then(|range| span(range, len)) {
            None => tell(Reply::new(200, &bytes[..])),
            Some(None) => tell(Reply::new(416, "").with("Content-Range", format!("bytes */{len}"))),
            Some(Some((first, last))) => tell(
                Reply::new(206, &bytes[first..=last])
                    .with("Content-Range", format!("bytes {first}-{last}/{len}")),
            ),
        }
    }

    /// A page about a directory, as nginx writes it.
    pub fn page(&self, path: &str) -> Option<Reply> {
        let mut names = std::collections::BTreeSet::new();
        for file in self.paths() {
            if let Some(below) = file.strip_prefix(path) {
                names.insert(match below.split_once('/') {
                    Some((name, _)) => format!("{name}/"),
                    None => below.to_owned(),
                });
            }
        }
        let link = |name: &String| {
            let mut encoded = String::new();
            for byte in name.bytes() {
                match byte {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'/' => {
                        encoded.push(char::from(byte));
                    }
                    _ => encoded += &format!("%{byte:02x}"),
                }
            }
            format!("<a href=\"{encoded}\">a name</a>\n")
        };
        let links: String = names.iter().map(link).collect();
        let page = format!("<html><body><a href=\"../\">../</a>\n{links}</body></html>");
        let there = !names.is_empty() || path == "/";
        there.then(|| Reply::new(200, page).with("Content-Type", "text/html; charset=utf-8"))
    }
}

/// Tells one value from another.
pub fn etag(bytes: &[u8]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hash = DefaultHasher::new();
    bytes.hash(&mut hash);
    format!("\"{:016x}\"", hash.finish())
}

/// The first and last byte of a range; `Some(None)`: there is none of it.
fn span(range: &str, len: usize) -> Option<Option<(usize, usize)>> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| text.parse::<u64>().map_or(usize::MAX, |n| n as usize);
    Some(match (first, last) {
        ("", count) if len > 0 && number(count) > 0 => {
            Some((len.saturating_sub(number(count)), len - 1))
        }
        ("", _) => None,
        (first, last) => {
            let last = if last.is_empty() { len } else { number(last) };
            (number(first) < len).then(|| (number(first), last.min(len - 1)))
        }
    })
}
