//! Grids whose chunks differ, v3's rectilinear one and that of N5, which ends where the array ends:
//! written and read in every way, gathered, resized, as shards.

use std::sync::Arc;
use zarrc::array::MemoryType;
use zarrc::error::Kind;
use zarrc::format::{FormatId, NodeKind};
use zarrc::hierarchy::{ArrayNode, ArraySpec, Hierarchy, NodeAttributes};
use zarrc::metadata::{DataType, NodePath};
use zarrc::selection::{Region, Selection};
use zarrc::store::{self, Key, Mode, Options};
use zarrc::strided::{View, ViewMut};

const SHAPE: [u64; 2] = [11, 20];

fn open(name: &str, buffer: &str) -> Arc<Hierarchy> {
    let mut options = Options::default();
    options.set("write_buffer", buffer).expect("an option");
    let store =
        store::open(&format!("memory:grids-{name}"), Mode::Append, &options).expect("memory");
    Arc::new(Hierarchy::new(store, &options))
}

/// Rows of 2 2 5 4 (two outside), columns of 6 6 6 6 (four outside).
fn spec() -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::Int16, SHAPE.to_vec());
    spec.chunk_shape = Some(vec![3, 6]);
    spec.chunk_edges.insert(0, vec![2, 2, 5, 4]);
    spec
}

fn create(hierarchy: &Arc<Hierarchy>, spec: &ArraySpec) -> ArrayNode {
    hierarchy.create_array(&NodePath::root(), spec).expect("created")
}

/// What is expected of the array, changed along with it.
struct Model {
    shape: [u64; 2],
    values: Vec<i16>,
}

impl Model {
    fn of(shape: [u64; 2]) -> Self {
        Model { shape, values: vec![0; (shape[0] * shape[1]) as usize] }
    }

    fn resized(&self, shape: [u64; 2]) -> Self {
        let mut new = Model::of(shape);
        for y in 0..shape[0].min(self.shape[0]) {
            for x in 0..shape[1].min(self.shape[1]) {
                new.values[(y * shape[1] + x) as usize] =
                    self.values[(y * self.shape[1] + x) as usize];
            }
        }
        new
    }

    fn at(&self, start: [u64; 2], step: [u64; 2], count: [u64; 2]) -> Vec<usize> {
        let rows = (0..count[0]).map(|y| start[0] + y * step[0]);
        rows.flat_map(|y| {
            (0..count[1]).map(move |x| (y * self.shape[1] + start[1] + x * step[1]) as usize)
        })
        .collect()
    }
}

fn both(array: &ArrayNode, model: &mut Model, start: [u64; 2], step: [u64; 2], count: [u64; 2]) {
    let region = Region::new(&array.array.shape(), &start, &count, Some(&step)).expect("inside");
    let places = model.at(start, step, count);
    places.iter().enumerate().for_each(|(n, &at)| model.values[at] += 100 + n as i16);
    let values = places.iter().flat_map(|&at| model.values[at].to_ne_bytes()).collect::<Vec<u8>>();
    let src = View::contiguous(&values, &count.map(|n| n as usize), 2).expect("fits");
    array.array.write(&region, MemoryType::Native, &src).expect("written");
}

fn get(array: &ArrayNode, start: [u64; 2], step: [u64; 2], count: [u64; 2]) -> Vec<i16> {
    let region = Region::new(&array.array.shape(), &start, &count, Some(&step)).expect("inside");
    let mut bytes = vec![0xAA; (count[0] * count[1] * 2) as usize];
    let dst = ViewMut::contiguous(&mut bytes, &count.map(|n| n as usize), 2).expect("fits");
    array.array.read(&region, MemoryType::Native, dst).expect("read");
    bytes.as_chunks().0.iter().map(|b| i16::from_ne_bytes(*b)).collect()
}

