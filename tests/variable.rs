//! The codecs of elements of variable length, through arrays in memory: what is written is what
//! numcodecs writes, and comes back; a part equals that part of the whole, whatever lies around
//! the codec; what was damaged is an error or data.

use super::common::Random;
use serde_json::{Value, json};
use std::sync::Arc;
use zarrc::error::{Kind, Result};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArrayNode, Hierarchy};
use zarrc::metadata::{NodePath, Region};
use zarrc::store::{self, Key, Mode, Options, Precondition};

fn memory(name: &str) -> Arc<Hierarchy> {
    let options = Options::default();
    let store =
        store::open(&format!("memory:variable-{name}"), Mode::Append, &options).expect("memory");
    Arc::new(Hierarchy::new(store, &options))
}

/// An array of v2 behind these filters.
fn v2(hierarchy: &Arc<Hierarchy>, shape: &[u64], chunks: &[u64], more: Value) -> ArrayNode {
    let mut document = json!({
        "zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "|O", "compressor": null,
        "fill_value": null, "order": "C",
    });
    let members = more.as_object().expect("members").clone();
    document.as_object_mut().expect("an object").extend(members);
    let text = document.to_string();
    let root = NodePath::root();
    hierarchy.create_array_from_document(&root, FormatId::V2, text.as_bytes()).expect("created")
}

fn write(array: &ArrayNode, region: &Region, items: &[Vec<u8>]) -> Result<()> {
    let mut offsets = vec![0];
    for item in items {
        offsets.push(offsets[offsets.len() - 1] + item.len() as u64);
    }
    array.array.write_vlen(region, &offsets, &items.concat())
}

fn read(array: &ArrayNode, region: &Region) -> Result<Vec<Vec<u8>>> {
    let values = array.array.read_vlen(region)?;
    let item = |pair: &[u64]| values.bytes()[pair[0] as usize..pair[1] as usize].to_vec();
    Ok(values.offsets().windows(2).map(item).collect())
}

fn whole(array: &ArrayNode) -> Region {
    Region::whole(&array.array.shape())
}

fn stored(hierarchy: &Hierarchy, key: &str) -> Vec<u8> {
    let mut value = Vec::new();
    let source = hierarchy.store().source(&Key::parse(key).expect("a key"));
    assert!(source.read_all(0, &mut value).expect("read"), "{key}");
    value
}

fn texts(items: &[&str]) -> Vec<Vec<u8>> {
    items.iter().map(|item| item.as_bytes().to_vec()).collect()
}

fn bytes_of_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}

