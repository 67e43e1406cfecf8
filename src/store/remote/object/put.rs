//! Writes values: in one request, or as a multipart upload if too large for one.

use super::Objects;
use super::client::Clients;
use super::source::Source;
use super::transport::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::store::{Key, Precondition, Version, conflict};
use futures::{StreamExt, TryStreamExt, stream};
use http::header::HeaderValue;
use object_store::path::Path;
use object_store::{
    MultipartUpload, ObjectStoreExt, PutMode, PutOptions, PutPayload, UpdateVersion,
};

/// The part size of a multipart upload (bytes), and how many are sent at once.
const PIECE: usize = 64 << 20;
const PIECES_AT_ONCE: usize = 4;

/// A longer value is a multipart upload if it needs no condition (bytes): its parts are sent side
/// by side, and what fails is sent again alone. Not every service checks the condition of one.
const LARGE: u64 = 256 << 20;

impl Objects {
    /// Converts a precondition to object_store's put mode.
    pub(super) fn put_mode(&self, when: &Precondition) -> Result<PutMode> {
        if *when != Precondition::None && !self.dialect.conditions {
            return Err(Error::unsupported(
                "a write that depends on what is there is not possible with the option \
                 conditional_put=disabled; only whole chunks can be written then",
            ));
        }
        Ok(match when {
            Precondition::None => PutMode::Overwrite,
            Precondition::Absent => PutMode::Create,
            Precondition::Version(version) => {
                let text = || String::from_utf8(version.bytes().to_vec()).ok();
                let (e_tag, version) = match self.dialect.generations {
                    true => (None, text()),
                    false => (text(), None),
                };
                PutMode::Update(UpdateVersion { e_tag, version })
            }
        })
    }

    /// Replaces a value; returns the new version.
    pub(super) async fn put(
        &self,
        key: &Key,
        payload: PutPayload,
        when: &Precondition,
    ) -> Result<Option<Version>> {
        self.changeable()?;
        let place = || self.place(key);
        let path = self.path(key)?;
        let mode = self.put_mode(when).at(place)?;
        let size = payload.content_length();
        let size = size as u64;
        let large = size > LARGE && *when == Precondition::None;
        let (call, done) = if large || size > self.dialect.largest_put {
            if *when != Precondition::None && !self.dialect.conditional_uploads {
                let message =
                    format!("{size} bytes are too many for a write that depends on what is there");
                return Err(Error::unsupported(message)).at(place);
            }
            let condition = match when {
                Precondition::None => None,
                Precondition::Version(version) => self.condition(version),
                Precondition::Absent if self.dialect.generations => {
                    self.condition(&Version::new(b"0".iter().copied().collect()))
                }
                Precondition::Absent => {
                    Some((http::header::IF_NONE_MATCH, HeaderValue::from_static("*")))
                }
            };
            let upload = async |clients: &Clients| {
                self.upload(clients, &path, &payload).await?;
                Ok(None)
            };
            self.request(Call::on(condition), false, upload).await
        } else {
            let put = async |clients: &Clients| {
                let options = PutOptions { mode: mode.clone(), ..PutOptions::default() };
                let put = clients.store.put_opts(&path, payload.clone(), options).await?;
                Ok(self.version_of(&put.e_tag, &put.version))
            };
            self.request(Call::default(), false, put).await
        };
        match done {
            Ok(Some(version)) => Ok(version),
            // the write succeeded, but the response lacks a field that object_store requires
            Err(_) if call.succeeded() => Ok(None),
            Ok(None) if !matches!(when, Precondition::Version(_)) => {
                Err(Error::new(Kind::NotFound, "there is no such bucket")).at(place)
            }
            Err(e) if e.kind() != Kind::Conflict || *when == Precondition::None => Err(e).at(place),
            // after a retry, the response may result from the first attempt's own write
            _ if call.requests() > 1 && self.holds(key, &payload).await? => Ok(None),
            _ => Err(conflict(self, key, when)),
        }
    }

    /// Whether a key holds exactly these bytes.
    async fn holds(&self, key: &Key, payload: &PutPayload) -> Result<bool> {
        let mut value = Vec::new();
        if Source::new(self, key, None).get_all(&mut value).await?.is_none() {
            return Ok(false);
        }
        let mut rest = &value[..];
        let same = payload.iter().all(|part| {
            let same = rest.starts_with(part);
            rest = rest.get(part.len()..).unwrap_or_default();
            same
        });
        Ok(same && rest.is_empty())
    }

    /// Uploads a value too large for one request. It becomes visible only when complete.
    async fn upload(
        &self,
        clients: &Clients,
        path: &Path,
        payload: &PutPayload,
    ) -> object_store::Result<()> {
        let mut upload = clients.store.put_multipart(path).await?;
        let sent = send(&mut *upload, payload).await;
        if let Err(e) = sent {
            // the parts left on the server cost storage, but are never visible
            let _ = upload.abort().await;
            return Err(e);
        }
        Ok(())
    }
}

/// Sends the pieces of the upload, several at once, and completes it.
async fn send(upload: &mut dyn MultipartUpload, payload: &PutPayload) -> object_store::Result<()> {
    let sent = pieces(payload, PIECE).into_iter().map(|piece| upload.put_part(piece));
    // a part's number is fixed when it is begun, not when it is sent
    stream::iter(sent).buffer_unordered(PIECES_AT_ONCE).try_collect::<()>().await?;
    upload.complete().await.map(drop)
}

/// The payload in pieces of `length` bytes, which share its memory.
fn pieces(payload: &PutPayload, length: usize) -> Vec<PutPayload> {
    let mut pieces = Vec::new();
    let (mut piece, mut room) = (Vec::new(), length);
    for part in payload {
        let mut part = part.clone();
        while !part.is_empty() {
            let now = part.split_to(part.len().min(room));
            room -= now.len();
            piece.push(now);
            if room == 0 {
                pieces.push(std::mem::take(&mut piece).into_iter().collect());
                room = length;
            }
        }
    }
    if !piece.is_empty() {
        pieces.push(piece.into_iter().collect());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    #[test]
    fn pieces_share_the_memory_of_the_parts() {
        let parts = [3, 15, 0, 2, 1].map(|n| Bytes::from(vec![n as u8; n]));
        let payload: PutPayload = parts.iter().cloned().collect();
        let pieces = pieces(&payload, 10);
        let lengths: Vec<usize> = pieces.iter().map(PutPayload::content_length).collect();
        assert_eq!(lengths, [10, 10, 1]);
        assert!(pieces.iter().flatten().flatten().eq(parts.iter().flatten()));
        let within =
            |piece: &Bytes| parts.iter().any(|part| part.as_ptr_range().contains(&piece.as_ptr()));
        assert!(pieces.iter().flatten().all(within));
    }
}
