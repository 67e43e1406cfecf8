//! Writes values: in one request, or as a multipart upload if too large for one.

use super::Objects;
use super::client::Clients;
use super::source::Source;
use super::transport::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::store::{Key, Precondition, Version, conflict};
use http::header::HeaderValue;
use object_store::path::Path;
use object_store::{
    MultipartUpload, ObjectStoreExt, PutMode, PutOptions, PutPayload, UpdateVersion,
};

/// The part size of a multipart upload (bytes).
const PIECE: usize = 64 << 20;

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
        let (call, done) = if size as u64 > self.dialect.largest_put {
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

/// Sends the pieces of the upload and completes it.
async fn send(upload: &mut dyn MultipartUpload, payload: &PutPayload) -> object_store::Result<()> {
    let mut piece = Vec::with_capacity(PIECE);
    for mut part in payload.iter().map(|part| &part[..]) {
        while !part.is_empty() {
            let (now, later) = part.split_at(part.len().min(PIECE - piece.len()));
            piece.extend_from_slice(now);
            part = later;
            if piece.len() == PIECE {
                let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE));
                upload.put_part(full.into()).await?;
            }
        }
    }
    if !piece.is_empty() {
        upload.put_part(piece.into()).await?;
    }
    upload.complete().await.map(drop)
}