/// Bytes by numcodecs 0.15.2 and msgpack 1.2.4, of the same elements.
#[test]
fn what_is_written_is_what_numcodecs_writes() {
    let long = format!("\"{}\"", "x".repeat(40));
    let values = texts(&[
        r#"{"b": [1, 2.5, null], "a": "\u00e9\"\n\u007f\ud83d\ude80"}"#,
        "-129",
        " [true, {}, []] ",
        &long,
    ]);
    let python = |text: &str| text.replace("LONG", &"x".repeat(40)).into_bytes();
    let plain = r#"[[{"a":"\u00e9\"\n\u007f\ud83d\ude80","b":[1,2.5,null]},-129],[[true,{},[]],"LONG"],"|O",[2,2]]"#;
    let indented = "[\n [\n  {\n   \"b\": [\n    1, \n    2.5, \n    null\n   ], \n   \"a\": \"é\\\"\\n\x7f🚀\"\n  }, \n  -129\n ], \n [\n  [\n   true, \n   {}, \n   []\n  ], \n  \"LONG\"\n ], \n \"|O\", \n [\n  2, \n  2\n ]\n]";
    let packed = "949282a1629301cb4004000000000000c0a161a9c3a9220a7ff09f9a80d1ff7f9293c38090d928";
    let old = "949282a1629301ca40200000c0a161a9c3a9220a7ff09f9a80d1ff7f9293c38090da0028";
    let end = format!("{}a27c4f920202", "78".repeat(40));
    for (filter, expected) in [
        (json!({"id": "json2"}), python(plain)),
        (
            json!({"id": "json2", "indent": 1, "ensure_ascii": false, "sort_keys": false}),
            python(indented),
        ),
        (json!({"id": "msgpack2"}), bytes_of_hex(&format!("{packed}{end}"))),
        (
            json!({"id": "msgpack2", "use_bin_type": false, "use_single_float": true}),
            bytes_of_hex(&format!("{old}{end}")),
        ),
    ] {
        for order in ["C", "F"] {
            let hierarchy = memory(&format!("numcodecs{filter}{order}"));
            let members = json!({"filters": [filter], "order": order});
            let array = v2(&hierarchy, &[2, 2], &[2, 2], members);
            write(&array, &whole(&array), &values).expect("written");
            let value = stored(&hierarchy, "0.0");
            assert_eq!(value, expected, "{filter}: {}", String::from_utf8_lossy(&value));
            let back = read(&array, &whole(&array)).expect("read");
            for (back, value) in back.iter().zip(&values) {
                let parse = |text: &[u8]| serde_json::from_slice::<Value>(text).expect("JSON");
                assert_eq!(parse(back), parse(value));
            }
        }
    }
    for (filter, items, expected) in [
        (json!({"id": "vlen-utf8"}), texts(&["", "é"]), "020000000000000002000000c3a9"),
        (
            json!({"id": "vlen-array", "dtype": ">i2"}),
            vec![[1i16, -2].map(i16::to_ne_bytes).concat(), vec![], 3i16.to_ne_bytes().into()],
            "03000000040000000001fffe00000000020000000003",
        ),
        (
            json!({"id": "categorize", "labels": ["female", "male"], "dtype": "|O", "astype": ">u2"}),
            texts(&["male", "female", "", "male"]),
            "0002000100000002",
        ),
    ] {
        let hierarchy = memory(&format!("vlen{filter}"));
        let count = items.len() as u64;
        let array = v2(&hierarchy, &[count], &[count], json!({"filters": [filter]}));
        write(&array, &whole(&array), &items).expect("written");
        assert_eq!(stored(&hierarchy, "0"), bytes_of_hex(expected), "{filter}");
        assert_eq!(read(&array, &whole(&array)).expect("read"), items);
    }
}

/// Not JSON, but Python's: read as strings, and still what they were after others are written.
#[test]
fn nan_and_infinities_stay_what_they_are() {
    let json = br#"[NaN,-Infinity,1e+300,9223372036854775808,"NaN","|O",[5]]"#;
    let packed = bytes_of_hex(
        "97cb7ff8000000000000cbfff0000000000000cb7e37e43c8800759ccf8000000000000000a34e614ea27c4f9105",
    );
    for (id, encoded) in [("json2", &json[..]), ("msgpack2", &packed)] {
        let hierarchy = memory(&format!("nan {id}"));
        let array = v2(&hierarchy, &[5], &[5], json!({"filters": [{"id": id}]}));
        let key = Key::parse("0").expect("a key");
        hierarchy.store().set(&key, &[encoded], &Precondition::None).expect("set");
        let values = read(&array, &whole(&array)).expect("read");
        let quoted = ["\"NaN\"", "\"-Infinity\"", "1e300", "9223372036854775808", "\"NaN\""];
        for (value, quoted) in values.iter().zip(quoted) {
            let parse = |text: &[u8]| serde_json::from_slice::<Value>(text).expect("JSON");
            assert_eq!(parse(value), parse(quoted.as_bytes()), "{id}");
        }
        let last = Region::new(&[5], &[4], &[1], None).expect("inside");
        write(&array, &last, &texts(&["true"])).expect("written");
        let value = stored(&hierarchy, "0");
        match id {
            "json2" => {
                let expected = br#"[NaN,-Infinity,1e+300,9223372036854775808,true,"|O",[5]]"#;
                assert_eq!(value, expected, "{}", String::from_utf8_lossy(&value));
            }
            _ => assert_eq!(value[..37], encoded[..37]),
        }
    }
}

/// A filter, and elements for it.
type Sample = (Value, fn(&mut Random) -> Vec<u8>);

