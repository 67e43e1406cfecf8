//! Properties of every format, over random metadata: it reads back what it writes, and a change
//! leaves everything else unchanged.

use super::*;
use crate::error::Kind;
use crate::metadata::{
    ChunkGrid, CodecSpec, FillValue, GroupMetadata, StructType, TimeScale, TimeUnit,
};
use serde_json::{Value, json};
use std::collections::HashMap;

const READING: Reading =
    Reading { data_type_fallback: true, v1_writer_order: false, mask_and_scale: false };
const ROUNDS: u64 = 1500;

/// The formats with a regular grid; N5 crops chunks at the edge.
fn formats() -> impl Iterator<Item = SharedFormat> {
    FORMATS.iter().filter(|f| f.id != FormatId::N5).map(|f| (f.new)(&READING))
}

/// The same numbers in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn often(&mut self) -> bool {
        self.below(4) > 0
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize].clone()
    }

    fn data_type(&mut self, depth: usize) -> DataType {
        use DataType::*;
        let scale =
            TimeScale { unit: self.pick(&TimeUnit::NAMES).0, count: self.below(3) as u32 + 1 };
        let length = self.below(9) as usize + 1;
        let plain = [
            Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32,
            Float64, BFloat16, Complex64, Complex128,
        ];
        match self.below(24) {
            0 => Raw(length),
            1 => FixedBytes(length),
            2 => FixedUtf32(length),
            3 => DateTime64(scale),
            4 => TimeDelta64(scale),
            5 if depth < 3 => {
                let fields = (0..self.below(3) + 1)
                    .map(|n| (format!("f{n}\""), self.data_type(depth + 1), Vec::new(), None))
                    .collect();
                Struct(StructType::new(fields).expect("good fields").into())
            }
            _ => self.pick(&plain),
        }
    }

    /// A valid element: 0 or 1 for a bool, characters for text.
    fn element(&mut self, data_type: &DataType) -> Box<[u8]> {
        let mut bytes = vec![0; data_type.size()];
        match data_type {
            _ if self.below(4) == 0 => {}
            DataType::Bool => bytes[0] = self.below(2) as u8,
            DataType::FixedUtf32(n) => {
                for unit in bytes.chunks_exact_mut(4).take(self.below(*n as u64 + 1) as usize) {
                    let c = self.pick(&['a', 'N', '"', '\\', 'é', '\u{1f680}']);
                    unit.copy_from_slice(&u32::from(c).to_ne_bytes());
                }
            }
            DataType::Struct(fields) => {
                for field in fields.fields() {
                    let value = self.element(&field.data_type);
                    bytes[field.offset..][..field.size].copy_from_slice(&value);
                }
            }
            // infinities and NaNs of every kind
            DataType::Float32 if self.below(3) == 0 => {
                let high = self.pick(&[0x7f80_0000u32, 0xff80_0000, 0x7fc0_0000, 0x7fc0_0001]);
                bytes.copy_from_slice(&high.to_ne_bytes());
            }
            _ => bytes.iter_mut().for_each(|b| *b = self.next() as u8),
        }
        bytes.into()
    }

    fn codec(&mut self) -> CodecSpec {
        let level = self.below(9) + 1;
        let (name, configuration) = self.pick(&[
            ("gzip", json!({ "level": level })),
            ("zlib", json!({ "level": level })),
            ("bz2", json!({ "level": level })),
            ("zstd", json!({ "level": level })),
            ("zstd", json!({ "level": level, "checksum": true })),
            ("lz4", json!({ "acceleration": level })),
            ("blosc", json!({})),
            ("blosc", json!({"cname": "zstd", "clevel": level, "shuffle": "bitshuffle"})),
            ("blosc", json!({"cname": "lz4", "shuffle": 0})),
            ("crc32c", json!({})),
        ]);
        CodecSpec::new(name, configuration.as_object().cloned().unwrap_or_default())
    }

    fn array(&mut self, format: &dyn Format) -> ArrayMetadata {
        let rank = self.below(4) as usize;
        let data_type = self.data_type(0);
        let spec = |name: &str, configuration: Value| {
            CodecSpec::new(name, configuration.as_object().cloned().unwrap_or_default())
        };
        let mut codecs = Vec::new();
        if rank > 1 && self.below(3) == 0 {
            codecs.push(spec("transpose", json!({"order": (0..rank).rev().collect::<Vec<_>>()})));
        }
        if rank > 2 && self.below(12) == 0 {
            codecs.push(spec("transpose", json!({"order": [1, 0, 2]})));
        }
        codecs.push(match data_type.has_byte_order() {
            true => spec("bytes", json!({"endian": self.pick(&["little", "little", "big"])})),
            false => spec("bytes", json!({})),
        });
        for _ in 0..self.pick(&[0, 1, 1, 1, 2]) {
            codecs.push(self.codec());
        }
        let mut chunk: Vec<u64> = (0..rank).map(|_| self.below(9) + 1).collect();
        if self.below(5) == 0 {
            let inner: Vec<Value> = codecs.iter().map(codec_name::to_value).collect();
            let index = format.shard_index_codecs();
            codecs = vec![spec(
                "sharding_indexed",
                json!({
                    "chunk_shape": chunk, "codecs": inner, "index_codecs": index,
                    "index_location": "end",
                }),
            )];
            chunk.iter_mut().for_each(|n| *n *= 2);
        }
        let separator = self.pick(&[None, None, Some('.'), Some('/')]);
        let mut attributes = Attributes::default();
        for n in 0..self.below(3) {
            let value = self.pick(&["1.10", "[null, {}]", "\"é\\n\"", "123456789012345678901"]);
            attributes.set(&format!("a{n}\""), value).expect("JSON");
        }
        let names = (0..rank).map(|n| self.often().then(|| format!("d{n}"))).collect();
        ArrayMetadata {
            shape: (0..rank).map(|_| self.below(20)).collect(),
            fill_value: self.often().then(|| self.element(&data_type).into()),
            fill_ambiguous: false,
            data_type,
            chunk_grid: ChunkGrid::regular(chunk, rank).expect("a grid"),
            chunk_keys: match self.below(12) {
                0 => KeyEncoding::Reversed,
                1 => KeyEncoding::Default('/'),
                _ => format.chunk_keys(separator),
            },
            codecs,
            dimension_names: if rank > 0 && self.below(6) == 0 { Some(names) } else { None },
            attributes: Some(attributes),
        }
    }
}

