//! Planning: what each node becomes in the other format.

use super::Accept;
use crate::error::{Context, Error, Kind, Result};
use crate::format::{self, Documents, Format};
use crate::hierarchy::{ArraySpec, FillSpec};
use crate::metadata::{
    ArrayMetadata, CodecKind, CodecSpec, KeyEncoding, NodeMetadata, NodePath, codecs,
};

/// What happens to the chunks of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunks {
    /// They stay where they are.
    Stay,
    /// They are copied as they are, under the keys of the other format.
    Copied,
    /// They are decoded and encoded.
    Recoded,
}

/// A node, expressed in the other format.
#[derive(Debug)]
pub struct Expressed {
    /// Its documents, the one that makes it a node last.
    pub documents: Documents,
    /// For an array: its model there, and what happens to its chunks.
    pub array: Option<(Box<ArrayMetadata>, Chunks)>,
    /// What changes without a loss, for people.
    pub notes: Vec<String>,
}

/// A deviation from the source's model, tried if the format cannot express it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// An undefined fill value, which reads as zeros, becomes zeros.
    DefineFill,
    /// Missing chunks are written out, and the fill value becomes zeros.
    WriteOutFill,
    /// A chain that the format can express, with the compressors of the source.
    Recode,
    /// A chain that the format can express, with its usual compressor.
    RecodeAsUsual,
    /// The dimensions lose their names.
    DropDimensionNames,
}

impl Step {
    /// In the order in which they are tried.
    const ALL: [Step; 5] = [
        Step::DefineFill,
        Step::Recode,
        Step::RecodeAsUsual,
        Step::WriteOutFill,
        Step::DropDimensionNames,
    ];

    fn note(self) -> &'static str {
        match self {
            Step::DefineFill => "the fill value, which was undefined, becomes zero",
            Step::WriteOutFill => "the fill value becomes zero; missing chunks are written out",
            Step::Recode => "chunks are recoded, with the same compression",
            Step::RecodeAsUsual => "chunks are recoded, with other compression",
            Step::DropDimensionNames => "the dimension names are lost",
        }
    }

    fn recodes(self) -> bool {
        matches!(self, Step::Recode | Step::RecodeAsUsual | Step::WriteOutFill)
    }
}

/// The chunks that are decoded on their own, and their bytes -> bytes codecs.
fn innermost(array: &ArrayMetadata) -> Result<(Vec<u64>, Vec<CodecSpec>)> {
    let mut chunk = array.chunk_grid.largest_shape().into_owned();
    let mut specs = array.codecs.clone();
    while let Some(shard) = specs.iter().find(|c| c.name == "sharding_indexed").cloned() {
        let broken = |what: &str| Error::metadata(format!("codec sharding_indexed: {what}"));
        let inner = shard.configuration.get("chunk_shape").and_then(|v| v.as_array());
        let inner: Option<Vec<u64>> =
            inner.and_then(|list| list.iter().map(serde_json::Value::as_u64).collect());
        chunk = inner.ok_or_else(|| broken("no chunk_shape"))?;
        let codecs = shard.configuration.get("codecs").and_then(|v| v.as_array());
        let codecs = codecs.ok_or_else(|| broken("no codecs"))?;
        specs = codecs.iter().map(CodecSpec::from_json).collect::<Result<_>>()?;
    }
    specs.retain(|spec| codecs::kind(&spec.name) == Some(CodecKind::BytesToBytes));
    Ok((chunk, specs))
}

fn apply(step: Step, array: &ArrayMetadata, format: &dyn Format) -> Result<ArrayMetadata> {
    let mut model = array.clone();
    match step {
        Step::DefineFill => model.fill_value = Some(array.fill_element()),
        Step::WriteOutFill if array.data_type.is_variable() => model.fill_value = None,
        Step::WriteOutFill => model.fill_value = Some(vec![0; array.data_type.size()].into()),
        Step::DropDimensionNames => model.dimension_names = None,
        Step::Recode | Step::RecodeAsUsual => {
            let (chunk, compressors) = innermost(array)?;
            let spec = ArraySpec {
                chunk_shape: Some(chunk),
                codecs: (step == Step::Recode).then_some(compressors),
                fill_value: FillSpec::Element(array.fill_element()),
                ..ArraySpec::new(array.data_type.clone(), array.shape.clone())
            };
            let recoded = spec.metadata(format)?;
            model.chunk_grid = recoded.chunk_grid;
            model.codecs = recoded.codecs;
        }
    }
    Ok(model)
}

