//! Reads a value of a Redis server by byte range. The connection of the first read watches the key,
//! and each later reply says whether the key was touched since. So all reads see one state, at one
//! request each.
//! <https://redis.io/docs/latest/develop/using-commands/transactions/>

use super::connection::{Connection, Failure, SMALL};
use super::{LARGEST, RedisStore, bytes, digest, number, version};
use crate::error::{Context, Error, Kind, Result};
use crate::lock::Acquire;
use crate::source::{ByteSource, Version, reserve, wrong_length};
use crate::store::Key;
use redis::{Cmd, Value, cmd};
use std::sync::{Mutex, PoisonError};

/// How often a value may be replaced during the first read.
const ATTEMPTS: usize = 16;

/// A value, pinned when it is first read.
pub struct RedisSource<'a> {
    store: &'a RedisStore,
    key: Key,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    opened: Option<Opened>,
    /// The version being read, if known.
    version: Option<Version>,
}

/// The result of the first read.
#[derive(Default)]
struct Opened {
    length: Option<u64>,
    /// The connection that watches the key; `None`: the key is absent, or the connection was lost.
    watcher: Option<Connection>,
}

impl<'a> RedisSource<'a> {
    pub fn new(store: &'a RedisStore, key: &Key, version: Option<&Version>) -> Self {
        let state = State { opened: None, version: version.cloned() };
        RedisSource { store, key: key.clone(), state: Mutex::new(state) }
    }

    /// The value's length, and the reply to a command about it (at most `most` bytes); `None`:
    /// absent.
    fn ask(&self, command: Option<Cmd>, most: u64) -> Result<Option<(u64, Value)>> {
        let state = &mut *self.state.acquire();
        let asked = self.ask_pinned(state, command, most);
        asked.at(|| self.store.place("reading", self.key.as_str()))
    }

    fn ask_pinned(
        &self,
        state: &mut State,
        command: Option<Cmd>,
        most: u64,
    ) -> Result<Option<(u64, Value)>> {
        let replaced = || Error::new(Kind::Conflict, "the value was replaced in between");
        if let Some(opened) = &mut state.opened {
            let Some(length) = opened.length else { return Ok(None) };
            let Some(command) = &command else { return Ok(Some((length, Value::Nil))) };
            if let Some(watcher) = &mut opened.watcher {
                let commands = [command.clone(), touched()];
                match watcher.ask(&commands, most, self.store.server.until()) {
                    Ok(mut replies) => {
                        let untouched = is_untouched(replies.pop())?;
                        let reply = replies.pop().unwrap_or_default();
                        return if untouched { Ok(Some((length, reply))) } else { Err(replaced()) };
                    }
                    Err(Failure::Cut(_)) if state.version.is_some() => opened.watcher = None,
                    Err(failure) => {
                        if let Failure::Cut(_) | Failure::Broken(_) = failure {
                            opened.watcher = None;
                        }
                        return Err(failure.into_error());
                    }
                }
            }
            if state.version.is_none() {
                // without the watching connection, a change cannot be detected
                return Err(replaced());
            }
        }
        let mut commands = vec![self.on("WATCH"), self.on("EXISTS"), self.on("STRLEN")];
        if state.version.is_some() {
            commands.push(digest(&self.on_server()));
        }
        commands.extend(command);
        commands.push(touched());
        for _ in 0..ATTEMPTS {
            let (replies, mut watcher) = self
                .store
                .server
                .run(|connection, until, _| connection.ask(&commands, most, until))?;
            let mut replies = replies.into_iter().skip(1);
            let exists = number(replies.next())? > 0;
            let length = number(replies.next())?;
            let found = match &state.version {
                Some(_) if exists => Some(version(replies.next())?),
                Some(_) => replies.next().and(None),
                None => None,
            };
            let info = replies.next_back();
            if !is_untouched(info)? {
                watcher.watches = true;
                self.store.server.keep(watcher);
                continue;
            }
            if exists && found != state.version {
                watcher.watches = true;
                self.store.server.keep(watcher);
                return Err(replaced());
            }
            let length = exists.then_some(length);
            let opened = Opened { length, watcher: Some(watcher) };
            state.opened = Some(opened);
            return Ok(length.map(|length| (length, replies.next().unwrap_or_default())));
        }
        Err(Error::new(Kind::Conflict, "the value is replaced all the time"))
    }

