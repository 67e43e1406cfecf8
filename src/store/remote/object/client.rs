//! The clients that requests are made with, and what differs between the services.

use super::transport::Connector;
use crate::error::Result;
use async_trait::async_trait;
use object_store::list::PaginatedListStore;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::sync::Arc;

/// Makes the clients of a process, in another region than that of the options if there is one.
pub type Connect = Box<dyn Fn(&Connector, Option<&str>) -> Result<Clients> + Send + Sync>;

/// What differs between the services.
pub struct Dialect {
    /// Makes the clients.
    pub connect: Connect,
    /// Whether a version is the generation of an object; else it is its ETag.
    pub generations: bool,
    /// Whether the last bytes of an object can be asked for without knowing its length.
    pub suffixes: bool,
    /// Whether requests can be made to depend on what is there.
    pub conditions: bool,
    /// Whether a backslash in a name is not taken for a slash.
    pub backslashes: bool,
    /// Whether one request may delete many objects.
    pub bulk_deletion: bool,
    /// How many bytes one request may send.
    pub largest_put: u64,
    /// Whether an upload in pieces can be made to depend on what is there.
    pub conditional_uploads: bool,
    /// Whether the service may send us to another region.
    pub moves: bool,
}

/// What requests are made with.
pub struct Clients {
    pub store: Arc<dyn ObjectStore>,
    pub pages: Arc<dyn PaginatedListStore>,
    pub eraser: Box<dyn Eraser>,
}

/// Deletes one object, under the condition of the call that it is a part of.
#[async_trait]
pub trait Eraser: Send + Sync {
    /// In one request, tried again like any other.
    async fn erase(&self, path: &Path) -> object_store::Result<()>;
}

#[async_trait]
impl Eraser for Arc<dyn ObjectStore> {
    async fn erase(&self, path: &Path) -> object_store::Result<()> {
        self.delete(path).await
    }
}
