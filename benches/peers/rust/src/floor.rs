//! The floor: the same work by hand, for a layout that is known beforehand: one read of a file into
//! a scratch buffer that stays in the cache, one decompression, one loop of row copies; ranges of
//! a value where its codec allows it. No checks, no locks, no atomic replacement: a practical
//! lower bound for a library, not a theoretical one.

mod job;
mod select;

use blosc_src as _; // linked, and called below
use job::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CString, c_char};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicUsize, Ordering};

unsafe extern "C" {
    fn blosc_compress_ctx(
        level: i32,
        shuffle: i32,
        item: usize,
        len: usize,
        from: *const u8,
        to: *mut u8,
        room: usize,
        compressor: *const c_char,
        block: usize,
        threads: i32,
    ) -> i32;
    fn blosc_decompress_ctx(from: *const u8, to: *mut u8, room: usize, threads: i32) -> i32;
    fn blosc_getitem(from: *const u8, start: i32, n: i32, to: *mut u8) -> i32;
}

type Three = [u64; 3];

#[derive(Clone, Copy, PartialEq)]
enum Codec {
    None,
    Zstd(i32),
    Gzip(i32),
    BloscLz4(i32),
}

/// What a thread keeps from chunk to chunk.
struct Scratch {
    encoded: Vec<u8>,
    decoded: Vec<u8>,
    dctx: zstd_safe::DCtx<'static>,
    cctx: zstd_safe::CCtx<'static>,
    inflate: libdeflater::Decompressor,
    deflate: Option<libdeflater::Compressor>,
    /// Open shards and their indexes: (offset, length) of each inner chunk.
    shards: HashMap<Three, (RawFd, Vec<u64>)>,
}

thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
    encoded: vec![], decoded: vec![], dctx: zstd_safe::DCtx::create(), cctx: zstd_safe::CCtx::create(),
    inflate: libdeflater::Decompressor::new(), deflate: None, shards: HashMap::new(),
}));

struct Floor {
    dir: RawFd,
    shape: Three,
    chunk: Three,
    inner: Three,
    item: usize,
    codec: Codec,
    transposed: bool,
    v3: bool,
    threads: usize,
}

fn three(v: &[u64]) -> Three {
    v.try_into().expect("rank 3")
}

fn each(f: impl Fn(usize) -> u64) -> Three {
    [f(0), f(1), f(2)]
}

/// Index `i` of a grid, counted in C order.
fn at(grid: &Three, i: u64) -> Three {
    [i / (grid[1] * grid[2]), i / grid[2] % grid[1], i % grid[2]]
}

fn c(text: &str) -> CString {
    CString::new(text).expect("no NUL")
}

fn directory(path: &str) -> RawFd {
    unsafe { libc::open(c(path).as_ptr(), libc::O_PATH | libc::O_DIRECTORY) }
}

