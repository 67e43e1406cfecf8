//! docs/codecs.md has a row for every codec of the table, with all its names and the formats that
//! can name it: in those, and in no other, an array with it is created, written, opened anew and
//! read.

use super::common::codecs::{chain, sample};
use super::common::{hierarchy, memory};
use zarrc::array::MemoryType;
use zarrc::error::{Kind, Result};
use zarrc::format::{FORMATS, FormatId};
use zarrc::hierarchy::ArraySpec;
use zarrc::metadata::codecs::{self, CODECS, CodecEntry};
use zarrc::metadata::{CodecKind, CodecSpec, DataType, NodePath};
use zarrc::selection::Region;
use zarrc::strided::{Number, View, ViewMut, convert};

#[test]
fn every_codec_is_documented_under_all_its_names() {
    let text = include_str!("../docs/codecs.md");
    for codec in CODECS {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", codec.name)));
        let row = row.unwrap_or_else(|| panic!("docs/codecs.md has no row for {}", codec.name));
        let section = match codec.kind {
            CodecKind::ArrayToArray => "## Array to array",
            CodecKind::ArrayToBytes => "## Array to bytes",
            CodecKind::BytesToBytes => "## Bytes to bytes",
        };
        let before = &text[..text.find(row).unwrap_or_default()];
        let found = before.rfind("\n## ").map(|at| &before[at + 1..]).unwrap_or_default();
        assert!(found.starts_with(section), "{} does not stand in {section}", codec.name);
        let aliases = row.split('|').nth(2).unwrap_or_default();
        for alias in codec.aliases {
            assert!(aliases.contains(&format!("`{alias}`")), "{}: {alias}", codec.name);
        }
        let named = aliases.matches('`').count() / 2;
        assert_eq!(named, codec.aliases.len(), "{}: an alias that it has not", codec.name);
    }
    let rows = text.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, CODECS.len(), "a row of a codec that there is not");
}

/// The formats that the row of a codec claims, among them those that name it in words of their own.
fn claimed(codec: &CodecEntry) -> Vec<FormatId> {
    let text = include_str!("../docs/codecs.md");
    let row = text.lines().find(|line| line.starts_with(&format!("| `{}` |", codec.name)));
    let column = row.and_then(|row| row.split('|').nth(4)).expect("a row with formats");
    // what follows a semicolon is a remark
    let list = column.split(';').next().unwrap_or_default();
    list.split(',')
        .flat_map(|name| match name.trim() {
            "all" => FORMATS.iter().map(|format| format.id).collect(),
            "v1" => vec![FormatId::V1],
            "v2" => vec![FormatId::V2],
            "v3" => vec![FormatId::V3],
            "N5" => vec![FormatId::N5],
            "drafts" => {
                vec![FormatId::V3Draft2019, FormatId::V3Draft2020, FormatId::V3Draft2022]
            }
            "2019 draft" => vec![FormatId::V3Draft2019],
            "2020 draft" => vec![FormatId::V3Draft2020],
            "2022 draft" => vec![FormatId::V3Draft2022],
            "none" => vec![],
            other => panic!("docs/codecs.md: {}: {other:?} is no format", codec.name),
        })
        .collect()
}

const SHAPE: [u64; 2] = [7, 11];

/// Elements of an array of [`SHAPE`] that each codec keeps as they are: small whole numbers.
fn numbers(data_type: &DataType) -> Vec<u8> {
    let number = data_type.number().expect("a number");
    let values: Vec<u8> = (0..77).map(|n| u8::from(n % 3 == 1) * (1 + n / 20)).collect();
    let values = match number {
        Number::Bool => values.iter().map(|&v| u8::from(v != 0)).collect(),
        _ => values,
    };
    let mut out = vec![0; 77 * number.size()];
    let src = View::contiguous(&values, &[77], 1).expect("fits");
    let mut dst = ViewMut::contiguous(&mut out, &[77], number.size()).expect("fits");
    convert(&src, Number::UInt8, &mut dst, number).expect("fits");
    out
}

/// Elements of variable length that the codec keeps as they are.
fn texts(data_type: &DataType) -> (Vec<u64>, Vec<u8>) {
    let json = *data_type == DataType::Json;
    let texts = (0..77).map(|n| match (n % 2, json) {
        (0, false) => "north",
        (_, false) => "south",
        (0, true) => "17",
        (_, true) => "\"x\"",
    });
    let mut offsets = vec![0];
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(text.as_bytes());
        offsets.push(bytes.len() as u64);
    }
    (offsets, bytes)
}

/// Writes an array with the codec in `format`, opens the store anew and reads it.
fn exchange(codec: &CodecEntry, format: FormatId) -> Result<()> {
    let data_type = sample(codec).data_type;
    let name = codec.name;
    let chain = chain(codec);
    let chain = chain.as_array().into_iter().flatten().map(CodecSpec::from_json);
    let mut spec = ArraySpec::new(data_type.clone(), SHAPE.to_vec());
    spec.format = Some(format);
    spec.chunk_shape = Some(vec![4, 6]);
    spec.codecs = Some(chain.collect::<Result<_>>()?);
    let store = memory();
    let root = NodePath::root();
    let array = hierarchy(&store, &[]).create_array(&root, &spec)?;
    assert_eq!(array.format(), format);
    let whole = Region::whole(&SHAPE);
    let shape = SHAPE.map(|n| n as usize);
    if data_type.is_variable() {
        let (offsets, bytes) = texts(&data_type);
        array.array.write_vlen(&whole, &offsets, &bytes)?;
        array.close()?;
        let again = hierarchy(&store, &[]).open_array(&root)?;
        let values = again.array.read_vlen(&whole)?;
        assert_eq!(values.offsets(), offsets, "{name} in {format:?}");
        assert_eq!(values.bytes(), bytes, "{name} in {format:?}");
        return Ok(());
    }
    let elements = numbers(&data_type);
    let src = View::contiguous(&elements, &shape, data_type.size())?;
    array.array.write(&whole, MemoryType::Native, &src)?;
    array.close()?;
    let again = hierarchy(&store, &[]).open_array(&root)?;
    let mut found = vec![0xAA; elements.len()];
    let dst = ViewMut::contiguous(&mut found, &shape, data_type.size())?;
    again.array.read(&whole, MemoryType::Native, dst)?;
    assert_eq!(found, elements, "{name} in {format:?}");
    Ok(())
}

#[test]
fn every_codec_works_in_the_formats_that_its_row_names() {
    let mut wrong = Vec::new();
    for codec in CODECS {
        let claimed = claimed(codec);
        for format in FORMATS.iter().map(|format| format.id) {
            let name = format!("{} in {}", codec.name, format.name());
            // v3's packbits has the id of another codec of numcodecs
            let other = codecs::with_id(codec.name).is_some_and(|other| other.name != codec.name);
            if other && !claimed.contains(&format) {
                continue;
            }
            match exchange(codec, format) {
                Ok(()) if !claimed.contains(&format) => {
                    wrong.push(format!("{name}: works, docs/codecs.md does not say so"));
                }
                Err(e) if claimed.contains(&format) => wrong.push(format!("{name}: {e}")),
                Err(e) if e.kind() != Kind::Unsupported => wrong.push(format!("{name}: {e}")),
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
