//! zarrs. Boxes are decoded into a buffer of the caller; parts of shards go through the cache of
//! shard indexes that zarrs has for them.

mod job;

use job::*;
use std::sync::Arc;
use unsafe_cell_slice::UnsafeCellSlice;
use zarrs::array::{
    Array, ArrayBytes, ArrayBytesFixedDisjointView, ArrayMetadata, ArrayShardedReadableExt,
    ArrayShardedReadableExtCache, ArraySubset, CodecOptions,
};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::Group;
use zarrs_codec::ArrayBytesDecodeIntoTarget;

type Store = Arc<FilesystemStore>;
type Open = Array<FilesystemStore>;

fn store(path: &str) -> Store {
    Arc::new(FilesystemStore::new(path).expect("a store"))
}

fn open(path: &str) -> Open {
    Array::open(store(path), "/").expect("an array")
}

fn metadata(job: &Job) -> ArrayMetadata {
    let text = std::fs::read_to_string(job.text("meta")).expect("metadata");
    serde_json::from_str(&text).expect("metadata")
}

fn create(parent: &Store, name: &str, metadata: &ArrayMetadata) -> Open {
    let array = Array::new_with_metadata(parent.clone(), &format!("/{name}"), metadata.clone());
    let array = array.expect("metadata");
    array.store_metadata().expect("stored");
    array
}

fn subset(b: &Box_) -> ArraySubset {
    ArraySubset::new_with_start_shape(b.start.clone(), b.count.clone()).expect("a box")
}

fn read_into(array: &Open, b: &Box_, options: &CodecOptions, item: usize, out: &mut [u8]) {
    let cells = UnsafeCellSlice::new(out);
    let whole = ArraySubset::new_with_shape(b.count.clone());
    let view = unsafe { ArrayBytesFixedDisjointView::new(cells, item, &b.count, whole) };
    let mut view = view.expect("a view");
    let target = ArrayBytesDecodeIntoTarget::Fixed(&mut view);
    array.retrieve_array_subset_into_opt(&subset(b), target, options).expect("read");
}

fn main() {
    let mut job = Job::from_args();
    unsafe { std::env::set_var("RAYON_NUM_THREADS", job.threads.to_string()) };
    zarrs::config::global_config_mut().set_codec_concurrent_target(job.threads);
    let options = CodecOptions::default().with_concurrent_target(job.threads);
    let item = job.item;
    let all = Box_ { start: vec![0; job.shape.len()], count: job.shape.clone() };
    let whole_size = job.bytes(&all.count);
    let whole_sum = |array: &Open| {
        let mut out = vec![0; whole_size];
        read_into(array, &all, &options, item, &mut out);
        byte_sum(&out)
    };
    match job.text("op") {
        "noop" => job.report(0),
        "read" => {
            let boxes = job.boxes();
            let array = open(job.text("store"));
            let mut out = job.buffer(&boxes);
            let by_parts = job.inner != job.chunk && boxes.len() > 1;
            let read = |b: &Box_, cache: &ArrayShardedReadableExtCache, out: &mut [u8]| {
                if by_parts {
                    let bytes: ArrayBytes =
                        array.retrieve_array_subset_sharded_opt(cache, &subset(b), &options).expect("read");
                    let bytes = bytes.into_fixed().expect("fixed");
                    out[..bytes.len()].copy_from_slice(&bytes);
                } else {
                    read_into(&array, b, &options, item, out);
                }
            };
            job.begin();
            for _ in 0..job.reps() {
                job.timed(|| {
                    let cache = ArrayShardedReadableExtCache::new(&array);
                    for b in &boxes {
                        let n = product(&b.count) as usize * item;
                        read(b, &cache, &mut out[..n]);
                    }
                });
            }
            let mut sum = 0;
            let cache = ArrayShardedReadableExtCache::new(&array);
            for b in &boxes {
                let n = job.bytes(&b.count);
                read(b, &cache, &mut out[..n]);
                sum += byte_sum(&out[..n]);
            }
            job.report(sum)
        }
        "write" => {
            let boxes = job.boxes();
            let data = std::fs::read(job.text("data")).expect("data");
            let (metadata, grow) = (metadata(&job), job.number("grow") == 1);
            let bytes: Vec<usize> = boxes.iter().map(|b| job.bytes(&b.count)).collect();
            let mut place = job.text("out").to_string();
            job.begin();
            for rep in 0..job.reps() {
                let existing = job.number("existing") == 1;
                if !existing {
                    place = job.place(rep);
                }
                let mut shape = job.shape.clone();
                job.timed(|| {
                    let mut array = if existing {
                        open(&place)
                    } else {
                        create(&store(&place), "a", &metadata)
                    };
                    let mut at = 0;
                    for (b, &n) in boxes.iter().zip(&bytes) {
                        if grow {
                            shape[0] = b.start[0] + b.count[0];
                            array.set_shape(shape.clone()).expect("grows");
                            array.store_metadata().expect("stored");
                        }
                        let part = ArrayBytes::new_flen(&data[at..at + n]);
                        array.store_array_subset_opt(&subset(b), part, &options).expect("written");
                        at += n;
                    }
                });
            }
            let last = if job.number("existing") == 1 { place } else { format!("{place}/a") };
            job.report(whole_sum(&open(&last)))
        }
        "open" => {
            let path = job.text("store").to_string();
            for _ in 0..job.reps() {
                let n = job.n;
                job.timed(|| (0..n).for_each(|_| drop(std::hint::black_box(open(&path)))));
            }
            job.report(whole_sum(&open(&path)))
        }
        "create" => {
            let (metadata, n) = (metadata(&job), job.n);
            let data = vec![1; job.bytes(&job.shape)];
            job.begin();
            for rep in 0..job.reps() {
                let place = job.place(rep);
                job.timed(|| {
                    let parent = store(&place);
                    for i in 0..n {
                        let array = create(&parent, &format!("a{i:04}"), &metadata);
                        let index = vec![0; array.shape().len()];
                        array.store_chunk_opt(&index, ArrayBytes::new_flen(&data[..]), &options).expect("stored");
                    }
                });
            }
            job.report(0)
        }
        "list" => {
            let (path, mut sum) = (job.text("store").to_string(), 0);
            for _ in 0..job.reps() {
                sum = job.timed(|| {
                    let group = Group::open(store(&path), "/").expect("a group");
                    group.child_arrays().expect("a listing").iter().map(|a| a.shape()[0]).sum()
                });
            }
            job.report(sum)
        }
        _ => unsupported("not written for zarrs"),
    }
}