fn open_value(dir: RawFd, key: &str) -> RawFd {
    let fd = unsafe { libc::openat(dir, c(key).as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    assert!(fd >= 0, "no value at {key}");
    fd
}

/// Reads what `out` has room for, from `offset`; returns how much there was.
fn pread(fd: RawFd, out: &mut [u8], offset: u64) -> usize {
    let n = unsafe { libc::pread(fd, out.as_mut_ptr().cast(), out.len(), offset as i64) };
    usize::try_from(n).expect("read")
}

fn write_value(dir: RawFd, key: &str, bytes: &[u8]) {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC;
    unsafe {
        let mut fd = libc::openat(dir, c(key).as_ptr(), flags, 0o666);
        if fd < 0 {
            for (i, _) in key.match_indices('/') {
                libc::mkdirat(dir, c(&key[..i]).as_ptr(), 0o777);
            }
            fd = libc::openat(dir, c(key).as_ptr(), flags, 0o666);
        }
        assert!(fd >= 0, "cannot write {key}");
        let mut done = 0;
        while done < bytes.len() {
            let n = libc::write(fd, bytes.as_ptr().add(done).cast(), bytes.len() - done);
            done += usize::try_from(n).expect("write");
        }
        libc::close(fd);
    }
}

/// One array in memory: where, of which shape, and where in it the box begins.
struct Side<'a> {
    shape: &'a Three,
    start: Three,
}

/// Copies a box of `count` elements, row by row.
unsafe fn copy(from: *const u8, f: &Side, to: *mut u8, t: &Side, count: &Three, item: usize) {
    let place = |s: &Side, z: u64, y: u64| {
        (((s.start[0] + z) * s.shape[1] + s.start[1] + y) * s.shape[2] + s.start[2]) as usize * item
    };
    for z in 0..count[0] {
        for y in 0..count[1] {
            let (a, b) = (place(f, z, y), place(t, z, y));
            unsafe {
                std::ptr::copy_nonoverlapping(from.add(a), to.add(b), count[2] as usize * item)
            };
        }
    }
}

/// As `copy`, from a chunk whose axes are stored reversed, elements of 4 bytes; in tiles.
unsafe fn copy_transposed(from: *const u32, f: &Side, to: *mut u32, t: &Side, count: &Three) {
    const TILE: u64 = 16;
    for y in 0..count[1] {
        for z0 in (0..count[0]).step_by(TILE as usize) {
            for x0 in (0..count[2]).step_by(TILE as usize) {
                for z in z0..(z0 + TILE).min(count[0]) {
                    for x in x0..(x0 + TILE).min(count[2]) {
                        let a = ((f.start[2] + x) * f.shape[1] + f.start[1] + y) * f.shape[0]
                            + f.start[0]
                            + z;
                        let b = ((t.start[0] + z) * t.shape[1] + t.start[1] + y) * t.shape[2]
                            + t.start[2]
                            + x;
                        unsafe { *to.add(b as usize) = *from.add(a as usize) };
                    }
                }
            }
        }
    }
}

impl Codec {
    fn parse(name: &str) -> Codec {
        let level = |prefix: &str| name.strip_prefix(prefix).and_then(|l| l.parse().ok());
        match name {
            "none" => Codec::None,
            _ if level("zstd").is_some() => Codec::Zstd(level("zstd").unwrap_or(0)),
            _ if level("gzip").is_some() => Codec::Gzip(level("gzip").unwrap_or(0)),
            _ if level("blosc-lz4-").is_some() => Codec::BloscLz4(level("blosc-lz4-").unwrap_or(0)),
            _ => unsupported("a codec that the floor does not have"),
        }
    }
}

impl Scratch {
    fn decode(
        codec: Codec,
        dctx: &mut zstd_safe::DCtx,
        inflate: &mut libdeflater::Decompressor,
        from: &[u8],
        to: &mut [u8],
    ) {
        let n = match codec {
            Codec::None => {
                to.copy_from_slice(from);
                from.len()
            }
            Codec::Zstd(_) => dctx.decompress(to, from).expect("zstd"),
            Codec::Gzip(_) => inflate.gzip_decompress(from, to).expect("gzip"),
            Codec::BloscLz4(_) => unsafe {
                blosc_decompress_ctx(from.as_ptr(), to.as_mut_ptr(), to.len(), 1) as usize
            },
        };
        assert_eq!(n, to.len());
    }

    /// Encodes the first `len` bytes of `decoded` into `encoded`.
    fn encode(&mut self, codec: Codec, item: usize, len: usize) -> usize {
        let (from, to) = (&self.decoded[..len], &mut self.encoded);
        to.resize(to.len().max(len + len / 8 + 4096), 0);
        match codec {
            Codec::None => unreachable!("written as it is"),
            Codec::Zstd(level) => self.cctx.compress(&mut to[..], from, level).expect("zstd"),
            Codec::Gzip(level) => self
                .deflate
                .get_or_insert_with(|| {
                    libdeflater::Compressor::new(
                        libdeflater::CompressionLvl::new(level).expect("a level"),
                    )
                })
                .gzip_compress(from, to)
                .expect("gzip"),
            Codec::BloscLz4(level) => unsafe {
                blosc_compress_ctx(
                    level,
                    1,
                    item,
                    len,
                    from.as_ptr(),
                    to.as_mut_ptr(),
                    to.len(),
                    c"lz4".as_ptr(),
                    0,
                    1,
                ) as usize
            },
        }
    }
}

impl Floor {
    fn open(job: &Job, path: &str) -> Floor {
        let codec = job.text("codec");
        Floor {
            dir: directory(path),
            shape: three(&job.shape),
            chunk: three(&job.chunk),
            inner: three(&job.inner),
            item: job.item,
            codec: Codec::parse(codec.strip_prefix("F-").unwrap_or(codec)),
            transposed: codec.starts_with("F-"),
            v3: job.text("format") == "3",
            threads: job.threads,
        }
    }

    fn sharded(&self) -> bool {
        self.chunk != self.inner
    }

    fn key(&self, i: &Three) -> String {
        if self.v3 {
            format!("c/{}/{}/{}", i[0], i[1], i[2])
        } else {
            format!("{}.{}.{}", i[0], i[1], i[2])
        }
    }

    fn metadata_key(&self) -> &'static str {
        if self.v3 { "zarr.json" } else { ".zarray" }
    }

    /// The shard that inner chunk `unit` is in, and its number there.
    fn in_shard(&self, unit: &Three) -> (Three, usize) {
        let per = each(|d| self.chunk[d] / self.inner[d]);
        let r = each(|d| unit[d] % per[d]);
        (each(|d| unit[d] / per[d]), ((r[0] * per[1] + r[1]) * per[2] + r[2]) as usize)
    }

    /// An open shard and its index, of `n` inner chunks.
    fn shard(&self, shard: &Three, n: usize) -> (RawFd, Vec<u64>) {
        let fd = open_value(self.dir, &self.key(shard));
        let mut index = vec![0; 16 * n + 4];
        let end = unsafe { libc::lseek(fd, 0, libc::SEEK_END) } as u64;
        pread(fd, &mut index, end - (16 * n as u64 + 4));
        let (entries, crc) = index.split_at(16 * n);
        assert_eq!(crc32c::crc32c(entries).to_le_bytes(), crc);
        (fd, entries.as_chunks().0.iter().map(|&b| u64::from_le_bytes(b)).collect())
    }

    /// Reads `len` bytes of the unit (a chunk, or an inner chunk of a shard) from `offset` into
    /// `to`, or all of its bytes if they are fewer.
    fn fetch(
        &self,
        unit: &Three,
        shards: &mut HashMap<Three, (RawFd, Vec<u64>)>,
        offset: u64,
        to: &mut [u8],
    ) -> usize {
        if !self.sharded() {
            let fd = open_value(self.dir, &self.key(unit));
            let n = pread(fd, to, offset);
            unsafe { libc::close(fd) };
            return n;
        }
        let (shard, i) = self.in_shard(unit);
        let n = (0..3).map(|d| self.chunk[d] / self.inner[d]).product::<u64>() as usize;
        let (fd, index) = shards.entry(shard).or_insert_with(|| self.shard(&shard, n));
        let len = to.len().min((index[2 * i + 1] - offset) as usize);
        pread(*fd, &mut to[..len], index[2 * i] + offset)
    }

    /// The part of one unit that is in the box, into `to`.
    fn read_unit(&self, unit: &Three, start: &Three, count: &Three, to: *mut u8) {
        let chunk = &self.inner;
        let low = each(|d| (unit[d] * chunk[d]).max(start[d]));
        let n = each(|d| ((unit[d] + 1) * chunk[d]).min(start[d] + count[d]) - low[d]);
        let here = Side { shape: chunk, start: each(|d| low[d] - unit[d] * chunk[d]) };
        let there = Side { shape: count, start: each(|d| low[d] - start[d]) };
        let size = product(chunk) as usize * self.item;
        let whole = n == *chunk;
        // the elements of the chunk between the first and the last that are wanted
        let element = |p: Three| (p[0] * chunk[1] + p[1]) * chunk[2] + p[2];
        let first = element(here.start) as usize;
        let last = element(each(|d| here.start[d] + n[d] - 1)) as usize + 1;
        SCRATCH.with_borrow_mut(|s| {
            let Scratch { encoded, decoded, dctx, inflate, shards, .. } = s;
            encoded.resize(encoded.len().max(size + size / 8 + 4096), 0);
            decoded.resize(decoded.len().max(size), 0);
            if self.codec == Codec::None && !self.transposed {
                let wanted = if whole { size } else { (last - first) * self.item };
                let offset = if whole { 0 } else { first * self.item };
                if whole && count == chunk {
                    self.fetch(unit, shards, 0, unsafe {
                        std::slice::from_raw_parts_mut(to, size)
                    });
                    return;
                }
                self.fetch(unit, shards, offset as u64, &mut decoded[offset..offset + wanted]);
            } else {
                let got = self.fetch(unit, shards, 0, &mut encoded[..]);
                let from = &encoded[..got];
                if whole && count == chunk && !self.transposed {
                    let to = unsafe { std::slice::from_raw_parts_mut(to, size) };
                    return Scratch::decode(self.codec, dctx, inflate, from, to);
                }
                if let (Codec::BloscLz4(_), false, false) = (self.codec, whole, self.transposed) {
                    let to = &mut decoded[first * self.item..last * self.item];
                    unsafe {
                        blosc_getitem(
                            from.as_ptr(),
                            first as i32,
                            (last - first) as i32,
                            to.as_mut_ptr(),
                        )
                    };
                } else {
                    Scratch::decode(self.codec, dctx, inflate, from, &mut decoded[..size]);
                }
            }
            unsafe {
                if self.transposed {
                    copy_transposed(decoded.as_ptr().cast(), &here, to.cast(), &there, &n);
                } else {
                    copy(decoded.as_ptr(), &here, to, &there, &n, self.item);
                }
            }
        });
    }

    /// `work(i)` for each `i` below `n`, on the threads of the job.
    fn on_threads(&self, n: u64, work: impl Fn(u64) + Sync) {
        if self.threads == 1 || n == 1 {
            return (0..n).for_each(work);
        }
        let next = AtomicUsize::new(0);
        let take = || {
            while let i = next.fetch_add(1, Ordering::Relaxed) as u64
                && i < n
            {
                work(i);
            }
        };
        std::thread::scope(|s| (0..self.threads).for_each(|_| drop(s.spawn(take))));
    }

    fn read(&self, start: &[u64], count: &[u64], to: &mut [u8]) {
        let (start, count) = (three(start), three(count));
        let low = each(|d| start[d] / self.inner[d]);
        let grid = each(|d| (start[d] + count[d]).div_ceil(self.inner[d]) - low[d]);
        let to = to.as_mut_ptr() as usize;
        self.on_threads(product(&grid), |i| {
            let unit = at(&grid, i);
            self.read_unit(&each(|d| low[d] + unit[d]), &start, &count, to as *mut u8);
        });
    }

    /// Cuts a unit out of the array `data`, which may end inside it, and encodes it.
    fn encode_unit(&self, unit: &Three, data: &[u8], s: &mut Scratch) -> usize {
        let size = product(&self.inner) as usize * self.item;
        s.decoded.resize(s.decoded.len().max(size), 0);
        let start = each(|d| unit[d] * self.inner[d]);
        let n = each(|d| self.inner[d].min(self.shape[d] - start[d]));
        if n != self.inner {
            s.decoded[..size].fill(0);
        }
        let (here, there) =
            (Side { shape: &self.inner, start: [0; 3] }, Side { shape: &self.shape, start });
        unsafe { copy(data.as_ptr(), &there, s.decoded.as_mut_ptr(), &here, &n, self.item) };
        if self.codec == Codec::None { size } else { s.encode(self.codec, self.item, size) }
    }

    fn write_chunk(&self, i: &Three, data: &[u8]) {
        SCRATCH.with_borrow_mut(|s| {
            if !self.sharded() {
                let n = self.encode_unit(i, data, s);
                let from = if self.codec == Codec::None { &s.decoded } else { &s.encoded };
                return write_value(self.dir, &self.key(i), &from[..n]);
            }
            let per = each(|d| self.chunk[d] / self.inner[d]);
            let (mut body, mut index) = (vec![], vec![]);
            for k in 0..product(&per) {
                let inner = at(&per, k);
                let n = self.encode_unit(&each(|d| i[d] * per[d] + inner[d]), data, s);
                index.extend((body.len() as u64).to_le_bytes());
                index.extend((n as u64).to_le_bytes());
                body.extend(if self.codec == Codec::None {
                    &s.decoded[..n]
                } else {
                    &s.encoded[..n]
                });
            }
            let crc = crc32c::crc32c(&index);
            body.extend(index);
            body.extend(crc.to_le_bytes());
            write_value(self.dir, &self.key(i), &body);
        });
    }

    /// Writes the whole array, each chunk once: what rows and frames come to if they are gathered.
    fn write(&self, data: &[u8]) {
        let grid = each(|d| self.shape[d].div_ceil(self.chunk[d]));
        self.on_threads(product(&grid), |i| self.write_chunk(&at(&grid, i), data));
    }

    /// Writes a box into chunks that exist: in place where that is possible.
    fn overwrite(&self, b: &Box_, data: &[u8], chunk: &mut [u8]) {
        let (start, count) = (three(&b.start), three(&b.count));
        let low = each(|d| start[d] / self.chunk[d]);
        let grid = each(|d| (start[d] + count[d]).div_ceil(self.chunk[d]) - low[d]);
        for i in 0..product(&grid) {
            let cell = at(&grid, i);
            let cell = each(|d| low[d] + cell[d]);
            let origin = each(|d| cell[d] * self.chunk[d]);
            let from = each(|d| start[d].max(origin[d]));
            let n = each(|d| (start[d] + count[d]).min(origin[d] + self.chunk[d]) - from[d]);
            let mine = Side { shape: &count, start: each(|d| from[d] - start[d]) };
            let its = Side { shape: &self.chunk, start: each(|d| from[d] - origin[d]) };
            if self.codec == Codec::None {
                let fd = unsafe {
                    libc::openat(
                        self.dir,
                        c(&self.key(&cell)).as_ptr(),
                        libc::O_WRONLY | libc::O_CLOEXEC,
                    )
                };
                let place = |s: &Side, z: u64, y: u64| {
                    (((s.start[0] + z) * s.shape[1] + s.start[1] + y) * s.shape[2] + s.start[2])
                        as usize
                        * self.item
                };
                for z in 0..n[0] {
                    for y in 0..n[1] {
                        let row = &data[place(&mine, z, y)..][..n[2] as usize * self.item];
                        unsafe {
                            libc::pwrite(
                                fd,
                                row.as_ptr().cast(),
                                row.len(),
                                place(&its, z, y) as i64,
                            )
                        };
                    }
                }
                unsafe { libc::close(fd) };
                continue;
            }
            self.read(&origin, &self.chunk, chunk);
            unsafe { copy(data.as_ptr(), &mine, chunk.as_mut_ptr(), &its, &n, self.item) };
            SCRATCH.with_borrow_mut(|s| {
                s.decoded[..chunk.len()].copy_from_slice(chunk);
                let len = s.encode(self.codec, self.item, chunk.len());
                write_value(self.dir, &self.key(&cell), &s.encoded[..len]);
            });
        }
    }
}

