//! Which version of a repository a URL or the options name.

use crate::error::{Error, Result};
use crate::store::Options;
use icechunk::format::SnapshotId;
use icechunk::repository::VersionInfo;
use std::fmt;

/// A version of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    Branch(String),
    Tag(String),
    Snapshot(String),
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reference::Branch(name) => write!(f, "branch {name}"),
            Reference::Tag(name) => write!(f, "tag {name}"),
            Reference::Snapshot(id) => write!(f, "snapshot {id}"),
        }
    }
}

impl Reference {
    /// Parses what follows `icechunk:` into a version and a path.
    pub fn parse(rest: &str, options: &Options) -> Result<(Self, String)> {
        let Some(rest) = rest.strip_prefix('@') else {
            return Ok((Self::from_options(options)?, rest.to_owned()));
        };
        let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
        let reference = match name.split_once('.') {
            Some(("branch", name)) => Reference::Branch(name.to_owned()),
            Some(("tag", name)) => Reference::Tag(name.to_owned()),
            None => Reference::Snapshot(name.to_owned()),
            _ => {
                return Err(Error::invalid(format!(
                    "icechunk: @{name}: expected @branch.NAME, @tag.NAME or @SNAPSHOT"
                )));
            }
        };
        Ok((reference, path.to_owned()))
    }

    fn from_options(options: &Options) -> Result<Self> {
        let given = |name| options.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
        match (given("branch"), given("tag"), given("snapshot")) {
            (branch, None, None) => Ok(Reference::Branch(branch.unwrap_or("main".into()))),
            (None, Some(tag), None) => Ok(Reference::Tag(tag)),
            (None, None, Some(id)) => Ok(Reference::Snapshot(id)),
            _ => Err(Error::invalid("the options branch, tag and snapshot exclude each other")),
        }
    }

    pub fn version(&self) -> Result<VersionInfo> {
        Ok(match self {
            Reference::Branch(name) => VersionInfo::BranchTipRef(name.clone()),
            Reference::Tag(name) => VersionInfo::TagRef(name.clone()),
            Reference::Snapshot(id) => {
                let known = SnapshotId::try_from(id.as_str());
                VersionInfo::SnapshotId(known.map_err(|_| {
                    Error::invalid(format!("{id:?} is not a snapshot: expected 20 characters"))
                })?)
            }
        })
    }
}