fn samples() -> Vec<Sample> {
    fn word(random: &mut Random) -> Vec<u8> {
        let letters = ["a", "é", "日", "🚀", "\n", "\"", "\\"];
        (0..random.below(9)).map(|_| letters[random.below(7) as usize]).collect::<String>().into()
    }
    fn bytes(random: &mut Random) -> Vec<u8> {
        (0..random.below(30)).map(|_| random.next() as u8).collect()
    }
    fn run(random: &mut Random) -> Vec<u8> {
        (0..random.below(5)).flat_map(|_| (random.next() as i32).to_ne_bytes()).collect()
    }
    fn value(random: &mut Random) -> Vec<u8> {
        let word = String::from_utf8(word(random)).expect("text");
        let value = match random.below(6) {
            0 => Value::Null,
            1 => json!(random.next() as i64),
            2 => json!(random.next() as f64 / 1e9),
            3 => json!([word, [], {"k": random.below(5)}]),
            4 => json!({ word: true }),
            _ => json!(word),
        };
        value.to_string().into()
    }
    vec![
        (json!({"id": "vlen-utf8"}), word),
        (json!({"id": "vlen-bytes"}), bytes),
        (json!({"id": "vlen-array", "dtype": "<i4"}), run),
        (json!({"id": "vlen-array", "dtype": ">i4"}), run),
        (json!({"id": "json2", "ensure_ascii": false}), value),
        (json!({"id": "msgpack2"}), value),
    ]
}

/// numcodecs makes nothing of them.
#[test]
fn a_string_that_is_no_label_is_refused() {
    let hierarchy = memory("labels");
    let filter = json!({"id": "categorize", "labels": ["a", "b"], "dtype": "|O"});
    let array = v2(&hierarchy, &[2], &[2], json!({"filters": [filter], "fill_value": ""}));
    write(&array, &whole(&array), &texts(&["b", "a"])).expect("written");
    let e = write(&array, &whole(&array), &texts(&["c", "a"])).expect_err("no label");
    assert_eq!(e.kind(), Kind::InvalidArgument, "{e}");
    assert!(e.to_string().contains("\"c\""), "{e}");
    assert_eq!(read(&array, &whole(&array)).expect("read"), texts(&["b", "a"]));
    let key = Key::parse("0").expect("a key");
    hierarchy.store().set(&key, &[&[9, 1]], &Precondition::None).expect("set");
    assert_eq!(read(&array, &whole(&array)).expect("read"), texts(&["", "a"]));
}

fn same(id: &str, a: &[Vec<u8>], b: &[Vec<u8>]) -> bool {
    let parse = |text: &Vec<u8>| serde_json::from_slice::<Value>(text).expect("JSON");
    match id {
        "json2" | "msgpack2" => a.iter().map(parse).eq(b.iter().map(parse)),
        _ => a == b,
    }
}

#[test]
fn parts_equal_those_of_the_whole() {
    let mut random = Random(3);
    let shape = [7, 9];
    for (n, (filter, sample)) in samples().into_iter().enumerate() {
        let id = filter["id"].as_str().expect("an id").to_owned();
        for (m, more) in [
            json!({}),
            json!({"compressor": {"id": "zlib", "level": 1}}),
            json!({"order": "F", "compressor": {"id": "blosc", "cname": "lz4"}}),
        ]
        .into_iter()
        .enumerate()
        {
            let mut more = more;
            more["filters"] = json!([filter, {"id": "crc32"}]);
            let hierarchy = memory(&format!("parts {n} {m}"));
            let array = v2(&hierarchy, &shape, &[3, 4], more);
            let mut model: Vec<Vec<u8>> = (0..63).map(|_| sample(&mut random)).collect();
            write(&array, &whole(&array), &model).expect("written");
            for round in 0..20 {
                let mut pick = || {
                    let start = [random.below(7), random.below(9)];
                    let step = [1 + random.below(3), 1 + random.below(3)];
                    let count =
                        [0, 1].map(|d| 1 + random.below((shape[d] - start[d]).div_ceil(step[d])));
                    (start, step, count)
                };
                let (start, step, count) = pick();
                let region = Region::new(&shape, &start, &count, Some(&step)).expect("inside");
                let places: Vec<usize> = (0..count[0] * count[1])
                    .map(|k| {
                        let (y, x) = (k / count[1] * step[0], k % count[1] * step[1]);
                        ((start[0] + y) * 9 + start[1] + x) as usize
                    })
                    .collect();
                if round % 2 == 0 {
                    for &place in &places {
                        model[place] = sample(&mut random);
                    }
                    let items: Vec<_> = places.iter().map(|&place| model[place].clone()).collect();
                    write(&array, &region, &items).expect("written");
                }
                let part: Vec<_> = places.iter().map(|&place| model[place].clone()).collect();
                assert!(same(&id, &read(&array, &region).expect("read"), &part), "{filter} {m}");
            }
            assert!(same(&id, &read(&array, &whole(&array)).expect("read"), &model), "{filter}");
        }
    }
}