fn first_extent(document: &[u8]) -> u64 {
    let value: serde_json::Value = serde_json::from_slice(document).expect("a document");
    value["shape"][0].as_u64().expect("a shape")
}

fn main() {
    let mut job = Job::from_args();
    let whole = job.bytes(&job.shape);
    let zero = [0; 3];
    match job.text("op") {
        "noop" => job.report(0),
        "read" => {
            let boxes = job.boxes();
            let floor = Floor::open(&job, job.text("store"));
            let mut out = job.buffer(&boxes);
            job.begin();
            for _ in 0..job.reps() {
                job.timed(|| boxes.iter().for_each(|b| floor.read(&b.start, &b.count, &mut out)));
            }
            let sums = boxes.iter().map(|b| {
                floor.read(&b.start, &b.count, &mut out);
                byte_sum(&out[..job.bytes(&b.count)])
            });
            job.report(sums.sum())
        }
        "select" => {
            let (picked, count) = select::Picked::load(&job);
            let floor = Floor::open(&job, job.text("store"));
            let item = job.item;
            let mut out = vec![1u8; count * item];
            job.begin();
            for _ in 0..job.reps() {
                job.timed(|| match item {
                    2 => floor.select::<u16>(&picked, unsafe { out.align_to_mut().1 }),
                    4 => floor.select::<u32>(&picked, unsafe { out.align_to_mut().1 }),
                    _ => unsupported("elements of other sizes"),
                });
            }
            job.report(byte_sum(&out))
        }
        "write" => {
            let (boxes, existing) = (job.boxes(), job.number("existing") == 1);
            let data = std::fs::read(job.text("data")).expect("data");
            let document = std::fs::read(job.text("meta")).expect("metadata");
            if existing && job.inner != job.chunk {
                unsupported("parts of shards");
            }
            let mut chunk = vec![0; if existing { job.bytes(&job.chunk) } else { 0 }];
            let mut path = job.text("out").to_string();
            let sizes: Vec<usize> = boxes.iter().map(|b| job.bytes(&b.count)).collect();
            job.begin();
            for rep in 0..job.reps() {
                if !existing {
                    path = format!("{}/a", job.place(rep));
                }
                let floor_of = |job: &Job| Floor::open(job, &path);
                if existing {
                    let floor = floor_of(&job);
                    job.timed(|| {
                        let mut at = 0;
                        for (b, n) in boxes.iter().zip(&sizes) {
                            floor.overwrite(b, &data[at..at + n], &mut chunk);
                            at += n;
                        }
                    });
                    continue;
                }
                std::fs::create_dir(&path).expect("a directory");
                let floor = floor_of(&job);
                job.timed(|| {
                    write_value(floor.dir, floor.metadata_key(), &document);
                    floor.write(&data);
                });
            }
            let mut out = vec![0; whole];
            Floor::open(&job, &path).read(&zero, &job.shape, &mut out);
            job.report(byte_sum(&out))
        }
        "open" => {
            let floor = Floor::open(&job, job.text("store"));
            let (path, n) = (format!("{}/{}", job.text("store"), floor.metadata_key()), job.n);
            for _ in 0..job.reps() {
                job.timed(|| {
                    for _ in 0..n {
                        std::hint::black_box(first_extent(
                            &std::fs::read(&path).expect("a document"),
                        ));
                    }
                });
            }
            let mut out = vec![0; whole];
            floor.read(&zero, &job.shape, &mut out);
            job.report(byte_sum(&out))
        }
        "create" => {
            let document = std::fs::read(job.text("meta")).expect("metadata");
            let (data, n) = (vec![1; whole], job.n);
            for rep in 0..job.reps() {
                let parent = job.place(rep);
                let mut floor = Floor::open(&job, &parent);
                job.timed(|| {
                    for i in 0..n {
                        let path = format!("{parent}/a{i:04}");
                        std::fs::create_dir(&path).expect("a directory");
                        floor.dir = directory(&path);
                        write_value(floor.dir, floor.metadata_key(), &document);
                        floor.write_chunk(&zero, &data);
                        unsafe { libc::close(floor.dir) };
                    }
                });
            }
            job.report(0)
        }
        "list" => {
            let (path, mut sum) = (job.text("store").to_string(), 0);
            let key = if job.text("format") == "3" { "zarr.json" } else { ".zarray" };
            for _ in 0..job.reps() {
                sum = job.timed(|| {
                    let entries = std::fs::read_dir(&path).expect("a directory").flatten();
                    let documents = entries.filter_map(|e| std::fs::read(e.path().join(key)).ok());
                    documents.map(|d| first_extent(&d)).sum()
                });
            }
            job.report(sum)
        }
        _ => unsupported("not written for the floor"),
    }
}
