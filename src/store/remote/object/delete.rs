//! Deletes one value, or all below a prefix.

use super::Objects;
use super::client::Clients;
use super::list::Pages;
use super::request::Fail;
use super::transport::Call;
use crate::error::{Context, Error, Kind, Result};
use crate::store::remote::network::wait;
use crate::store::{Key, Precondition, check_prefix, conflict};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;

/// The number of deletions that fit the time limit of one request.
const DELETED_AT_ONCE: usize = 1000;

/// How often a prefix is listed again to be deleted.
const PASSES: usize = 10;

impl Objects {
    /// Deletes one value if the condition holds; returns whether it was present.
    pub(super) fn delete(&self, key: &Key, when: &Precondition) -> Result<bool> {
        self.changeable()?;
        let place = || self.place(key);
        let path = self.path(key)?;
        let conflict = || conflict(self, key, when);
        let head = wait(self.head(key)).at(place)?;
        let condition = match (when, &head) {
            (Precondition::Absent, Some(_)) | (Precondition::Version(_), None) => {
                return Err(conflict());
            }
            (_, None) => return Ok(false),
            (Precondition::Version(version), Some(head)) => {
                if head.version.as_ref() != Some(version) {
                    return Err(conflict());
                }
                self.put_mode(when).at(place)?;
                self.condition(version)
            }
            (_, Some(_)) => None,
        };
        let (call, done) = self.run(Call::on(condition), false, async |clients| {
            Ok(clients.eraser.erase(&path).await?)
        });
        match done {
            Ok(Some(())) => Ok(true),
            // absent: deleted by an earlier attempt or by another writer
            Ok(None) if *when == Precondition::None || call.requests() > 1 => Ok(true),
            Ok(None) => Err(conflict()),
            Err(e) if e.kind() == Kind::Conflict && *when != Precondition::None => Err(conflict()),
            Err(e) => Err(e).at(place),
        }
    }

    /// Deletes every value below a prefix.
    pub(super) fn delete_prefix(&self, prefix: &str) -> Result<()> {
        self.changeable()?;
        check_prefix(prefix)?;
        // some services shift later listing pages when keys are deleted, so list again
        for _ in 0..PASSES {
            let mut pages = Pages::new(self, [&self.prefix, prefix].concat(), false, None)?;
            let mut count = 0;
            while let Some(page) = pages.next()? {
                count += 1;
                let paths: Vec<Path> = page.objects.into_iter().map(|meta| meta.location).collect();
                for paths in paths.chunks(DELETED_AT_ONCE) {
                    let erased = self.run(Call::default(), true, async |clients| {
                        self.erase_all(clients, paths).await
                    });
                    erased.1.at(|| format!("deleting below {prefix:?} of {}", self.name))?;
                }
            }
            if count <= 1 {
                return Ok(());
            }
        }
        let message = "others go on writing there, or the server does not delete";
        Err(Error::new(Kind::Io, message))
            .at(|| format!("deleting below {prefix:?} of {}", self.name))
    }

    /// Deletes objects; absent ones are no error.
    async fn erase_all(&self, clients: &Clients, paths: &[Path]) -> Result<(), Fail> {
        let paths = stream::iter(paths.to_vec());
        let mut erased = match self.dialect.bulk_deletion {
            true => clients.store.delete_stream(paths.map(Ok).boxed()).map_ok(drop).boxed_local(),
            false => paths
                .map(async |path| clients.eraser.erase(&path).await)
                .buffer_unordered(self.concurrency)
                .boxed_local(),
        };
        while let Some(one) = erased.next().await {
            match one {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }
}
