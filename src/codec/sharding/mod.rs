//! `sharding_indexed`: a chunk that is itself a grid of smaller, separately encoded chunks, and an
//! index of their locations.
//! <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html>
//!
//! ```text
//! | inner chunk | inner chunk | …        | index, encoded |    index_location "end"
//! | index, encoded | inner chunk | inner chunk | …        |    index_location "start"
//! ```

mod index;

use super::chain::{Chain, Encoded};
use super::config::Config;
use super::{ArrayBytesCodec, ChunkSpec, Codec, InnerChunks, Len, Patch, ShardLayout};
use crate::cache::Found;
use crate::call::Call;
use crate::error::{Context, Result};
use crate::exec::{self, Block, Buffer, WORTH_SHARING};
use crate::lock::Acquire;
use crate::selection::{ChunkSlice, Pick, Region};
use crate::source::{Absent, ByteSource, Version, Want, append, is_remote, push, reserve};
use crate::strided::{Extents, View, ViewMut, fill};
use index::{Index, IndexCodec};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

struct Sharding {
    /// The shape of the inner chunks.
    inner_shape: Vec<u64>,
    /// The number of inner chunks along each dimension.
    grid: Vec<u64>,
    inner: Chain,
    index: IndexCodec,
}

pub(super) fn build(config: &Config<'_>, spec: &ChunkSpec) -> Result<Codec> {
    config.only(&["chunk_shape", "codecs", "index_codecs", "index_location"])?;
    let inner_shape =
        config.extents("chunk_shape")?.ok_or_else(|| config.missing("chunk_shape"))?;
    if inner_shape.len() != spec.shape.len()
        || !inner_shape.iter().zip(&spec.shape).all(|(&i, &n)| i > 0 && n % i == 0)
    {
        return Err(config.error(format!(
            "has inner chunks of shape {inner_shape:?}, which does not divide the shard's {:?}",
            spec.shape
        )));
    }
    let grid: Vec<u64> = spec.shape.iter().zip(&inner_shape).map(|(n, i)| n / i).collect();
    let at_start = config.word("index_location", &[("end", false), ("start", true)])?;
    let codecs = config.codecs("codecs")?.ok_or_else(|| config.missing("codecs"))?;
    let index_codecs =
        config.codecs("index_codecs")?.ok_or_else(|| config.missing("index_codecs"))?;
    let inner = ChunkSpec { shape: inner_shape.clone(), most: None, ..spec.clone() };
    Ok(Codec::ArrayBytes(Box::new(Sharding {
        inner: Chain::with(&codecs, inner, config.read_policy())
            .at(|| "codecs of the inner chunks")?,
        index: IndexCodec::new(
            &index_codecs,
            &grid,
            at_start.unwrap_or(false),
            config.read_policy(),
        )
        .at(|| "codecs of the shard index")?,
        inner_shape,
        grid,
    })))
}

/// An inner chunk: a range of its shard.
struct Part<'a> {
    shard: &'a dyn ByteSource,
    offset: u64,
    len: u64,
}

impl ByteSource for Part<'_> {
    fn len(&self) -> Result<Option<u64>> {
        Ok(Some(self.len))
    }

    fn read_all(&self, _: u64, out: &mut Vec<u8>) -> Result<bool> {
        let at = out.len();
        // the index was checked against the length of the shard, so these bytes exist
        reserve(out, self.len as usize)?;
        out.resize(at + self.len as usize, 0);
        self.shard.read_at(self.offset, &mut out[at..])
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<bool> {
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(crate::source::wrong_length(end.unwrap_or(u64::MAX), self.len));
        }
        self.shard.read_at(self.offset + offset, out)
    }

    fn read_exactly(&self, out: &mut [u8]) -> Result<bool> {
        if out.len() as u64 != self.len {
            return Err(crate::source::wrong_length(out.len() as u64, self.len));
        }
        self.shard.read_at(self.offset, out)
    }

    fn read_suffix(&self, count: u64, out: &mut Vec<u8>) -> Result<Option<u64>> {
        let count = count.min(self.len);
        let at = out.len();
        reserve(out, count as usize)?;
        out.resize(at + count as usize, 0);
        let there = self.shard.read_at(self.offset + self.len - count, &mut out[at..])?;
        Ok(there.then_some(self.len))
    }

    fn version(&self) -> Result<Option<Version>> {
        self.shard.version()
    }

    fn pin(&self, version: &Version) -> bool {
        self.shard.pin(version)
    }

    fn prefetch(&self, wants: &[Want]) -> Result<()> {
        let shifted = |want: &Want| match *want {
            Want::All(_) => Want::Range(self.offset, self.len),
            Want::Range(offset, len) => Want::Range(self.offset.saturating_add(offset), len),
            Want::Suffix(len) => Want::Range(self.offset + self.len.saturating_sub(len), len),
            Want::Head => Want::Head,
        };
        self.shard.prefetch(&wants.iter().map(shifted).collect::<Vec<_>>())
    }

    fn as_slice(&self) -> Option<&[u8]> {
        let range = self.offset as usize..(self.offset + self.len) as usize;
        self.shard.as_slice()?.get(range)
    }

    fn request_cost(&self) -> u64 {
        self.shard.request_cost()
    }
}

