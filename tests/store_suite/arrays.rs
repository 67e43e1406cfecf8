//! Arrays over every store: writers of parts of one chunk, and what is read back through another
//! handle.

use super::stores::{Subject, for_each_subject};
use std::thread;
use zarrc::array::MemoryType;
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy};
use zarrc::metadata::{DataType, NodePath};
use zarrc::selection::Region;
use zarrc::store::{Mode, SharedStore};
use zarrc::strided::{View, ViewMut};

const ROWS: u64 = 12;

fn hierarchy(subject: &Subject, store: SharedStore) -> std::sync::Arc<Hierarchy> {
    std::sync::Arc::new(Hierarchy::new(store, &subject.options()))
}

fn put(array: &ArrayNode, start: &[u64], count: &[u64], value: u16) {
    let region = Region::new(&array.array.shape(), start, count, None).unwrap();
    let count: Vec<usize> = count.iter().map(|n| *n as usize).collect();
    let bytes = value.to_ne_bytes().repeat(count.iter().product());
    let view = View::contiguous(&bytes, &count, 2).unwrap();
    array.array.write(&region, MemoryType::Native, &view).unwrap();
}

fn whole(array: &ArrayNode) -> Vec<u16> {
    let shape = array.array.shape();
    let region = Region::new(&shape, &[0, 0], &shape, None).unwrap();
    let count: Vec<usize> = shape.iter().map(|n| *n as usize).collect();
    let mut bytes = vec![0; 2 * count.iter().product::<usize>()];
    let view = ViewMut::contiguous(&mut bytes, &count, 2).unwrap();
    array.array.read(&region, MemoryType::Native, view).unwrap();
    bytes.as_chunks().0.iter().map(|b| u16::from_ne_bytes(*b)).collect()
}

/// Four writers, each with a column of its own in every chunk (or inner chunk), row by row.
fn written_in_parts(shard: Option<&[u64]>) {
    let path = NodePath::parse("g/a").unwrap();
    for_each_subject(|subject| {
        let store = subject.open(Mode::Create).unwrap();
        let ours = hierarchy(subject, store.clone());
        let mut spec = ArraySpec::new(DataType::UInt16, vec![ROWS, 8]);
        spec.chunk_shape = Some(vec![6, 4]);
        spec.shard_shape = shard.map(<[u64]>::to_vec);
        let array = ours.create_array(&path, &spec).unwrap();
        thread::scope(|scope| {
            for w in 0..4 {
                let array = &array;
                scope.spawn(move || {
                    for y in 0..ROWS {
                        put(array, &[y, 2 * w], &[1, 2], (100 * (w + 1) + y) as u16);
                    }
                });
            }
        });
        let expected: Vec<u16> =
            (0..ROWS * 8).map(|n| (100 * (n % 8 / 2 + 1) + n / 8) as u16).collect();
        assert_eq!(whole(&array), expected);
        drop((array, ours));
        store.flush().unwrap();
        if subject.shared {
            drop(store);
            let again = hierarchy(subject, subject.open(Mode::ReadWrite).unwrap());
            assert_eq!(whole(&again.open_array(&path).unwrap()), expected);
        }
    });
}

#[test]
fn parts_of_one_chunk_by_many_writers_all_land() {
    written_in_parts(None);
}

#[test]
fn parts_of_one_shard_by_many_writers_all_land() {
    written_in_parts(Some(&[12, 8]));
}
