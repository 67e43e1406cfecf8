//! Connections to a Redis server, and the handling of failed requests. The crate `redis` packs
//! commands and parses replies; the streams are ours, so that each request has one time limit and
//! replies are bounded.
//! <https://redis.io/docs/latest/develop/reference/protocol-spec/>

use crate::error::{Error, Kind, Result};
use crate::lock::Acquire;
use crate::store::remote::network::settings::too_slow;
use crate::store::remote::network::tls::Trust;
use crate::store::remote::network::{PerProcess, Retries, Settings};
use redis::{Cmd, ConnectionAddr, ConnectionInfo, ErrorKind, Parser, ServerErrorKind, Value, cmd};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The allowance of a reply besides its values (bytes).
pub const SMALL: u64 = 64 << 10;

/// A stream whose calls can have a time limit.
trait Stream: Read + Write + Send {
    fn limit(&self, reads: Option<Duration>, writes: Option<Duration>) -> io::Result<()>;
}

impl Stream for TcpStream {
    fn limit(&self, reads: Option<Duration>, writes: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(reads)?;
        self.set_write_timeout(writes)
    }
}

impl Stream for UnixStream {
    fn limit(&self, reads: Option<Duration>, writes: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(reads)?;
        self.set_write_timeout(writes)
    }
}

impl Stream for StreamOwned<ClientConnection, TcpStream> {
    fn limit(&self, reads: Option<Duration>, writes: Option<Duration>) -> io::Result<()> {
        self.sock.limit(reads, writes)
    }
}

/// A stream with a deadline and a limit on reply bytes.
struct Limited<'a> {
    stream: &'a mut dyn Stream,
    until: Instant,
    left: u64,
}

impl Limited<'_> {
    fn hurry(&mut self) -> io::Result<&mut dyn Stream> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.limit(Some(left), Some(left))?;
        Ok(self.stream)
    }
}

impl Read for Limited<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        if most == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count = self.hurry()?.read(&mut out[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}

impl Write for Limited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hurry()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hurry()?.flush()
    }
}

/// Why a request failed.
pub enum Failure {
    /// The server refused; the connection stays usable.
    Refused(Error),
    /// The server is temporarily unable.
    Busy(Error),
    /// The connection is lost; the request may have been executed.
    Cut(Error),
    /// The connection is unusable, and so would another be.
    Broken(Error),
}

impl Failure {
    /// The error to report.
    pub fn into_error(self) -> Error {
        match self {
            Failure::Refused(e) | Failure::Busy(e) | Failure::Cut(e) | Failure::Broken(e) => e,
        }
    }
}

/// A connection, used by one thread at a time.
pub struct Connection {
    stream: Box<dyn Stream>,
    parser: Parser,
    /// The time limit of a request.
    limit: Duration,
    /// Whether it was used before.
    kept: bool,
    /// Whether it still watches a key of an earlier user.
    pub watches: bool,
}

impl Connection {
    /// Sends commands in one pipeline and waits for all replies, which may have `most` bytes plus
    /// [`SMALL`].
    pub fn ask(
        &mut self,
        commands: &[Cmd],
        most: u64,
        until: Instant,
    ) -> Result<Vec<Value>, Failure> {
        let unwatch = std::mem::take(&mut self.watches);
        let mut stream =
            Limited { stream: &mut *self.stream, until, left: most.saturating_add(SMALL) };
        let mut packed = Vec::new();
        if unwatch {
            cmd("UNWATCH").write_packed_command(&mut packed);
        }
        commands.iter().for_each(|command| command.write_packed_command(&mut packed));
        stream
            .write_all(&packed)
            .and_then(|()| stream.flush())
            .map_err(|e| Failure::Cut(lost(&e)))?;
        drop(packed);
        let mut replies = Vec::new();
        let mut refused = None;
        for n in 0..commands.len() + usize::from(unwatch) {
            let reply = self.parser.parse_value(&mut stream).map_err(|e| match e.kind() {
                _ if until <= Instant::now() => Failure::Broken(too_slow(self.limit)),
                _ if stream.left == 0 => Failure::Broken(Error::corrupt(
                    "the server answers with far more bytes than were asked for",
                )),
                ErrorKind::Io => Failure::Cut(lost(&e)),
                _ => Failure::Broken(Error::new(
                    Kind::Io,
                    format!("what answers does not speak the protocol of Redis: {e}"),
                )),
            })?;
            match reply.extract_error() {
                Ok(reply) if n > 0 || !unwatch => replies.push(reply),
                Ok(_) => {}
                Err(e) => refused = refused.or(Some(e)),
            }
        }
        self.kept = true;
        refused.map_or(Ok(replies), |e| Err(explain(&e)))
    }
}

