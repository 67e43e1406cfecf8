//! One suite over every codec of the table: what is encoded decodes to the same, a part equals
//! that part of the whole, an update equals the whole written anew, and damaged bytes lead to an
//! error or to data, never further.

mod chains;
mod mutations;

use super::common::Random;
use chains::{chains, chains_of_types, chains_that_round, index_codecs};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use zarrc::call::Call;
use zarrc::codec::{Chain, ChunkSpec, Encoded, Patch};
use zarrc::error::{Kind, Result};
use zarrc::metadata::codecs::CODECS;
use zarrc::metadata::{CodecKind, CodecSpec, DataType};
use zarrc::selection::{Pick, Region};
use zarrc::source::{Absent, ByteSource};
use zarrc::strided::{Number, View, ViewMut, convert, copy};

fn three() -> Call<'static> {
    Call { write_empty: true, ..Call::new(3) }
}

const SHAPE: [u64; 3] = [8, 10, 12];

fn specs(chain: &Value) -> Vec<CodecSpec> {
    let list = chain.as_array().expect("a list");
    list.iter().map(|c| CodecSpec::from_json(c).expect("a codec")).collect()
}

fn build(chain: &Value, data_type: DataType) -> Chain {
    let fill = vec![0xAA; data_type.size()];
    build_filled(chain, data_type, fill)
}

fn build_filled(chain: &Value, data_type: DataType, fill: Vec<u8>) -> Chain {
    let spec = ChunkSpec { shape: SHAPE.to_vec(), data_type, fill: fill.into(), most: None };
    Chain::new(&specs(chain), spec).expect("a good chain")
}

fn extents(shape: &[u64]) -> Vec<usize> {
    shape.iter().map(|&n| n as usize).collect()
}

/// Elements that compress a little, with runs of the fill value between them.
fn data(item: usize, random: &mut Random) -> Vec<u8> {
    let len = SHAPE.iter().product::<u64>() as usize * item;
    let mut bytes: Vec<u8> = (0..len).map(|i| ((i / 7) as u64 + random.below(3)) as u8).collect();
    bytes[len / 2..].fill(0xAA);
    bytes
}

/// Small numbers with a fraction, of a type that has one, and some repeated.
fn numbers(data_type: &DataType, random: &mut Random) -> Vec<u8> {
    let len = SHAPE.iter().product::<u64>();
    let number = data_type.number().expect("a number");
    let values: Vec<u8> = (0..len)
        .flat_map(|i| ((i / 9 % 50) as f64 + random.below(8) as f64 / 8.0).to_ne_bytes())
        .collect();
    let bits: Vec<u8> = (0..len).map(|_| random.below(2) as u8).collect();
    let (values, from) = match data_type {
        DataType::Bool => (&bits, Number::Bool),
        _ => (&values, Number::Float64),
    };
    let mut out = vec![0; len as usize * data_type.size()];
    let src = View::contiguous(values, &[len as usize], from.size()).expect("fits");
    let mut dst = ViewMut::contiguous(&mut out, &[len as usize], number.size()).expect("fits");
    convert(&src, from, &mut dst, number).expect("they fit");
    out
}

/// `src` written over a box of the chunk in `old`.
fn update(
    chain: &Chain,
    old: &dyn ByteSource,
    region: &Region,
    src: &View<'_>,
    call: &Call<'_>,
) -> zarrc::error::Result<Option<Encoded<'static>>> {
    let pick = &Pick::Region(region.clone());
    chain.update(old, &Patch { pick, src, field: 0 }, call)
}

fn encode(chain: &Chain, bytes: &[u8], call: &Call<'_>) -> Option<Vec<u8>> {
    let item = chain.chunk().data_type.size();
    let src = View::contiguous(bytes, &extents(&SHAPE), item).expect("fits");
    chain.encode(&src, call).expect("encodes").map(|e| e.parts().concat())
}

fn decode(chain: &Chain, encoded: &[u8], region: &Region) -> Result<Vec<u8>> {
    let item = chain.chunk().data_type.size();
    let count: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
    let mut out = vec![0x55; count.iter().product::<usize>() * item];
    let dst = ViewMut::contiguous(&mut out, &count, item)?;
    assert!(chain.decode(&encoded, region, dst, &Call::new(3))?, "it is there");
    Ok(out)
}

