//! Options of the command line that describe a new array.

use crate::failure::{Failure, Result};
use serde_json::{Map, Value};
use zarrc::format::FormatId;
use zarrc::hierarchy::{ArraySpec, FillSpec};
use zarrc::metadata::CodecSpec;

/// What `create` and others say about a new array.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Layout {
    /// Shape of a chunk, as 100,100; by default about 1 MiB
    #[arg(long, value_delimiter = ',')]
    chunks: Option<Vec<u64>>,
    /// Shape of a shard, a multiple of the chunk's
    #[arg(long, value_delimiter = ',')]
    shards: Option<Vec<u64>>,
    /// A codec, by its name or as NAME:{JSON}; given again, the next one; "none" for none
    #[arg(long = "codec", value_name = "CODEC")]
    codecs: Vec<String>,
    /// The fill value, as JSON
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    fill: Option<String>,
    /// Names of the dimensions, as time,y,x
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    dimensions: Option<Vec<String>>,
    /// The format: v3, v2, v1, n5; by default that of the store, else v3
    #[arg(long, value_parser = format)]
    format: Option<FormatId>,
    /// The order of the elements in a chunk: C or F
    #[arg(long, value_parser = ["C", "F"])]
    order: Option<String>,
    /// The separator between the numbers of a chunk's key: . or /
    #[arg(long)]
    separator: Option<char>,
}

/// A format by its short name.
pub fn format(name: &str) -> Result<FormatId, String> {
    match name.to_ascii_lowercase().as_str() {
        "v1" | "1" => Ok(FormatId::V1),
        "v2" | "2" => Ok(FormatId::V2),
        "v3" | "3" => Ok(FormatId::V3),
        "n5" => Ok(FormatId::N5),
        _ => Err("expected v1, v2, v3 or n5".into()),
    }
}

/// A codec: NAME, or NAME:{JSON}.
fn codec(text: &str) -> Result<CodecSpec> {
    let (name, json) = text.split_once(':').unwrap_or((text, "{}"));
    let configuration: Map<String, Value> = serde_json::from_str(json).map_err(|e| {
        Failure::usage(format!("--codec {text}: what follows the name is no JSON object: {e}"))
    })?;
    zarrc::codec::check_name(name)?;
    Ok(CodecSpec::new(name, configuration))
}

impl Layout {
    /// The requested format.
    pub fn format(&self) -> Option<FormatId> {
        self.format
    }

    /// Applies the options to a description.
    pub fn apply(&self, spec: &mut ArraySpec) -> Result<()> {
        let rank = spec.shape.len();
        let fits =
            |name: &str, numbers: &[u64]| match numbers.len() == rank && !numbers.contains(&0) {
                true => Ok(numbers.to_vec()),
                false => Err(Failure::usage(format!(
                    "--{name}: expected {rank} extents greater than 0, one for each dimension"
                ))),
            };
        if let Some(chunks) = &self.chunks {
            spec.chunk_shape = Some(fits("chunks", chunks)?);
            spec.chunk_edges.clear();
        }
        if let Some(shards) = &self.shards {
            spec.shard_shape = Some(fits("shards", shards)?);
        }
        match &self.codecs[..] {
            [] => {}
            [none] if none == "none" => spec.codecs = Some(Vec::new()),
            codecs => {
                let codecs = codecs.iter().map(|text| codec(text));
                spec.codecs = Some(codecs.collect::<Result<_>>()?);
            }
        }
        if let Some(json) = &self.fill {
            serde_json::from_str::<Value>(json)
                .map_err(|e| Failure::usage(format!("--fill {json} is not JSON: {e}")))?;
            spec.fill_value = FillSpec::Json(json.clone());
        }
        if let Some(names) = &self.dimensions {
            if names.len() != rank {
                let what = format!("--dimensions: expected {rank} names");
                return Err(Failure::usage(what));
            }
            let name = |name: &String| (!name.is_empty()).then(|| name.clone());
            spec.dimension_names = Some(names.iter().map(name).collect());
        }
        spec.format = self.format.or(spec.format);
        if let Some(order) = &self.order {
            spec.fortran_order = order == "F";
        }
        spec.separator = self.separator.or(spec.separator);
        Ok(())
    }

    /// Applies the options to the description of an existing array. New chunks without shards
    /// remove sharding; another format gets default codecs and separator.
    pub fn apply_to_existing(&self, spec: &mut ArraySpec) -> Result<()> {
        if self.chunks.is_some() {
            spec.shard_shape = None;
        }
        if self.format.is_some_and(|format| spec.format != Some(format)) {
            spec.codecs = None;
            spec.separator = None;
        }
        self.apply(spec)
    }
}
