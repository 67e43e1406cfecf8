//! Builds a chain: places each codec, or reports which one is out of place.

use super::{Chain, Stage};
use crate::codec::steps::Steps;
use crate::codec::{ArrayBytesCodec, BytesCodec, ChunkSpec, Codec, Len, ReadPolicy, build};
use crate::error::{Error, Kind, Result};
use crate::metadata::{CodecSpec, DataType};

const AFTER: &str = "(array to array) comes after the array to bytes codec";

/// The most codecs of a chain. Real chains have fewer than ten.
const MAX_CODECS: usize = 256;

/// The codecs so far.
struct Codecs {
    steps: Steps,
    /// The chunk that the next codec receives.
    seen: ChunkSpec,
    /// The array -> bytes codec, and the chunk it receives.
    to_bytes: Option<(Box<dyn ArrayBytesCodec>, ChunkSpec)>,
    stages: Vec<Stage>,
}

impl Chain {
    /// Builds the chain that `specs` name, in encoding order, for chunks like `chunk`.
    pub fn new(specs: &[CodecSpec], chunk: ChunkSpec) -> Result<Self> {
        Self::with(specs, chunk, ReadPolicy::default())
    }

    /// The same, with a read policy.
    pub fn with(specs: &[CodecSpec], chunk: ChunkSpec, read_policy: ReadPolicy) -> Result<Self> {
        if specs.len() > MAX_CODECS {
            let what = format!("a chain of {} codecs: the limit is {MAX_CODECS}", specs.len());
            return Err(Error::new(Kind::LimitExceeded, what));
        }
        let size = chunk.size()?;
        let seen = chunk.clone();
        let mut codecs =
            Codecs { steps: Steps::default(), seen, to_bytes: None, stages: Vec::new() };
        for spec in specs {
            let (codec, name) = build(spec, &codecs.seen, read_policy)?;
            if let Err(misplaced) = codecs.push(codec, name)? {
                let text = format!("codec {:?} {misplaced} in the chain", spec.name);
                return Err(Error::metadata(text));
            }
        }
        let Codecs { steps, to_bytes, stages, .. } = codecs;
        let (to_bytes, seen) = to_bytes.ok_or_else(|| {
            Error::metadata("the codecs lack an array to bytes codec; add \"bytes\"")
        })?;
        let shape = chunk.shape.iter().map(|&n| n as usize).collect();
        Ok(Chain { chunk, shape, size, steps, seen, to_bytes, stages })
    }
}

impl Codecs {
    /// Appends a codec. The inner error says why it cannot be at this position.
    fn push(&mut self, codec: Codec, name: &'static str) -> Result<Result<(), &'static str>> {
        let after = self.to_bytes.is_some();
        match codec {
            Codec::Axes(_) if after => return Ok(Err(AFTER)),
            Codec::Axes(axes) => {
                let turned = |shape: &Vec<u64>| axes.iter().map(|&axis| shape[axis]).collect();
                let seen = &mut self.seen;
                (seen.shape, seen.most) = (turned(&seen.shape), seen.most.as_ref().map(turned));
                self.steps.push_axes(axes);
            }
            Codec::Array(codec) if after => match codec.over_bytes() {
                Some(codec) => self.push_stage(codec, name),
                None => return Ok(Err(AFTER)),
            },
            Codec::Array(codec) => self.seen = self.steps.push(codec, name, &self.seen)?,
            Codec::ArrayBytes(_) if after => return Ok(Err("is a second array to bytes codec")),
            Codec::ArrayBytes(codec) => {
                self.to_bytes = Some((codec, self.seen.clone()));
                if self.seen.data_type.is_variable() {
                    // the next codecs receive bytes
                    self.seen.data_type = DataType::UInt8;
                }
            }
            Codec::Bytes(codec) if after => self.push_stage(codec, name),
            Codec::Bytes(_) => {
                return Ok(Err("(bytes to bytes) comes before the array to bytes codec"));
            }
        }
        Ok(Ok(()))
    }

    fn push_stage(&mut self, codec: Box<dyn BytesCodec>, name: &'static str) {
        let decoded = match (self.stages.last(), &self.to_bytes) {
            (Some(stage), _) => stage.codec.encoded_len(stage.decoded),
            (None, Some((first, _))) => first.encoded_len(),
            (None, None) => Len::Unknown,
        };
        self.stages.push(Stage { codec, name, decoded });
    }
}