#[cold]
fn lost(e: &dyn std::error::Error) -> Error {
    Error::new(Kind::Io, format!("the connection is lost: {e}"))
}

/// The error for a server's refusal.
#[cold]
fn explain(e: &redis::RedisError) -> Failure {
    let kind = match (e.kind(), e.code().unwrap_or_default()) {
        (
            ErrorKind::Server(
                ServerErrorKind::BusyLoading
                | ServerErrorKind::TryAgain
                | ServerErrorKind::MasterDown
                | ServerErrorKind::ClusterDown,
            ),
            _,
        )
        | (_, "BUSY") => return Failure::Busy(Error::new(Kind::Io, e.to_string())),
        (_, "NOAUTH" | "WRONGPASS") | (ErrorKind::AuthenticationFailed, _) => {
            let words = "the server wants other credentials, in the URL or the options username \
                         and password";
            return Failure::Refused(Error::new(Kind::PermissionDenied, format!("{words}: {e}")));
        }
        (_, "NOPERM" | "READONLY") => Kind::PermissionDenied,
        (_, "WRONGTYPE") => Kind::CorruptData,
        (_, "MOVED" | "ASK" | "CROSSSLOT") => {
            let words = "the server is one of a cluster, which this store does not know its way in";
            return Failure::Refused(Error::unsupported(format!("{words}: {e}")));
        }
        _ => Kind::Io,
    };
    Failure::Refused(Error::new(kind, format!("the server refuses: {e}")))
}

/// A server and its idle connections.
pub struct Server {
    info: ConnectionInfo,
    tls: Option<Arc<ClientConfig>>,
    pub settings: Settings,
    idle: PerProcess<Mutex<Vec<Connection>>>,
    most_idle: usize,
}

impl Server {
    /// The server of a URL; makes no request yet.
    pub fn new(info: ConnectionInfo, settings: Settings, most_idle: usize) -> Result<Self> {
        let tls = match info.addr() {
            ConnectionAddr::TcpTls { .. } => Some(Trust::new(&settings, &[])?.config()?),
            _ => None,
        };
        Ok(Server { info, tls, settings, idle: PerProcess::new(), most_idle })
    }

    /// The server's address, without credentials.
    pub fn name(&self) -> String {
        let number = self.info.redis_settings().db();
        match self.info.addr() {
            ConnectionAddr::Tcp(host, port) => format!("redis://{host}:{port}/{number}"),
            ConnectionAddr::Unix(path) => format!("redis+unix://{}?db={number}", path.display()),
            ConnectionAddr::TcpTls { host, port, .. } => format!("rediss://{host}:{port}/{number}"),
            _ => "redis:".to_owned(),
        }
    }