fn check(array: &ArrayNode, model: &Model) {
    assert_eq!(array.array.shape(), model.shape);
    assert_eq!(get(array, [0, 0], [1, 1], model.shape), model.values);
    for step in [[1, 2], [3, 1], [4, 7]] {
        let start = [1.min(model.shape[0]), 2.min(model.shape[1])];
        let count = [0, 1].map(|d| (model.shape[d] - start[d]).div_ceil(step[d]));
        let expected: Vec<i16> =
            model.at(start, step, count).iter().map(|&at| model.values[at]).collect();
        assert_eq!(get(array, start, step, count), expected, "step {step:?}");
    }
}

fn stored(hierarchy: &Hierarchy, key: &str) -> Option<u64> {
    let key = Key::parse(key).expect("a key");
    hierarchy.store().source(&key).len().expect("no error")
}

#[test]
fn chunks_have_their_own_shapes() {
    for buffer in ["0", "1MiB"] {
        let hierarchy = open(&format!("own-{buffer}"), buffer);
        let mut spec = spec();
        spec.codecs = Some(vec![]);
        let array = create(&hierarchy, &spec);
        let mut model = Model::of(SHAPE);
        check(&array, &model);
        for (start, step, count) in [
            ([2, 0], [1, 1], [7, 12]),
            ([0, 0], [1, 1], SHAPE),
            ([1, 3], [1, 1], [9, 9]),
            ([0, 1], [3, 5], [4, 4]),
            ([9, 18], [1, 1], [2, 2]),
        ] {
            both(&array, &mut model, start, step, count);
            check(&array, &model);
        }
        array.array.flush().expect("written");
        assert_eq!(stored(&hierarchy, "c/0/0"), Some(2 * 6 * 2));
        assert_eq!(stored(&hierarchy, "c/2/1"), Some(5 * 6 * 2));
        assert_eq!(stored(&hierarchy, "c/3/3"), Some(4 * 6 * 2), "what overhangs is stored too");
        check(&hierarchy.open_array(&NodePath::root()).expect("opens"), &model);
        assert_eq!(array.array.chunk_counts(), [4, 4]);
        let bounds = array.array.chunk_bounds(&[3, 3]).expect("there");
        assert_eq!(bounds, (vec![9, 18], vec![2, 2]));
        let none = array.array.chunk_bounds(&[4, 0]).expect_err("none");
        assert_eq!(none.kind(), Kind::OutOfBounds);
        assert_eq!(array.array.chunk_shape(), [5, 6]);
    }
}

#[test]
fn the_grid_follows_the_shape() {
    let hierarchy = open("follows", "0");
    let array = create(&hierarchy, &spec());
    let mut model = Model::of(SHAPE);
    both(&array, &mut model, [0, 0], [1, 1], SHAPE);
    for shape in [[5, 20], [11, 7], [13, 20], [17, 30], [3, 3], [18, 9]] {
        array.resize(&shape).expect("resized");
        model = model.resized(shape);
        check(&array, &model);
        let again = hierarchy.open_array(&NodePath::root()).expect("opens");
        check(&again, &model);
        assert_eq!(array.array.grid(), again.array.grid());
        both(&array, &mut model, [0, 0], [1, 1], shape);
        check(&again, &model);
    }
    // 2 2 5 4, and what was missing: 4 at the growth to 17, 1 at that to 18
    let distinct = array.array.grid().distinct(0);
    assert_eq!((&distinct[..], array.array.chunk_counts()), (&[1, 2, 4, 5][..], vec![6, 2]));
}

#[test]
fn another_handle_learns_what_grew_meanwhile() {
    let hierarchy = open("meanwhile", "0");
    let one = create(&hierarchy, &spec());
    let other = hierarchy.open_array(&NodePath::root()).expect("opens");
    one.resize(&[15, 20]).expect("grows");
    other.resize(&[20, 20]).expect("grows");
    // 13 elements are listed: one grew by a chunk of 2, the other by one of 5
    assert_eq!(other.array.chunk_bounds(&[4, 0]).expect("there").1, [2, 6]);
    assert_eq!(other.array.chunk_bounds(&[5, 0]).expect("there").1, [5, 6]);
}