fn random_region(random: &mut Random) -> Region {
    let mut start = [0; 3];
    let mut count = [0; 3];
    let mut step = [1; 3];
    for d in 0..3 {
        start[d] = random.below(SHAPE[d]);
        step[d] = 1 + random.below(4);
        count[d] = 1 + random.below((SHAPE[d] - start[d]).div_ceil(step[d]));
    }
    Region::new(&SHAPE, &start, &count, Some(&step)).expect("inside")
}

/// The part of a whole, by an arithmetic of its own.
fn part_of(bytes: &[u8], item: usize, region: &Region) -> Vec<u8> {
    let s = region.spans();
    let mut out = Vec::new();
    for z in 0..s[0].count {
        for y in 0..s[1].count {
            for x in 0..s[2].count {
                let at = |d: usize, k: u64| s[d].start + k * s[d].step;
                let n = (at(0, z) * SHAPE[1] + at(1, y)) * SHAPE[2] + at(2, x);
                out.extend_from_slice(&bytes[n as usize * item..(n as usize + 1) * item]);
            }
        }
    }
    out
}

/// Every name that stands in a chain, those inside a shard too.
fn names(chain: &Value, found: &mut BTreeSet<String>) {
    match chain {
        Value::Array(list) => list.iter().for_each(|codec| names(codec, found)),
        Value::Object(members) => {
            found.extend(members.get("name").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| names(member, found));
        }
        _ => {}
    }
}

#[test]
fn every_codec_has_its_turn() {
    let typed = chains_of_types().into_iter().chain(chains_that_round()).map(|(_, _, c)| c);
    let mut found = BTreeSet::new();
    chains().into_iter().map(|(_, c)| c).chain(typed).for_each(|c| names(&c, &mut found));
    // those of elements of variable length have theirs in tests/variable.rs; a pickle has none
    let variable =
        ["vlen-utf8", "vlen-bytes", "vlen-array", "json2", "msgpack2", "categorize", "pickle"];
    for codec in CODECS.iter().filter(|codec| !variable.contains(&codec.name)) {
        let name = codec.name;
        assert!(
            found.contains(name),
            "codec {name} has no chain: add one to tests/codec_suite/chains.rs"
        );
    }
}

#[test]
fn what_is_encoded_decodes_to_the_same_whole_and_in_parts() {
    let mut random = Random(1);
    let types = [
        DataType::UInt8,
        DataType::Int16,
        DataType::Float32,
        DataType::Complex128,
        DataType::Raw(5),
    ];
    for (name, chain) in chains() {
        for data_type in &types {
            let item = data_type.size();
            let chain = build(&chain, data_type.clone());
            let bytes = data(item, &mut random);
            let encoded = encode(&chain, &bytes, &three()).expect("stored");
            assert_eq!(decode(&chain, &encoded, &Region::whole(&SHAPE)).expect(name), bytes);
            for _ in 0..40 {
                let region = random_region(&mut random);
                let part = decode(&chain, &encoded, &region).expect(name);
                assert_eq!(part, part_of(&bytes, item, &region), "{name} {data_type:?} {region:?}");
            }
            // into memory of another layout
            let mut out = vec![0; bytes.len()];
            let reversed: Vec<usize> = extents(&SHAPE).into_iter().rev().collect();
            let dst = ViewMut::contiguous(&mut out, &reversed, item).expect("fits");
            let dst = dst.into_permuted(&[2, 1, 0]).expect("a permutation");
            let whole = Region::whole(&SHAPE);
            assert!(chain.decode(&encoded.as_slice(), &whole, dst, &Call::new(1)).expect(name));
            let seen = View::contiguous(&out, &reversed, item).expect("fits");
            let mut back = vec![0; bytes.len()];
            let mut dst = ViewMut::contiguous(&mut back, &extents(&SHAPE), item).expect("fits");
            copy(&seen.reversed_axes(), &mut dst).expect("the same shape");
            assert_eq!(back, bytes, "{name} {data_type:?}");
        }
    }
}