    fn connect(&self, until: Instant) -> Result<Connection, Failure> {
        let limit = self.settings.connect_timeout;
        let until = Instant::now().checked_add(limit).map_or(until, |end| end.min(until));
        let stream = self.stream(until).map_err(|e| {
            let words = match e.kind() {
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                    format!("no connection within {limit:?} (option connect_timeout)")
                }
                _ => format!("no connection: {e}"),
            };
            let code = e.raw_os_error().unwrap_or(0);
            Failure::Cut(Error::new(Kind::Io, words).with_system_code(code))
        })?;
        let mut connection = Connection {
            stream,
            parser: Parser::new(),
            limit: self.settings.timeout,
            kept: false,
            watches: false,
        };
        let settings = self.info.redis_settings();
        let mut commands = Vec::new();
        if let Some(password) = settings.password() {
            let mut auth = cmd("AUTH");
            auth.arg(settings.username()).arg(password);
            commands.push(auth);
        }
        if settings.db() != 0 {
            let mut select = cmd("SELECT");
            select.arg(settings.db());
            commands.push(select);
        }
        if !commands.is_empty() {
            connection.ask(&commands, 0, until).map_err(|failure| match failure {
                // do not reuse a connection whose setup failed
                Failure::Refused(e) => Failure::Broken(e),
                failure => failure,
            })?;
            connection.kept = false;
        }
        Ok(connection)
    }

    fn stream(&self, until: Instant) -> io::Result<Box<dyn Stream>> {
        let (host, port) = match self.info.addr() {
            ConnectionAddr::Tcp(host, port) => (host, *port),
            ConnectionAddr::TcpTls { host, port, .. } => (host, *port),
            ConnectionAddr::Unix(path) => return Ok(Box::new(UnixStream::connect(path)?)),
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        let mut failed = io::ErrorKind::NotFound.into();
        for address in (host.as_str(), port).to_socket_addrs()? {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match TcpStream::connect_timeout(&address, left) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    let Some(config) = &self.tls else { return Ok(Box::new(stream)) };
                    let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
                    let session = ClientConnection::new(config.clone(), name);
                    let session = session.map_err(io::Error::other)?;
                    return Ok(Box::new(StreamOwned::new(session, stream)));
                }
                Err(e) => failed = e,
            }
        }
        Err(failed)
    }

    fn idle(&self) -> Result<Arc<Mutex<Vec<Connection>>>> {
        self.idle.get(|| Ok(Mutex::default()))
    }

    /// Returns a connection to the idle ones.
    pub fn keep(&self, connection: Connection) {
        if let Ok(idle) = self.idle() {
            let mut idle = idle.acquire();
            if idle.len() < self.most_idle {
                idle.push(connection);
            }
        }
    }

    /// The deadline of a request that starts now.
    pub fn until(&self) -> Instant {
        let now = Instant::now();
        let far = Duration::from_secs(1 << 30);
        now.checked_add(self.settings.timeout.min(far)).unwrap_or(now)
    }

    /// Runs `work` with exclusive use of a connection, retried where that may help. The count
    /// passed to it says how often its request may have been executed before. Also returns that
    /// connection.
    pub fn run<T>(
        &self,
        work: impl FnMut(&mut Connection, Instant, usize) -> Result<T, Failure>,
    ) -> Result<(T, Connection)> {
        self.run_retrying(self.settings.max_retries, work)
    }

    fn run_retrying<T>(
        &self,
        max_retries: usize,
        mut work: impl FnMut(&mut Connection, Instant, usize) -> Result<T, Failure>,
    ) -> Result<(T, Connection)> {
        let mut retries = Retries::new(max_retries, self.settings.timeout);
        let until = retries.end();
        let mut unsure = 0;
        loop {
            let kept = self.idle()?.acquire().pop();
            let (was_kept, connection) = match kept {
                Some(connection) => (connection.kept, Ok(connection)),
                None => (false, self.connect(until)),
            };
            let failure = match connection {
                Ok(mut connection) => match work(&mut connection, until, unsure) {
                    Ok(done) => return Ok((done, connection)),
                    Err(failure) => {
                        match &failure {
                            Failure::Refused(_) | Failure::Busy(_) => self.keep(connection),
                            Failure::Cut(_) => unsure += 1,
                            Failure::Broken(_) => {}
                        }
                        failure
                    }
                },
                Err(failure) => failure,
            };
            let late = until <= Instant::now();
            match failure {
                Failure::Cut(_) if was_kept && !late => {
                    // connections idle for as long are lost too
                    self.idle()?.acquire().clear();
                    continue;
                }
                _ if late => return Err(too_slow(self.settings.timeout)),
                Failure::Busy(e) | Failure::Cut(e) => match retries.pause(None, None) {
                    Some(pause) => std::thread::sleep(pause),
                    None => return Err(e),
                },
                failure => return Err(failure.into_error()),
            }
        }
    }

    /// The reply to one command, of at most `most` bytes plus [`SMALL`], and how often the command
    /// may have been executed before.
    pub fn one(&self, command: Cmd, most: u64) -> Result<(Value, usize)> {
        let commands = [command];
        let (reply, connection) = self.run(|connection, until, unsure| {
            let mut replies = connection.ask(&commands, most, until)?;
            Ok((replies.pop().unwrap_or_default(), unsure))
        })?;
        self.keep(connection);
        Ok(reply)
    }

    /// Checks that the server is reachable and accepts the credentials.
    pub fn greet(&self) -> Result<()> {
        let (_, connection) =
            self.run_retrying(0, |connection, until, _| connection.ask(&[cmd("PING")], 0, until))?;
        self.keep(connection);
        Ok(())
    }
}