fn name(inner: &[u64]) -> String {
    let index: Vec<String> = inner.iter().map(u64::to_string).collect();
    format!("inner chunk {}", index.join("/"))
}

/// The approximate decoded size of a segment (bytes).
const SEGMENT: u64 = 4 << 20;

/// Consecutively encoded inner chunks: the positions of those stored, and their lengths.
struct Segment {
    bytes: Buffer,
    stored: Vec<(usize, u64)>,
}

impl Sharding {
    fn inner_count(&self) -> usize {
        self.grid.iter().product::<u64>() as usize
    }

    /// The position of an inner chunk in the index.
    fn place(&self, inner: &[u64]) -> usize {
        inner.iter().zip(&self.grid).fold(0, |n, (&i, &extent)| n * extent + i) as usize
    }

    fn inner_index(&self, mut place: usize) -> SmallVec<[u64; 4]> {
        let mut inner: SmallVec<[u64; 4]> = SmallVec::from_elem(0, self.grid.len());
        for d in (0..self.grid.len()).rev() {
            inner[d] = place as u64 % self.grid[d];
            place /= self.grid[d] as usize;
        }
        inner
    }

    /// Encodes `count` inner chunks, in segments that several threads may share; `place` gives the
    /// index position of each, in rising order. `encode` appends the inner chunk at a position;
    /// `false`: it is not stored. `expected` estimates its length, 0 if unknown.
    fn encode_inner(
        &self,
        threads: usize,
        count: usize,
        place: &(dyn Fn(usize) -> usize + Sync),
        expected: &(dyn Fn(usize) -> u64 + Sync),
        encode: &(dyn Fn(usize, &mut Vec<u8>) -> Result<bool> + Sync),
    ) -> Result<Encoded<'static>> {
        // small enough that buffers which double as they fill waste little
        let by_size = self.inner.size().saturating_mul(count as u64) / SEGMENT;
        let by_threads = if threads > 1 { threads * 4 } else { 1 };
        let segments = by_threads.max(by_size as usize).min(count);
        let mut done: Vec<Mutex<Option<Segment>>> = Vec::new();
        reserve(&mut done, segments)?;
        done.extend((0..segments).map(|_| Mutex::default()));
        exec::run(threads, segments, &|s| {
            let own = count * s / segments..count * (s + 1) / segments;
            let most = self.inner.size().saturating_mul(own.len() as u64);
            let room = own.clone().map(|n| expected(place(n))).fold(0, u64::saturating_add);
            let mut segment = Segment {
                bytes: Buffer::with_capacity(room.min(most) as usize)?,
                stored: Vec::new(),
            };
            segment
                .stored
                .try_reserve_exact(own.len())
                .map_err(|_| exec::out_of_memory(own.len() * size_of::<(usize, u64)>()))?;
            for n in own {
                let (place, before) = (place(n), segment.bytes.len());
                let stored =
                    encode(place, &mut segment.bytes).at(|| name(&self.inner_index(place)))?;
                if stored {
                    segment.stored.push((place, (segment.bytes.len() - before) as u64));
                }
            }
            *done[s].acquire() = Some(segment);
            Ok(())
        })?;
        let mut segments: Vec<Segment> = Vec::new();
        reserve(&mut segments, done.len())?;
        segments.extend(done.into_iter().filter_map(|s| s.release()));
        let index = self.index.encode(segments.iter().flat_map(|s| s.stored.iter().copied()))?;
        let Some(index) = index else {
            return Ok(Encoded::from_iter(Vec::<Buffer>::new())); // nothing is stored
        };
        let data = segments.into_iter().map(|s| s.bytes);
        Ok(match self.index.at_start {
            true => std::iter::once(index).chain(data).collect(),
            false => data.chain(std::iter::once(index)).collect(),
        })
    }

    /// Whether it selects every element of the shard.
    fn is_all(&self, pick: &Pick) -> bool {
        let shape = self.grid.iter().zip(&self.inner_shape).map(|(n, inner)| n * inner);
        let shape: SmallVec<[u64; 4]> = shape.collect();
        matches!(pick, Pick::Region(region) if region.covers(&shape))
    }

    fn threads_for(&self, elements: u64, threads: usize) -> usize {
        let bytes = elements.saturating_mul(self.inner.chunk().data_type.size() as u64);
        if bytes < WORTH_SHARING { 1 } else { threads }
    }
}