/// Reads a node like the hierarchy.
fn read(format: &dyn Format, path: &NodePath, docs: &HashMap<String, Vec<u8>>) -> NodeMetadata {
    let documents = format.documents(path);
    let found = documents.iter().position(|key| docs.contains_key(key)).expect("a document");
    let document = &docs[&documents[found]];
    let text = String::from_utf8_lossy(document);
    let mut node = format.parse(found, document).unwrap_or_else(|e| panic!("{e} in {text}"));
    let (attributes, kind) = match &mut node {
        NodeMetadata::Array(array) => (&mut array.attributes, NodeKind::Array),
        NodeMetadata::Group(group) => (&mut group.attributes, NodeKind::Group),
    };
    if attributes.is_none() {
        let key = format.attributes_document(path, kind);
        let text = docs.get(&key);
        *attributes =
            Some(text.map_or(Ok(Attributes::default()), |t| Attributes::parse(t)).expect("JSON"));
    }
    node
}

fn array_of(node: NodeMetadata) -> ArrayMetadata {
    match node {
        NodeMetadata::Array(array) => *array,
        NodeMetadata::Group(_) => panic!("a group"),
    }
}

/// Compares two arrays, as far as the format can express them.
fn assert_same(format: &dyn Format, mut a: ArrayMetadata, mut b: ArrayMetadata, text: &str) {
    for array in [&mut a, &mut b] {
        array.codecs = codec_name::to_v3(&array.codecs, &array.data_type, array.shape.len())
            .expect("v3 can say it");
        array.fill_value = Some(array.fill_element());
        if let Some(names) = &array.dimension_names
            && names.iter().all(Option::is_none)
        {
            array.dimension_names = None;
        }
    }
    if format.id() == FormatId::V2 {
        // v2 keeps dimension names among the attributes
        let attributes = b.attributes.clone().expect("attributes");
        b.dimension_names = format.dimension_names(&attributes, b.shape.len());
        if b.dimension_names.is_some() {
            b.attributes.as_mut().map(|a| a.remove("_ARRAY_DIMENSIONS"));
        }
    }
    if format.id() == FormatId::V1
        && let Some(attributes) = &b.attributes
    {
        // v1 writes ASCII
        let text = attributes.to_json().replace("\\u00e9", "é");
        b.attributes = Attributes::parse(text.as_bytes()).ok();
    }
    if !says_bits(format.id()) {
        (a.fill_value, b.fill_value) = (canonical(&a), canonical(&b));
    }
    // the model cannot know how readers interpret the text
    a.fill_ambiguous = b.fill_ambiguous;
    assert_eq!(a, b, "{} {text}", format.name());
}

fn says_bits(id: FormatId) -> bool {
    matches!(id, FormatId::V3 | FormatId::V3Draft2020 | FormatId::V3Draft2022)
}

/// The fill value, with every NaN replaced by the one that the word "NaN" means.
fn canonical(array: &ArrayMetadata) -> Option<FillValue> {
    let order = Endian::Little;
    let element = array.fill_element();
    let json =
        fill::to_json(&array.data_type, order, &element, FormatId::V2.style()).expect("v2 says it");
    fill::parse(&array.data_type, order, &json, FormatId::V2.style()).expect("and reads it")
}

