//! The clients that send requests, and how the services differ.

use super::transport::Connector;
use crate::error::Result;
use async_trait::async_trait;
use object_store::list::PaginatedListStore;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::sync::Arc;

/// Makes the clients of a process, in the given region instead of the options', if any.
pub type Connect = Box<dyn Fn(&Connector, Option<&str>) -> Result<Clients> + Send + Sync>;

/// How a service differs from the others.
pub struct Dialect {
    /// Makes the clients.
    pub connect: Connect,
    /// Whether a version is an object's generation instead of its ETag.
    pub generations: bool,
    /// Whether the service supports suffix ranges.
    pub suffixes: bool,
    /// Whether requests can have preconditions.
    pub conditions: bool,
    /// Whether a backslash in a name stays distinct from a slash.
    pub backslashes: bool,
    /// Whether one request can delete many objects.
    pub bulk_deletion: bool,
    /// The largest body of one request (bytes).
    pub largest_put: u64,
    /// Whether a multipart upload can have a precondition.
    pub conditional_uploads: bool,
    /// Whether the service may redirect to another region.
    pub moves: bool,
}

/// The clients that send requests.
pub struct Clients {
    pub store: Arc<dyn ObjectStore>,
    pub pages: Arc<dyn PaginatedListStore>,
    pub eraser: Box<dyn Eraser>,
}

/// Deletes one object, under the condition of the enclosing call.
#[async_trait]
pub trait Eraser: Send + Sync {
    /// Deletes it in one request, retried like any other.
    async fn erase(&self, path: &Path) -> object_store::Result<()>;
}

#[async_trait]
impl Eraser for Arc<dyn ObjectStore> {
    async fn erase(&self, path: &Path) -> object_store::Result<()> {
        self.delete(path).await
    }
}