impl ArrayBytesCodec for Sharding {
    fn encoded_len(&self) -> Len {
        let index = self.index.encoded_len();
        let count = self.inner_count() as u64;
        self.inner.encoded_len().at_most(|n| n.saturating_mul(count).saturating_add(index))
    }

    /// The index. The system reads ahead by itself if inner chunks are contiguous, and announcing
    /// them gained nothing if they are not.
    fn reads_first(&self, _: Option<&Region>) -> Option<Want> {
        let index = self.index.encoded_len();
        Some(match self.index.at_start {
            true => Want::Range(0, index),
            false => Want::Suffix(index),
        })
    }

    fn decode(
        &self,
        source: &dyn ByteSource,
        region: &Region,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        self.decode_pick(source, &Pick::Region(region.clone()), dst, call)
    }

    /// Only the inner chunks touched are read, each once.
    fn decode_pick(
        &self,
        source: &dyn ByteSource,
        pick: &Pick,
        dst: ViewMut<'_>,
        call: &Call<'_>,
    ) -> Result<bool> {
        let is_remote = is_remote(source);
        // one request for a whole shard, unless that exceeds the allowed memory
        let whole = self.inner.size().saturating_mul(self.inner_count() as u64);
        if is_remote && whole <= call.memory && self.is_all(pick) {
            source.prefetch(&[Want::All(whole)])?;
        }
        let Some(index) = self.kept_index(source, call)? else { return Ok(false) };
        let threads = match is_remote && source.as_slice().is_none() {
            true => call.threads,
            false => self.threads_for(dst.len() as u64, call.threads),
        };
        let slices = pick.chunk_slices(&self.inner_shape[..])?;
        let call = Call { threads, ..*call };
        let missing = self.inner.chunk().fill_element()?;
        call.for_each_into(threads, &slices, dst, &|slice, mut dst| {
            let place = self.place(&slice.index);
            match index.get(place)? {
                None => fill(&mut dst, &missing),
                Some((offset, len)) => call.inner(place, |call| {
                    let part = Part { shard: source, offset, len };
                    self.inner.decode_pick(&part, &slice.pick, dst, call).map(|_| ())
                }),
            }
            .at(|| name(&slice.index))
        })?;
        Ok(true)
    }

    fn encode<'a>(&self, src: &View<'a>, call: &Call<'_>) -> Result<Encoded<'a>> {
        let threads = self.threads_for(src.len() as u64, call.threads);
        let inner: Extents = self.inner_shape.iter().map(|&n| n as usize).collect();
        self.index.check_new()?;
        self.encode_inner(threads, self.inner_count(), &|n| n, &|_| 0, &|place, out| {
            let start = self.inner_index(place);
            let start: Extents = start.iter().zip(&inner).map(|(&i, &n)| i as usize * n).collect();
            self.inner.encode_append(&src.slice(&start, &inner)?, out, call)
        })
    }

    fn update(
        &self,
        old: &dyn ByteSource,
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Option<Result<Encoded<'static>>> {
        Some(self.update_inner(old, patch, call))
    }

    fn inner_shape(&self) -> Option<&[u64]> {
        Some(&self.inner_shape)
    }