#[test]
fn damaged_bytes_are_an_error_or_data() {
    let mut random = Random(5);
    for (n, (filter, sample)) in samples().into_iter().enumerate() {
        let hierarchy = memory(&format!("damaged {n}"));
        let array = v2(&hierarchy, &[4, 5], &[4, 5], json!({"filters": [filter]}));
        let items: Vec<Vec<u8>> = (0..20).map(|_| sample(&mut random)).collect();
        write(&array, &whole(&array), &items).expect("written");
        let good = stored(&hierarchy, "0.0");
        let key = Key::parse("0.0").expect("a key");
        let part = Region::new(&[4, 5], &[1, 1], &[2, 2], None).expect("inside");
        for round in 0..600 {
            let mut bad = good.clone();
            match round % 4 {
                0 => bad.truncate(random.below(good.len() as u64) as usize),
                1 => bad.extend_from_slice(&good[..random.below(good.len() as u64) as usize + 1]),
                2 => {
                    let at = random.below(good.len() as u64) as usize;
                    let four = bad.len().min(at + 4);
                    bad[at..four].fill(0xff);
                }
                _ => {
                    for _ in 0..1 + random.below(3) {
                        let at = random.below(good.len() as u64) as usize;
                        bad[at] = random.next() as u8;
                    }
                }
            }
            hierarchy.store().set(&key, &[&bad], &Precondition::None).expect("set");
            for region in [&whole(&array), &part] {
                match read(&array, region) {
                    Ok(items) => {
                        let count = region.spans().iter().map(|s| s.count).product::<u64>();
                        assert_eq!(items.len() as u64, count);
                    }
                    Err(e) => {
                        let kinds = [Kind::CorruptData, Kind::Unsupported];
                        assert!(kinds.contains(&e.kind()), "{filter}: {e}");
                        assert!(e.to_string().contains("chunk 0.0"), "{e}");
                    }
                }
            }
        }
        let cut = &good[..good.len() - 1];
        hierarchy.store().set(&key, &[cut], &Precondition::None).expect("set");
        let e = read(&array, &part).expect_err("cut short");
        assert_eq!(e.kind(), Kind::CorruptData, "{filter}: {e}");
    }
}

#[test]
fn parameters_are_checked_when_the_array_is_opened() {
    for (filter, kind) in [
        (json!({"id": "json2", "separators": [";", ":"]}), Kind::InvalidMetadata),
        (json!({"id": "json2", "sort_keys": 1}), Kind::InvalidMetadata),
        (json!({"id": "json2", "encoding": "utf-16"}), Kind::Unsupported),
        (json!({"id": "json2", "made_up": 1}), Kind::InvalidMetadata),
        (json!({"id": "msgpack2", "encoding": "utf-8"}), Kind::InvalidMetadata),
        (json!({"id": "vlen-utf8", "x": 1}), Kind::InvalidMetadata),
        (json!({"id": "vlen-array", "dtype": "<i3"}), Kind::InvalidMetadata),
        (json!({"id": "pickle", "protocol": 4}), Kind::Unsupported),
        (json!({"id": "json"}), Kind::Unsupported),
        (json!({"id": "categorize", "dtype": "|O"}), Kind::InvalidMetadata),
        (json!({"id": "categorize", "labels": ["a"], "dtype": "<U2"}), Kind::InvalidMetadata),
        (json!({"id": "categorize", "labels": ["a"], "astype": "<f4"}), Kind::InvalidMetadata),
    ] {
        let hierarchy = memory(&format!("parameters{filter}"));
        let document = json!({
            "zarr_format": 2, "shape": [1], "chunks": [1], "dtype": "|O", "compressor": null,
            "fill_value": null, "order": "C", "filters": [filter],
        })
        .to_string();
        let root = NodePath::root();
        let created =
            hierarchy.create_array_from_document(&root, FormatId::V2, document.as_bytes());
        let e = created.err().expect("refused");
        assert_eq!(e.kind(), kind, "{filter}: {e}");
    }
}