#[test]
fn what_a_format_says_it_reads_back() {
    for format in formats() {
        let format = &*format;
        let path = match format.id() {
            FormatId::V1 => NodePath::root(),
            _ => NodePath::parse("a/b").expect("a path"),
        };
        let mut said = 0;
        for round in 0..ROUNDS {
            let array = Random(round).array(format);
            let node = NodeMetadata::Array(Box::new(array.clone()));
            let docs = match format.emit(&path, &node) {
                Ok(docs) => docs,
                Err(e) => {
                    assert_eq!(e.kind(), Kind::Unsupported, "{e}: {array:?}");
                    continue;
                }
            };
            said += 1;
            assert_eq!(docs.last().map(|(key, _)| key), format.documents(&path).first());
            let docs: HashMap<_, _> = docs.into_iter().collect();
            let text: Vec<_> = docs.values().map(|d| String::from_utf8_lossy(d)).collect();
            let text = format!("{round}: {}", text.join(""));
            let back = array_of(read(format, &path, &docs));
            assert_same(format, array, back.clone(), &text);
            // metadata that was read is written and read without change
            let again = format.emit(&path, &NodeMetadata::Array(Box::new(back.clone())));
            let again = again.unwrap_or_else(|e| panic!("{e}: {text}")).into_iter().collect();
            assert_eq!(array_of(read(format, &path, &again)), back, "{text}");
        }
        assert!(said > ROUNDS / 10, "{} says {said} of {ROUNDS}", format.name());
    }
}

#[test]
fn a_change_leaves_the_rest() {
    for format in formats() {
        let format = &*format;
        let path = match format.id() {
            FormatId::V1 => NodePath::root(),
            _ => NodePath::parse("a").expect("a path"),
        };
        // a member that readers may ignore, with unusual number spellings
        let unknown = r#"{"must_understand": false, "x" : [1.10, 1e0, "\u0041"]}"#;
        let strict = format.id() == FormatId::V3Draft2022;
        for round in 0..ROUNDS / 3 {
            let mut random = Random(round + 77);
            let node = NodeMetadata::Array(Box::new(random.array(format)));
            let Ok(docs) = format.emit(&path, &node) else { continue };
            let mut docs: HashMap<String, Vec<u8>> = docs.into_iter().collect();
            let key = format.documents(&path)[0].clone();
            if !strict {
                let text = json::replace_member(&docs[&key], "né w", unknown).expect("a document");
                docs.insert(key.clone(), text);
            }
            let before = array_of(read(format, &path, &docs));

            let mut attributes = before.attributes.clone().expect("attributes");
            attributes.set("new", "[1.0, {}]").expect("JSON");
            let shape: Vec<u64> = before.shape.iter().map(|n| n + random.below(5)).collect();
            for change in [Change::Attributes(&attributes), Change::Shape(&shape)] {
                let present = docs.clone();
                let mut old = |key: &str| Ok(present.get(key).cloned());
                let (key, text) =
                    format.change(&path, NodeKind::Array, change, &mut old).expect("a change");
                docs.insert(key, text);
            }
            let after = array_of(read(format, &path, &docs));
            let expected = ArrayMetadata { shape, attributes: Some(attributes), ..before };
            assert_eq!(after, expected, "{} {round}", format.name());
            let text = String::from_utf8_lossy(&docs[&key]);
            assert!(strict || text.contains(unknown), "{} {text}", format.name());
        }
    }
}

#[test]
fn groups_are_read_back_and_changed() {
    let path = NodePath::parse("g").expect("a path");
    for format in formats().filter(|f| f.id() != FormatId::V1) {
        let mut attributes = Attributes::default();
        attributes.set("k", "1.50").expect("JSON");
        let node = NodeMetadata::Group(GroupMetadata { attributes: Some(attributes.clone()) });
        let docs: HashMap<_, _> = format.emit(&path, &node).expect("a group").into_iter().collect();
        assert_eq!(read(&*format, &path, &docs), node, "{}", format.name());
        attributes.set("filters", "[{\"id\": \"delta\"}]").expect("JSON");
        let mut old = |key: &str| Ok(docs.get(key).cloned());
        let (key, text) = format
            .change(&path, NodeKind::Group, Change::Attributes(&attributes), &mut old)
            .expect("a change");
        let mut docs = docs.clone();
        docs.insert(key, text);
        let node = NodeMetadata::Group(GroupMetadata { attributes: Some(attributes) });
        assert_eq!(read(&*format, &path, &docs), node, "{}", format.name());
    }
}

#[test]
fn a_store_is_told_by_the_documents_at_its_root() {
    for entry in FORMATS {
        for document in entry.root_documents {
            let known = crate::metadata::MARKERS.iter().any(|files| files.contains(document));
            assert!(known, "{:?}: {document}", entry.id);
        }
    }
}