    fn encode_inner(&self, patch: &Patch<'_>, call: &Call<'_>) -> Result<Option<InnerChunks>> {
        let slices = patch.pick.chunk_slices(&self.inner_shape[..])?;
        let is_covered = |slice: &ChunkSlice| match &slice.pick {
            Pick::Region(region) => region.covers(&self.inner_shape),
            _ => false,
        };
        if !patch.is_whole(self.inner.chunk().data_type.size())
            || !slices.iter().all(|c| c.is_ok_and(|c| is_covered(&c)))
        {
            return Ok(None);
        }
        let threads = self.threads_for(patch.src.len() as u64, call.threads);
        let encoded = Mutex::new(InnerChunks::new());
        call.for_each(threads, &slices, &|slice| {
            let Some((start, count)) = slice.place.as_box() else { return Ok(()) };
            let mut out = Buffer::with_capacity(0)?;
            let src = patch.src.slice(&start, &count)?;
            let stored = self.inner.encode_append(&src, &mut out, call);
            let stored = stored.at(|| name(&slice.index))?;
            // a buffer may be much larger than its contents
            let mut kept = Vec::new();
            reserve(&mut kept, out.len())?;
            kept.extend_from_slice(&out);
            let kept = stored.then(|| kept.into_boxed_slice());
            let mut encoded = encoded.acquire();
            encoded.insert(self.place(&slice.index), kept);
            Ok(())
        })?;
        Ok(Some(encoded.release()))
    }

    fn join_inner<'a>(
        &self,
        old: &dyn ByteSource,
        inner: &'a InnerChunks,
    ) -> Option<Result<Encoded<'a>>> {
        Some(self.join(old, inner))
    }

    fn layout(&self, shard: &dyn ByteSource) -> Result<Option<ShardLayout>> {
        let Some(index) = self.index.read(shard)? else { return Ok(None) };
        let (len, size) = (index.shard_len(), self.index.encoded_len());
        let start = if self.index.at_start { 0 } else { len.saturating_sub(size) };
        let mut parts = Vec::new();
        for place in index.stored() {
            let full = |_| exec::out_of_memory(index.bytes());
            parts.try_reserve(1).map_err(full)?;
            parts.extend(index.entry(place).map(|(offset, len)| (place, offset, len)));
        }
        Ok(Some(ShardLayout { parts, index: (start, size), len }))
    }
}

impl Sharding {
    /// The index of a shard, cached if possible; `None`: the shard is absent.
    fn kept_index(&self, source: &dyn ByteSource, call: &Call<'_>) -> Result<Option<Arc<Index>>> {
        let wanted = match call.kept.map(|scope| scope.find()).transpose()? {
            Some(Found::Absent) => return Ok(None),
            Some(Found::Kept(index)) => return Ok(Some(index)),
            Some(Found::Wanted(wanted)) => Some(wanted),
            None => None,
        };
        let index = self.index.read(source)?.map(Arc::new);
        match (&index, wanted) {
            (Some(index), Some(wanted)) => wanted.put(index.clone(), index.bytes()),
            (None, Some(wanted)) => wanted.put_absent(),
            (_, None) => {}
        }
        Ok(index)
    }

    /// The index of a shard that will be rewritten; an empty one if the shard is absent.
    fn index_to_change(&self, old: &dyn ByteSource) -> Result<Index> {
        match self.index.read(old)? {
            Some(index) => Ok(index),
            None => {
                self.index.check_new()?;
                Ok(Index::empty())
            }
        }
    }