/// Whether the format cannot express something, which another deviation may solve.
fn is_unsayable(error: &Error) -> bool {
    matches!(error.kind(), Kind::Unsupported | Kind::InvalidArgument | Kind::InvalidMetadata)
}

/// The node at `path` of `format`, as close to `node` as the format can express. `stays`: chunks
/// may stay where they are, under keys of that spelling.
///
/// [`Kind::Unsupported`]: it cannot be expressed without a loss that is not accepted.
pub fn express(
    format: &dyn Format,
    path: &NodePath,
    node: &NodeMetadata,
    stays: Option<KeyEncoding>,
    accept: Accept,
) -> Result<Expressed> {
    format.check_new_path(path)?;
    let NodeMetadata::Array(source) = node else {
        let documents = format.emit(path, node)?;
        return Ok(Expressed { documents, array: None, notes: Vec::new() });
    };
    let emit =
        |model: &ArrayMetadata| format.emit(path, &NodeMetadata::Array(Box::new(model.clone())));
    let keys = [stays, Some(format.chunk_keys(None)), Some(source.chunk_keys)];
    let mut first_error = None;
    for chunk_keys in keys.into_iter().flatten() {
        let start = ArrayMetadata { chunk_keys, ..(**source).clone() };
        match steps_needed(&start, format, &emit) {
            Ok((steps, model)) => {
                let documents = emit(&model)?;
                let lost = steps.contains(&Step::DropDimensionNames);
                if lost && !accept.losses {
                    return Err(Error::unsupported(format!(
                        "{} has no dimension names",
                        format.name()
                    )));
                }
                // the format may normalise it: what readers see counts
                let document = documents.last().map_or(&[][..], |(_, text)| text);
                let NodeMetadata::Array(target) = format.parse(0, document)? else {
                    return Err(Error::new(Kind::Internal, "an array became a group"));
                };
                let differs = target.chunk_grid != source.chunk_grid
                    || format::codecs_spelt_alike(&target)? != format::codecs_spelt_alike(source)?;
                let recoded = differs || steps.iter().any(|s| s.recodes());
                let mut notes: Vec<String> = steps.iter().map(|s| s.note().to_owned()).collect();
                if differs && notes.is_empty() {
                    notes.push("chunks are recoded, as the format encodes them".into());
                }
                let chunks = match () {
                    _ if recoded => Chunks::Recoded,
                    _ if stays == Some(target.chunk_keys) => Chunks::Stay,
                    _ => Chunks::Copied,
                };
                return Ok(Expressed { documents, array: Some((target, chunks)), notes });
            }
            Err(e) if is_unsayable(&e) => first_error = first_error.or(Some(e)),
            Err(e) => return Err(e),
        }
    }
    let error = first_error.unwrap_or_else(|| Error::unsupported("it cannot be expressed"));
    Err(error.with_kind(Kind::Unsupported)).at(|| format!("in {}", format.name()))
}

/// The fewest deviations after which the format can express the model, and that model. If there are
/// none, the error of the original model.
fn steps_needed(
    source: &ArrayMetadata,
    format: &dyn Format,
    emit: &dyn Fn(&ArrayMetadata) -> Result<Documents>,
) -> Result<(Vec<Step>, ArrayMetadata)> {
    let after = |steps: &[Step]| {
        steps.iter().try_fold(source.clone(), |model, &step| apply(step, &model, format))
    };
    let works = |steps: &[Step]| after(steps).and_then(|model| emit(&model));
    let Err(first) = works(&[]) else { return Ok((Vec::new(), source.clone())) };
    if !is_unsayable(&first) {
        return Err(first);
    }
    let mut steps = Vec::new();
    for step in Step::ALL {
        if step == Step::RecodeAsUsual {
            steps.retain(|&s| s != Step::Recode);
        }
        steps.push(step);
        if works(&steps).is_ok() {
            // earlier deviations may not have been needed
            for tried in Step::ALL {
                let fewer: Vec<Step> = steps.iter().copied().filter(|&s| s != tried).collect();
                if works(&fewer).is_ok() {
                    steps = fewer;
                }
            }
            let gentler: Vec<Step> = steps
                .iter()
                .map(|&s| if s == Step::RecodeAsUsual { Step::Recode } else { s })
                .collect();
            if works(&gentler).is_ok() {
                steps = gentler;
            }
            let model = after(&steps)?;
            return Ok((steps, model));
        }
    }
    Err(first)
}