#[test]
fn what_codecs_of_one_type_encode_decodes_to_the_same_whole_and_in_parts() {
    let mut random = Random(6);
    for (name, data_type, chain) in chains_of_types() {
        let item = data_type.size();
        let chain = build(&chain, data_type);
        let mut bytes = data(item, &mut random);
        let mut encoded = encode(&chain, &bytes, &three()).expect("stored");
        for _ in 0..20 {
            let found = decode(&chain, &encoded, &Region::whole(&SHAPE)).expect(name);
            assert_eq!(found, bytes, "{name}");
            let region = random_region(&mut random);
            let part = decode(&chain, &encoded, &region).expect(name);
            assert_eq!(part, part_of(&bytes, item, &region), "{name} {region:?}");
            let count: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
            let new = vec![7; part.len()];
            let src = View::contiguous(&new, &count, item).expect("fits");
            let updated = update(&chain, &encoded.as_slice(), &region, &src, &three()).expect(name);
            encoded = updated.expect("stored").parts().concat();
            let (start, step, count) = region.to_view();
            let mut whole = ViewMut::contiguous(&mut bytes, &extents(&SHAPE), item).expect("fits");
            copy(&src, &mut whole.step(&start, &step, &count).expect("inside")).expect("copies");
        }
    }
}

#[test]
fn parts_of_what_a_type_codec_gives_equal_the_whole() {
    let mut random = Random(5);
    for (name, data_type, chain) in chains_that_round() {
        let item = data_type.size();
        let shape = extents(&SHAPE);
        let bytes = numbers(&data_type, &mut random);
        let chain = build_filled(&chain, data_type.clone(), bytes[..item].to_vec());
        let encoded = encode(&chain, &bytes, &three()).expect("stored");
        // into memory of another layout too
        let whole = decode(&chain, &encoded, &Region::whole(&SHAPE)).expect(name);
        let src = View::contiguous(&bytes, &shape, item).expect("fits");
        let mut turned = vec![0; bytes.len()];
        let reversed: Vec<usize> = shape.iter().rev().copied().collect();
        let mut dst = ViewMut::contiguous(&mut turned, &reversed, item).expect("fits");
        copy(&src.reversed_axes(), &mut dst).expect("the same shape");
        let src = View::contiguous(&turned, &reversed, item).expect("fits").reversed_axes();
        let again =
            chain.encode(&src, &three()).expect("encodes").expect("stored").parts().concat();
        assert_eq!(again, encoded, "{name}");
        let dst = ViewMut::contiguous(&mut turned, &reversed, item).expect("fits");
        let dst = dst.into_permuted(&[2, 1, 0]).expect("a permutation");
        let all = Region::whole(&SHAPE);
        assert!(chain.decode(&encoded.as_slice(), &all, dst, &Call::new(1)).expect(name));
        let seen = View::contiguous(&turned, &reversed, item).expect("fits");
        let mut back = vec![0; bytes.len()];
        let mut dst = ViewMut::contiguous(&mut back, &shape, item).expect("fits");
        copy(&seen.reversed_axes(), &mut dst).expect("the same shape");
        assert_eq!(back, whole, "{name}");
        for _ in 0..40 {
            let region = random_region(&mut random);
            let part = decode(&chain, &encoded, &region).expect(name);
            assert_eq!(part, part_of(&whole, item, &region), "{name} {region:?}");
        }
        // what it gives does not change any more
        let encoded = encode(&chain, &whole, &three()).expect("stored");
        let settled = decode(&chain, &encoded, &Region::whole(&SHAPE)).expect(name);
        assert_eq!(settled, whole, "{name}");
        let region = random_region(&mut random);
        let count: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
        let new = part_of(&bytes, item, &region);
        let src = View::contiguous(&new, &count, item).expect("fits");
        let updated = update(&chain, &encoded.as_slice(), &region, &src, &three()).expect(name);
        let updated = updated.expect("stored").parts().concat();
        assert_eq!(decode(&chain, &updated, &Region::whole(&SHAPE)).expect(name), whole, "{name}");
        for cut in (0..encoded.len()).step_by(1 + encoded.len() / 50) {
            let e = decode(&chain, &encoded[..cut], &Region::whole(&SHAPE)).expect_err("cut");
            assert!(matches!(e.kind(), Kind::CorruptData | Kind::LimitExceeded), "{name}: {e}");
        }
        for _ in 0..100 {
            let mut damaged = encoded.clone();
            let at = random.below(damaged.len() as u64) as usize;
            damaged[at] = random.next() as u8;
            if let Err(e) = decode(&chain, &damaged, &random_region(&mut random)) {
                assert!(matches!(e.kind(), Kind::CorruptData | Kind::LimitExceeded), "{name}: {e}");
            }
        }
    }
}