    fn join<'a>(&self, old: &dyn ByteSource, inner: &'a InnerChunks) -> Result<Encoded<'a>> {
        if inner.len() == self.inner_count() {
            let stored = inner.iter().filter_map(|(&place, bytes)| Some((place, bytes.as_ref()?)));
            let index =
                self.index.encode(stored.map(|(place, bytes)| (place, bytes.len() as u64)))?;
            let data = inner.values().flatten().map(|bytes| &bytes[..]).collect::<Encoded<'_>>();
            return Ok(match index {
                None => data,
                Some(index) if self.index.at_start => data.after(index),
                Some(index) => data.followed_by(index),
            });
        }
        let index = self.index_to_change(old)?;
        // inner chunks neither stored nor given cost nothing
        let mut places: Vec<usize> = Vec::new();
        reserve(&mut places, inner.len())?;
        places.extend(inner.keys().copied());
        let rest = index.stored().filter(|place| !inner.contains_key(place));
        rest.into_iter().try_for_each(|place| push(&mut places, place))?;
        places.sort_unstable();
        let expected = |place| match inner.get(&place) {
            Some(bytes) => bytes.as_ref().map_or(0, |b| b.len() as u64),
            None => index.get(place).ok().flatten().map_or(0, |(_, len)| len),
        };
        let place = |n: usize| places[n];
        self.encode_inner(1, places.len(), &place, &expected, &|place, out| match inner.get(&place)
        {
            Some(None) => Ok(false),
            Some(Some(bytes)) => {
                append(out, bytes)?;
                Ok(true)
            }
            None => match index.get(place)? {
                None => Ok(false),
                Some((offset, len)) => Part { shard: old, offset, len }.read_all(len, out),
            },
        })
    }

    fn update_inner(
        &self,
        old: &dyn ByteSource,
        patch: &Patch<'_>,
        call: &Call<'_>,
    ) -> Result<Encoded<'static>> {
        let index = self.index_to_change(old)?;
        let slices = patch.pick.chunk_slices(&self.inner_shape[..])?;
        let mut touched: HashMap<usize, ChunkSlice> = HashMap::new();
        for slice in slices.iter() {
            let slice = slice?;
            let bytes = (touched.len() + 1) * size_of::<(usize, ChunkSlice)>();
            touched.try_reserve(1).map_err(|_| exec::out_of_memory(bytes))?;
            touched.insert(self.place(&slice.index), slice);
        }
        // inner chunks neither stored nor touched cost nothing
        let mut places: Vec<usize> = Vec::new();
        reserve(&mut places, touched.len())?;
        places.extend(touched.keys().copied());
        let rest = index.stored().filter(|place| !touched.contains_key(place));
        rest.into_iter().try_for_each(|place| push(&mut places, place))?;
        places.sort_unstable();
        let is_whole = patch.is_whole(self.inner.chunk().data_type.size());
        let covers = |slice: &ChunkSlice| is_whole && slice.pick.covers(&self.inner_shape);
        let threads = self.threads_for(patch.src.len() as u64, call.threads);
        let read = places.iter().filter(|place| !touched.get(place).is_some_and(covers));
        let read = read.filter_map(|&place| index.get(place).transpose());
        let mut wants = Vec::new();
        for stored in read {
            let (at, len) = stored?;
            push(&mut wants, Want::Range(at, len))?;
        }
        old.prefetch(&wants)?;
        // the index was checked against the length of the shard; changed inner chunks may grow
        let expected = |place| index.get(place).ok().flatten().map_or(0, |(_, len)| len + len / 16);
        self.encode_inner(threads, places.len(), &|n| places[n], &expected, &|place, out| {
            let stored = index.get(place)?;
            let part = stored.map(|(offset, len)| Part { shard: old, offset, len });
            match (touched.get(&place), part) {
                (None, None) => Ok(false),
                // untouched: copy its bytes
                (None, Some(part)) => part.read_all(part.len, out),
                (Some(slice), part) => {
                    let mut block;
                    let src = match slice.place.as_box() {
                        Some((start, count)) => patch.src.slice(&start, &count)?,
                        None => {
                            let (counts, item) = (slice.pick.counts()?, patch.src.item());
                            block = Block::new(counts.iter().product::<usize>() * item)?;
                            let mut dense = ViewMut::contiguous(&mut block, &counts, item)?;
                            slice.place.gather(patch.src, &mut dense)?;
                            View::contiguous(&block, &counts, item)?
                        }
                    };
                    if let Pick::Region(_) = slice.pick
                        && covers(slice)
                    {
                        return self.inner.encode_append(&src, out, call);
                    }
                    let old: &dyn ByteSource = match &part {
                        Some(part) => part,
                        None => &Absent,
                    };
                    let patch = Patch { pick: &slice.pick, src: &src, field: patch.field };
                    let updated = self.inner.update(old, &patch, call)?;
                    if let Some(encoded) = &updated {
                        encoded.append_to(out)?;
                    }
                    Ok(updated.is_some())
                }
            }
        })
    }
}
