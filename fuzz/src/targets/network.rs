//! A server that answers with the input: replies separated by a byte 0xFF, each sent as it is to the
//! next request, after which the connection ends; the first one follows the last. Stores across a
//! network list, read and, if they can, write with that.

use super::{check, keys, visit};
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{LazyLock, Mutex};
use zarrc::store::{Key, Mode, Options, Precondition, SharedStore, open};

/// The replies that are left of an input.
#[derive(Default)]
struct Replies {
    all: Vec<Vec<u8>>,
    next: usize,
}

static REPLIES: Mutex<Replies> = Mutex::new(Replies { all: Vec::new(), next: 0 });

/// The server of all inputs.
static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        // one connection after the other, so that replies go to requests in their order
        for stream in listener.incoming().flatten() {
            let _ = answer(&stream);
            let _ = stream.shutdown(Shutdown::Both);
        }
    });
    address
});

fn answer(mut stream: &TcpStream) -> std::io::Result<()> {
    let mut from = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while from.read_line(&mut line)? > 2 {
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    std::io::Read::read_exact(&mut from, &mut vec![0; length])?;
    let reply = {
        let mut replies = REPLIES.lock().expect("no panic before");
        replies.next += 1;
        let count = replies.all.len();
        replies.all.get((replies.next - 1) % count.max(1)).cloned()
    };
    stream.write_all(&reply.unwrap_or_default())
}

/// A store at the server, which answers with `input`.
fn store(input: &[u8], scheme: &str, mode: Mode, set: &[(&str, &str)]) -> Option<SharedStore> {
    let all = input.split(|&byte| byte == 0xFF).take(32).map(<[u8]>::to_vec).collect();
    *REPLIES.lock().expect("no panic before") = Replies { all, next: 0 };
    let (address, mut options) = (*SERVER, Options::default());
    let endpoint = format!("http://{address}");
    let settings = [("max_retries", "0"), ("timeout", "2"), ("connect_timeout", "2")];
    for (name, value) in settings.iter().chain(set) {
        let value = if *name == "endpoint" { &endpoint } else { *value };
        options.set(name, value).expect("an option");
    }
    let url = if scheme == "http" { format!("{endpoint}/x/") } else { "s3://bucket/x".into() };
    check(open(&url, mode, &options))
}

fn read(store: &SharedStore) {
    let found = keys(store);
    let named = ["zarr.json", "a/c/0"].map(str::to_owned);
    for key in named.iter().chain(found.iter().take(4)).filter_map(|key| Key::parse(key).ok()) {
        let _ = check(store.get(&key, &mut Vec::new()));
        let _ = check(store.version(&key));
        let source = store.source(&key);
        let _ = check(source.len());
        let _ = check(source.read_at(1, &mut [0; 3]));
        let _ = check(store.source(&key).read_suffix(4, &mut Vec::new()));
    }
    visit(store);
}

pub fn http(input: &[u8]) {
    if let Some(store) = store(input, "http", Mode::Read, &[]) {
        read(&store);
    }
}

pub fn s3(input: &[u8]) {
    let options = [
        ("endpoint", ""),
        ("region", "r"),
        ("access_key_id", "i"),
        ("secret_access_key", "s"),
        ("virtual_hosted_style_request", "no"),
        ("allow_http", "yes"),
    ];
    let Some(store) = store(input, "s3", Mode::ReadWrite, &options) else { return };
    read(&store);
    let key = Key::parse("a/c/0").expect("a key");
    for when in [Precondition::None, Precondition::Absent] {
        let _ = check(store.set(&key, &[b"value"], &when));
    }
    let _ = check(store.erase(&key, &Precondition::None));
    let _ = check(store.erase_prefix("a/"));
}