#[test]
fn an_update_equals_the_whole_written_anew() {
    let mut random = Random(2);
    for (name, chain) in chains() {
        let chain = build(&chain, DataType::Int16);
        let mut bytes = data(2, &mut random);
        let mut encoded = encode(&chain, &bytes, &three()).expect("stored");
        for round in 0..20 {
            let region = random_region(&mut random);
            let count: Vec<usize> = region.spans().iter().map(|s| s.count as usize).collect();
            let new: Vec<u8> =
                (0..count.iter().product::<usize>() * 2).map(|_| random.next() as u8).collect();
            let src = View::contiguous(&new, &count, 2).expect("fits");
            let updated = update(&chain, &encoded.as_slice(), &region, &src, &three()).expect(name);
            encoded = updated.expect("stored").parts().concat();

            let spans = region.spans();
            let start: Vec<usize> = spans.iter().map(|s| s.start as usize).collect();
            let step: Vec<isize> = spans.iter().map(|s| s.step as isize).collect();
            let mut whole = ViewMut::contiguous(&mut bytes, &extents(&SHAPE), 2).expect("fits");
            copy(&src, &mut whole.step(&start, &step, &count).expect("inside")).expect("copies");
            let found = decode(&chain, &encoded, &Region::whole(&SHAPE)).expect(name);
            assert_eq!(found, bytes, "{name}, round {round}");
        }
    }
}

#[test]
fn an_update_of_nothing_begins_with_the_fill_value() {
    for (name, chain) in chains() {
        let chain = build(&chain, DataType::Int16);
        let region = Region::new(&SHAPE, &[3, 4, 5], &[2, 2, 2], None).expect("inside");
        let new = [1u8; 16];
        let src = View::contiguous(&new, &[2, 2, 2], 2).expect("fits");
        let options = Call::new(1);
        let encoded =
            update(&chain, &Absent, &region, &src, &options).expect(name).expect("stored");
        let found = decode(&chain, &encoded.parts().concat(), &Region::whole(&SHAPE)).expect(name);
        assert_eq!(found.iter().filter(|&&b| b == 1).count(), 16, "{name}");
        assert_eq!(found.iter().filter(|&&b| b == 0xAA).count(), found.len() - 16, "{name}");
        // and ends with it: nothing is stored
        let fill = [0xAAu8; 16];
        let src = View::contiguous(&fill, &[2, 2, 2], 2).expect("fits");
        let encoded = encoded.parts().concat();
        let emptied = update(&chain, &encoded.as_slice(), &region, &src, &options).expect(name);
        assert!(emptied.is_none(), "{name}");
    }
}

#[test]
fn damage_is_an_error_or_data() {
    let mut random = Random(3);
    for (name, chain) in chains() {
        let chain = build(&chain, DataType::Float32);
        let bytes = data(4, &mut random);
        let encoded = encode(&chain, &bytes, &three()).expect("stored");
        let whole = Region::whole(&SHAPE);
        let kinds = [Kind::CorruptData, Kind::LimitExceeded];
        let look = |damaged: &[u8], region: &Region| match decode(&chain, damaged, region) {
            Ok(_) => true,
            Err(e) => {
                assert!(kinds.contains(&e.kind()), "{name}: {e}");
                false
            }
        };
        for cut in (0..encoded.len()).step_by(1 + encoded.len() / 97) {
            assert!(!look(&encoded[..cut], &whole), "{name}: cut at {cut}");
            look(&encoded[..cut], &random_region(&mut random));
        }
        for _ in 0..300 {
            let mut damaged = encoded.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(damaged.len() as u64) as usize;
                damaged[at] = match random.below(3) {
                    0 => random.next() as u8,
                    1 => damaged[at] ^ (1 << random.below(8)),
                    _ => [0, 0x7F, 0x80, 0xFF][random.below(4) as usize],
                };
            }
            look(&damaged, &whole);
            look(&damaged, &random_region(&mut random));
        }
    }
}