#[test]
fn shards_may_differ_as_far_as_their_chunks_divide_them() {
    let hierarchy = open("shards", "0");
    let mut spec = spec();
    spec.chunk_shape = Some(vec![1, 3]);
    spec.shard_shape = Some(vec![1, 6]);
    let array = create(&hierarchy, &spec);
    let mut model = Model::of(SHAPE);
    both(&array, &mut model, [1, 1], [1, 1], [9, 18]);
    check(&array, &model);
    both(&array, &mut model, [0, 0], [2, 3], [6, 7]);
    check(&array, &model);
    assert_eq!(array.array.chunk_shape(), [1, 3]);
    assert_eq!(array.array.outer_chunk_shape(), [5, 6]);

    spec.chunk_shape = Some(vec![2, 3]);
    let other = open("shards-bad", "0").create_array(&NodePath::root(), &spec);
    assert_eq!(other.err().map(|e| e.kind()), Some(Kind::InvalidArgument), "2 does not divide 5");
}

/// Blocks of (4, 6): the last of them (3, 2).
fn n5_spec() -> ArraySpec {
    let mut spec = ArraySpec::new(DataType::Int16, SHAPE.to_vec());
    spec.format = Some(FormatId::N5);
    spec.chunk_shape = Some(vec![4, 6]);
    spec.codecs = Some(vec![]);
    spec
}

/// What a block of so many elements takes.
fn block(elements: u64) -> Option<u64> {
    Some(4 + 2 * 4 + 2 * elements)
}

#[test]
fn blocks_of_n5_end_with_the_array() {
    for buffer in ["0", "1MiB"] {
        let hierarchy = open(&format!("n5-{buffer}"), buffer);
        let array = create(&hierarchy, &n5_spec());
        let mut model = Model::of(SHAPE);
        for (start, step, count) in [
            ([9, 18], [1, 1], [2, 2]),
            ([0, 0], [1, 1], [4, 6]),
            ([2, 0], [1, 1], [7, 12]),
            ([0, 1], [3, 5], [4, 4]),
            ([0, 0], [1, 1], SHAPE),
            ([8, 18], [1, 1], [3, 2]),
            ([1, 3], [1, 1], [9, 9]),
        ] {
            both(&array, &mut model, start, step, count);
            check(&array, &model);
        }
        array.array.flush().expect("written");
        // the keys, too, have the fastest axis first
        assert_eq!(stored(&hierarchy, "0/0"), block(4 * 6));
        assert_eq!(stored(&hierarchy, "3/1"), block(4 * 2));
        assert_eq!(stored(&hierarchy, "1/2"), block(3 * 6));
        assert_eq!(stored(&hierarchy, "3/2"), block(3 * 2));
        assert_eq!(array.array.chunk_shape(), [4, 6]);
        check(&hierarchy.open_array(&NodePath::root()).expect("opens"), &model);
    }
}

#[test]
fn blocks_of_n5_keep_their_shape_when_the_array_grows() {
    for buffer in ["0", "1MiB"] {
        let hierarchy = open(&format!("n5-grows-{buffer}"), buffer);
        let array = create(&hierarchy, &n5_spec());
        let mut model = Model::of(SHAPE);
        both(&array, &mut model, [0, 0], [1, 1], SHAPE);
        for shape in [[12, 21], [5, 20], [16, 5], [3, 3], [8, 12]] {
            array.resize(&shape).expect("resized");
            model = model.resized(shape);
            check(&array, &model);
            check(&hierarchy.open_array(&NodePath::root()).expect("opens"), &model);
            let end = shape.map(|n| n - 1);
            both(&array, &mut model, end, [1, 1], [1, 1]);
            check(&array, &model);
            array.array.flush().expect("written");
            check(&hierarchy.open_array(&NodePath::root()).expect("opens"), &model);
        }
        both(&array, &mut model, [0, 0], [1, 1], [8, 12]);
        array.resize(&[7, 8]).expect("shrinks");
        assert_eq!(stored(&hierarchy, "1/1"), block(3 * 2), "no more than the array has");
        array.resize(&[8, 12]).expect("grows");
        check(&array, &model.resized([7, 8]).resized([8, 12]));
    }
}

