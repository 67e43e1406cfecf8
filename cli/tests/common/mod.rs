//! What the tests of the program share: a directory, the program in it, and a server.
#![allow(dead_code)] // each test uses some of it

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use std::{env, fs};

/// A directory of its own for a test, which is deleted with it.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let directory = env::temp_dir().join(format!("zarrc-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        Scratch(directory)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zarrc"));
        command.current_dir(&self.0).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// What a verb prints that ends with `code`.
    pub fn code(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn ok(&self, arguments: &[&str]) -> String {
        self.code(0, arguments)
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    /// The error of a verb that fails with exit code 2.
    pub fn trouble(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// A verb that reads `input`.
    pub fn feed(&self, input: &str, arguments: &[&str]) {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{arguments:?}");
    }

    pub fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.0.join(file)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file of tests/data.
pub fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A verb that serves until it is dropped.
pub struct Server {
    child: Child,
    /// The address that it printed.
    pub url: String,
}

impl Server {
    pub fn start(scratch: &Scratch, arguments: &[&str]) -> Self {
        let mut child = scratch.command(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        Server { child, url: url.trim().to_owned() }
    }

    /// Address and port.
    pub fn address(&self) -> SocketAddr {
        self.url.split('/').nth(2).unwrap().parse().unwrap()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The answer to a request: its status, its head and its body. `request` is the first line
    /// without the version, and more lines of the head.
    pub fn ask(&self, request: &str) -> (u16, String, Vec<u8>) {
        let (first, more) = request.split_once('\n').unwrap_or((request, ""));
        let host = match more.contains("Host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address()),
        };
        let more: String = more.lines().map(|line| format!("{line}\r\n")).collect();
        let head = format!("{first} HTTP/1.1\r\n{host}{more}Connection: close\r\n\r\n");
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end + 4..].to_vec())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