#[test]
fn chains_that_do_not_hold_together_are_refused() {
    let spec = || ChunkSpec {
        shape: SHAPE.to_vec(),
        data_type: DataType::Int32,
        fill: vec![0; 4].into(),
        most: None,
    };
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let shard = |chunk: Value, inner: Value, index: Value| {
        json!([{"name": "sharding_indexed", "configuration":
            {"chunk_shape": chunk, "codecs": inner, "index_codecs": index}}])
    };
    for (chain, kind, words) in [
        (json!([]), Kind::InvalidMetadata, "lack an array to bytes codec"),
        (json!([bytes, bytes]), Kind::InvalidMetadata, "second array to bytes"),
        (json!([{"name": "zstd"}, bytes]), Kind::InvalidMetadata, "before"),
        (
            json!([bytes, {"name": "transpose", "configuration": {"order": [0, 1, 2]}}]),
            Kind::InvalidMetadata,
            "after",
        ),
        (json!([{"name": "nonsuch"}, bytes]), Kind::Unsupported, "nonsuch"),
        (json!([{"name": "bytes"}]), Kind::InvalidMetadata, "endian"),
        (
            json!([{"name": "bytes", "configuration": {"endian": "middle"}}]),
            Kind::InvalidMetadata,
            "middle",
        ),
        (
            json!([bytes, {"name": "gzip", "configuration": {"level": 10}}]),
            Kind::InvalidMetadata,
            "level",
        ),
        (
            json!([bytes, {"name": "gzip", "configuration": {"lebel": 1}}]),
            Kind::InvalidMetadata,
            "lebel",
        ),
        (
            json!([bytes, {"name": "blosc", "configuration": {"cname": "brotli"}}]),
            Kind::InvalidMetadata,
            "brotli",
        ),
        (
            json!([{"name": "transpose", "configuration": {"order": [0, 1, 1]}}, bytes]),
            Kind::InvalidMetadata,
            "permutation",
        ),
        (
            json!([{"name": "transpose", "configuration": {"order": [0, 1]}}, bytes]),
            Kind::InvalidMetadata,
            "permutation",
        ),
        (shard(json!([3, 5, 3]), json!([bytes]), index_codecs()), Kind::InvalidMetadata, "divide"),
        (shard(json!([0, 5, 3]), json!([bytes]), index_codecs()), Kind::InvalidMetadata, "divide"),
        (shard(json!([2, 5, 3]), json!([]), index_codecs()), Kind::InvalidMetadata, "inner chunks"),
        (
            shard(json!([2, 5, 3]), json!([bytes]), json!([bytes, {"name": "gzip"}])),
            Kind::InvalidMetadata,
            "index",
        ),
    ] {
        let e = Chain::new(&specs(&chain), spec()).err().expect("refused");
        assert_eq!(e.kind(), kind, "{e}");
        assert!(e.to_string().contains(words), "{e}");
    }
}

#[test]
fn a_few_bytes_that_claim_to_be_many_are_found_out_before_memory_is_given() {
    for codec in CODECS.iter().filter(|codec| codec.kind == CodecKind::BytesToBytes) {
        let specs = specs(&super::common::codecs::chain(codec));
        let codec = codec.name;
        let spec = ChunkSpec {
            shape: vec![10 << 40],
            data_type: DataType::UInt8,
            fill: vec![0].into(),
            most: None,
        };
        let chain = Chain::new(&specs, spec).expect("a chain for 10 TiB");
        let region = Region::new(&[10 << 40], &[7], &[1], None).expect("inside");
        for bytes in [vec![0; 200], vec![0xFF; 200]] {
            let mut out = [0];
            let dst = ViewMut::contiguous(&mut out, &[1], 1).expect("fits");
            let e =
                chain.decode(&bytes.as_slice(), &region, dst, &Call::new(1)).expect_err("a lie");
            assert!(matches!(e.kind(), Kind::CorruptData | Kind::LimitExceeded), "{codec}: {e}");
        }
    }
}