#[test]
fn parts_of_a_compressed_block_are_kept_for_their_version() {
    let hierarchy = open("n5-kept", "0");
    let mut spec = n5_spec();
    spec.codecs = None;
    let array = create(&hierarchy, &spec);
    let mut model = Model::of(SHAPE);
    both(&array, &mut model, [0, 0], [1, 1], SHAPE);
    for start in [[0, 0], [1, 1], [9, 19], [10, 18]] {
        for _ in 0..2 {
            let at = model.at(start, [1, 1], [1, 1])[0];
            assert_eq!(get(&array, start, [1, 1], [1, 1]), [model.values[at]]);
        }
        both(&array, &mut model, start, [1, 1], [1, 1]);
    }
    check(&array, &model);
}

#[test]
fn nodes_of_n5_are_directories() {
    let hierarchy = open("n5-nodes", "0");
    let path = |text: &str| NodePath::parse(text).expect("a path");
    hierarchy.create_array(&path("a/b/c"), &n5_spec()).expect("created");
    assert_eq!(stored(&hierarchy, "a/attributes.json"), None);
    assert!(stored(&hierarchy, "attributes.json").is_some(), "the version");
    let array = hierarchy.open_array(&path("a/b/c")).expect("opens");
    both(&array, &mut Model::of(SHAPE), [0, 0], [1, 1], SHAPE);
    hierarchy.create_group(&path("a/g"), None).expect("of the store's format");
    let root = hierarchy.open_group(&NodePath::root()).expect("opens");
    assert_eq!(root.format(), FormatId::N5);
    let listed: Vec<_> =
        root.list(true).expect("lists").into_iter().map(|n| (n.path, n.kind)).collect();
    let node = |path: &str, kind| (path.to_owned(), Some(kind));
    let (group, dataset) = (NodeKind::Group, NodeKind::Array);
    let expected =
        [node("a", group), node("a/b", group), node("a/b/c", dataset), node("a/g", group)];
    assert_eq!(listed, expected);

    // attributes lie beside the members of N5, whose names they cannot take
    let attributes = array.attributes();
    attributes.write(&mut |a| a.set("units", "\"K\"")).expect("written");
    let e = attributes.write(&mut |a| a.set("blockSize", "[1, 1]")).expect_err("reserved");
    assert_eq!(e.kind(), Kind::InvalidArgument);
    let again = hierarchy.open_array(&path("a/b/c")).expect("still an array");
    let json = |node: &NodeAttributes| node.read(|a| Ok(a.to_json())).expect("reads");
    assert_eq!(json(again.attributes()), r#"{"units":"K"}"#);
    // those of a group without a document, too
    let implied = hierarchy.open_group(&path("a/b")).expect("implied");
    implied.attributes().write(&mut |a| a.set("x", "1")).expect("written");
    let implied = hierarchy.open_group(&path("a/b")).expect("opens");
    assert_eq!(json(implied.attributes()), r#"{"x":1}"#);

    let taken = hierarchy.create_array(&path("a/b"), &n5_spec()).err().map(|e| e.kind());
    assert_eq!(taken, Some(Kind::AlreadyExists));
    let inside = hierarchy.create_array(&path("a/b/c/d"), &n5_spec()).err().map(|e| e.kind());
    assert_eq!(inside, Some(Kind::InvalidArgument), "within an array");
    hierarchy.delete(&path("a/b/c")).expect("deleted");
    assert_eq!(hierarchy.kind_at(&path("a/b/c")).expect("looks"), None);
    assert_eq!(stored(&hierarchy, "a/b/c/0/0"), None);
}

#[test]
fn a_chunk_of_many_elements_is_filled_with_the_fill_value_at_once() {
    let hierarchy = open("large", "0");
    let shape = [1 << 32];
    let mut spec = ArraySpec::new(DataType::UInt8, shape.to_vec());
    spec.chunk_shape = Some(vec![1 << 32]);
    spec.chunk_edges.insert(0, vec![1 << 32]);
    let array = create(&hierarchy, &spec).array;
    let all = Selection::all(&shape);
    let began = std::time::Instant::now();
    array.fill(&all, MemoryType::Native, None, &[0]).expect("filled");
    assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    assert_eq!(array.stored_chunks().expect("listed"), [[0u64; 0]; 0]);
}