    fn on_server(&self) -> Vec<u8> {
        self.store.on_server(self.key.as_str())
    }

    fn on(&self, name: &str) -> Cmd {
        let mut command = cmd(name);
        command.arg(self.on_server());
        command
    }

    /// The bytes `from` to `to`, both inclusive as in Redis; at most `most`.
    fn range(&self, from: i64, to: i64, most: u64) -> Result<Option<(u64, Vec<u8>)>> {
        let mut command = self.on("GETRANGE");
        command.arg(from).arg(to);
        let Some((length, part)) = self.ask(Some(command), most)? else { return Ok(None) };
        Ok(Some((length, bytes(part)?)))
    }
}

impl Drop for RedisSource<'_> {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut watcher) = state.opened.take().and_then(|opened| opened.watcher) {
            watcher.watches = true;
            self.store.server.keep(watcher);
        }
    }
}

/// A command that says whether the watched key was touched.
fn touched() -> Cmd {
    let mut command = cmd("CLIENT");
    command.arg("INFO");
    command
}

/// Parses the reply to [`touched`]: the connection's flag `d` means that it was.
fn is_untouched(info: Option<Value>) -> Result<bool> {
    let info = bytes(info.unwrap_or_default())?;
    let mut words = info.split(|byte| *byte == b' ');
    let flags = words.find_map(|word| word.strip_prefix(b"flags="));
    let flags = flags.ok_or_else(|| {
        Error::unsupported("the server does not tell the flags of a connection, as Redis 6.2 does")
    })?;
    Ok(!flags.contains(&b'd'))
}

impl ByteSource for RedisSource<'_> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(self.ask(None, 0)?.map(|(length, _)| length))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        let Some((_, value)) = self.ask(Some(self.on("GET")), LARGEST)? else { return Ok(false) };
        let value = bytes(value)?;
        reserve(out, value.len())?;
        out.extend_from_slice(&value);
        Ok(true)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let end = offset.saturating_add(out.len() as u64);
        let (Ok(from), Ok(to)) = (i64::try_from(offset), i64::try_from(end)) else {
            return Ok(match self.len()? {
                Some(length) => return Err(wrong_length(end, length)),
                None => false,
            });
        };
        if out.is_empty() {
            return match self.len()? {
                Some(length) if length < end => Err(wrong_length(end, length)),
                there => Ok(there.is_some()),
            };
        }
        let Some((length, part)) = self.range(from, to - 1, out.len() as u64)? else {
            return Ok(false);
        };
        if part.len() != out.len() {
            return Err(wrong_length(end, length));
        }
        out.copy_from_slice(&part);
        Ok(true)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        // of a value that is too long, only a part is fetched
        let end = out.len().max(1) as u64 - 1;
        let to = i64::try_from(end).unwrap_or(i64::MAX);
        let Some((length, value)) = self.range(0, to, out.len() as u64 + SMALL)? else {
            return Ok(false);
        };
        if length != out.len() as u64 || value.len() != out.len() {
            return Err(wrong_length(out.len() as u64, length));
        }
        out.copy_from_slice(&value);
        Ok(true)
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        if count == 0 {
            return self.len();
        }
        let from = i64::try_from(count).map_or(i64::MIN + 1, |count| -count);
        let Some((length, part)) = self.range(from, -1, count.min(LARGEST))? else {
            return Ok(None);
        };
        reserve(out, part.len())?;
        out.extend_from_slice(&part);
        Ok(Some(length))
    }

    fn version(&self) -> Result<Option<Version>> {
        let known = || {
            let state = self.state.acquire();
            state.opened.as_ref().and(state.version.clone())
        };
        if known().is_none() {
            let Some((_, found)) = self.ask(Some(digest(&self.on_server())), SMALL)? else {
                return Ok(None);
            };
            let found = version(Some(found))?;
            self.state.acquire().version.get_or_insert(found);
        }
        Ok(known())
    }

    fn request_cost(&self) -> u64 {
        1 << 20
    }
}
