//! Indexes a zip file: from its central directory, or, if a killed writer left none, from the local
//! headers.

use super::file::File;
use super::format::{self, CENTRAL, END, Entry, LOCAL, MAX_COMMENT, Named};
use crate::error::{Error, Kind, Result};
use crate::exec::zeroed;
use crate::store::Key;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of a zip file by key.
pub type Index = BTreeMap<String, Arc<Entry>>;

/// The contents of a zip file.
#[derive(Default)]
pub struct Contents {
    pub index: Index,
    /// The offset for the next entry, after all data worth keeping.
    pub end: u64,
    /// Whether the file ends in a central directory of these contents.
    pub complete: bool,
}

/// The most bytes per read during a search.
const WINDOW: u64 = 1 << 20;

/// Indexes `file`. [`Kind::CorruptData`]: it is not a zip file.
pub fn read(file: &File) -> Result<Contents> {
    let len = file.len();
    let near = len.min((MAX_COMMENT + END + 76) as u64);
    let mut tail = zeroed(near as usize)?;
    file.read(len - near, &mut tail)?;
    if let Some(end) = format::end(&tail, len - near, true) {
        let index = directory(file, &end)?;
        return Ok(Contents { index, end: len, complete: true });
    }
    drop(tail);
    if let Some(contents) = walk(file, Index::new(), 0)? {
        return Ok(contents);
    }
    // only a directory can skip entries without a length
    let mut from = len;
    while from > 0 {
        let start = from.saturating_sub(WINDOW);
        let mut bytes = zeroed((len.min(from + END as u64 + 76) - start) as usize)?;
        file.read(start, &mut bytes)?;
        while let Some(end) = format::end(&bytes, start, false) {
            if let Ok(index) = directory(file, &end) {
                let at = end.start;
                let mut rest = vec![0; (len - at).min((END + 76) as u64) as usize];
                file.read(at, &mut rest)?;
                // the comment of the last record may be cut off
                let after = (at + format::end_len(&rest).unwrap_or(END) as u64).min(len);
                if let Some(contents) = walk(file, index, after)? {
                    return Ok(contents);
                }
            }
            bytes.truncate((end.start - start) as usize + END - 1);
        }
        from = start;
    }
    Err(Error::corrupt(
        "it has no central directory, and its entries lack their lengths: `zip -FF` may repair it",
    ))
}

/// The entries of a central directory.
fn directory(file: &File, end: &format::End) -> Result<Index> {
    let broken = |why: &str| Error::corrupt(format!("its central directory {why}"));
    let start = end.start.checked_sub(end.directory_size);
    let start = start.ok_or_else(|| broken("would begin before the file"))?;
    // data prepended to the file shifts all offsets
    let moved = start.checked_sub(end.directory);
    let moved = moved.ok_or_else(|| broken("does not end where its end record says"))?;
    let size = usize::try_from(end.directory_size).map_err(|_| broken("is too large"))?;
    let mut bytes = Vec::new();
    crate::source::reserve(&mut bytes, size)?;
    bytes.resize(size, 0);
    file.read(start, &mut bytes)?;
    let mut index = Index::new();
    let (mut at, mut count) = (0, 0u64);
    while at < bytes.len() {
        let record = format::central(&bytes[at..])
            .filter(|record| record.len <= bytes.len() - at)
            .ok_or_else(|| broken("contains something that is not a record"))?;
        at += record.len;
        count += 1;
        let mut named = record;
        named.entry.header = named.entry.header.saturating_add(moved);
        insert(&mut index, named);
    }
    if count != end.entries {
        return Err(broken(&format!("has {count} records: expected {}", end.entries)));
    }
    Ok(index)
}

/// Skips names that are not keys, such as directories; of duplicates the last counts.
fn insert(index: &mut Index, named: Named) {
    if let Some(name) = named.name
        && Key::parse(&name).is_ok()
    {
        match named.erased {
            true => drop(index.remove(&name)),
            false => drop(index.insert(name, Arc::new(named.entry))),
        }
    }
}

/// Scans record by record as far as they are complete. `None`: an entry has no length.
fn walk(file: &File, mut index: Index, from: u64) -> Result<Option<Contents>> {
    let len = file.len();
    let mut at = from;
    // the records of an incomplete directory, and their offset
    let mut unfinished: Option<(Index, u64)> = None;
    let mut bytes = zeroed(LOCAL + 2 * MAX_COMMENT + CENTRAL + MAX_COMMENT)?;
    loop {
        let near = (len - at).min(bytes.len() as u64) as usize;
        let ahead = near.min(512);
        file.read(at, &mut bytes[..ahead])?;
        let mut seen = ahead;
        // most records are short
        if near > ahead && !is_whole(&bytes[..ahead]) {
            file.read(at, &mut bytes[..near])?;
            seen = near;
        }
        let seen = &bytes[..seen];
        if let Some(named) = format::local(seen, at) {
            unfinished = None;
            if named.entry.sizes_follow() {
                return Ok(None);
            }
            let next = (at + named.len as u64).checked_add(named.entry.compressed);
            let Some(next) = next.filter(|next| *next <= len) else { break };
            at = next;
            insert(&mut index, named);
        } else if let Some(named) = format::central(seen).filter(|named| named.len <= near) {
            let (records, _) = unfinished.get_or_insert_with(|| (Index::new(), at));
            at += named.len as u64;
            insert(records, named);
        } else if let Some(size) = format::end_len(seen).filter(|size| *size <= near) {
            // entries missing from the directory were deleted before it was written
            let (records, _) = unfinished.take().unwrap_or((Index::new(), at));
            index = records;
            at += size as u64;
        } else {
            break;
        }
        if at == len {
            break;
        }
    }
    let end = unfinished.map_or(at, |(_, start)| start);
    // the first entry itself may be cut off, if it is one of ours
    let mut start = [0; 10];
    let start = &mut start[..len.min(10) as usize];
    file.read(0, start)?;
    if end == 0 && !format::is_start_of_ours(start) {
        let message =
            "it is not a zip file: it has neither a central directory nor an entry at its start";
        return Err(Error::new(Kind::CorruptData, message));
    }
    Ok(Some(Contents { index, end, complete: false }))
}

/// Whether `bytes` holds a complete record with its variable parts.
fn is_whole(bytes: &[u8]) -> bool {
    format::local_len(bytes).is_some_and(|len| len <= bytes.len())
        || format::central(bytes).is_some_and(|named| named.len <= bytes.len())
        || format::end_len(bytes).is_some_and(|len| len <= bytes.len())
}
