//! A file whose elements are written to an array: of NumPy, raw bytes or CSV.

use crate::failure::{Failure, Result};
use crate::npy;
use crate::pieces::room;
use crate::value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use zarrc::array::MemoryType;
use zarrc::metadata::{DataType, Endian};
use zarrc::strided::swap_in_place;

/// The form of what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Source {
    /// A file of NumPy
    Npy,
    /// The bytes in C order and the machine's byte order
    Raw,
    /// Lines with a comma between elements
    Csv,
}

/// A file that is open, and its form.
pub type Opened = (Box<dyn BufRead>, Source);

/// An input whose elements are read on demand.
pub struct Input {
    reader: Box<dyn BufRead>,
    pub source: Source,
    /// The type of the elements in the file.
    pub data_type: DataType,
    endian: Endian,
    /// Whether the first dimension varies fastest.
    pub fortran_order: bool,
    /// Pending cells of a CSV line, the last first.
    cells: Vec<String>,
}

/// Opens a file, or standard input.
pub fn file(file: &Path, source: Option<Source>) -> Result<Opened> {
    let extension = file.extension().and_then(|extension| extension.to_str());
    let source = source.unwrap_or(match extension {
        Some("csv" | "txt") => Source::Csv,
        Some("npy") => Source::Npy,
        _ if file == Path::new("-") => Source::Npy,
        _ => Source::Raw,
    });
    let reader: Box<dyn BufRead> = match file == Path::new("-") {
        true => Box::new(BufReader::with_capacity(1 << 18, io::stdin())),
        false => {
            let opened =
                File::open(file).map_err(Failure::io(format!("opening {}", file.display())))?;
            Box::new(BufReader::with_capacity(1 << 18, opened))
        }
    };
    Ok((reader, source))
}

/// Splits a line of CSV: cells in quotes may hold commas.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.trim_end_matches(['\n', '\r']).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

impl Input {
    /// The next elements, one after the other, in native byte order; and where each ends.
    pub fn next(&mut self, count: usize) -> Result<(Vec<u8>, Vec<u64>)> {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        if self.source != Source::Csv {
            let item = self.data_type.size();
            bytes = room(count.checked_mul(item).ok_or_else(|| Failure::usage("too large"))?)?;
            self.reader.read_exact(&mut bytes).map_err(|e| match e.kind() {
                io::ErrorKind::UnexpectedEof => {
                    Failure::usage("the input ends before the array does")
                }
                _ => Failure::io("reading the input")(e),
            })?;
            if self.endian != Endian::NATIVE {
                swap_in_place(&mut bytes, item, &self.data_type.swap(self.endian))?;
            }
            return Ok((bytes, offsets));
        }
        for _ in 0..count {
            while self.cells.is_empty() {
                let mut line = String::new();
                let read = self.reader.read_line(&mut line);
                if read.map_err(Failure::io("reading the input"))? == 0 {
                    return Err(Failure::usage("the input ends before the array does"));
                }
                if !line.trim().is_empty() {
                    self.cells = cells(&line);
                    self.cells.reverse();
                }
            }
            let cell = self.cells.pop().unwrap_or_default();
            bytes.extend(value::parse(&self.data_type, &cell)?);
            offsets.push(bytes.len() as u64);
        }
        Ok((bytes, offsets))
    }

    /// Refuses excess input.
    pub fn finish(&mut self) -> Result<()> {
        let rest = self.reader.fill_buf().map_err(Failure::io("reading the input"))?;
        let is_space = self.source == Source::Csv && rest.iter().all(u8::is_ascii_whitespace);
        match (rest.is_empty() || is_space) && self.cells.is_empty() {
            true => Ok(()),
            false => Err(Failure::usage("the input holds more than the array takes")),
        }
    }
}

/// Reads a file's header, for writing to an array of `data_type`. Also returns the file's shape, if
/// it has one.
pub fn open(
    (mut reader, source): Opened,
    data_type: Option<&DataType>,
) -> Result<(Input, Option<Vec<u64>>)> {
    let (mut endian, mut fortran_order) = (Endian::NATIVE, false);
    let (data_type, shape) = match source {
        Source::Npy => {
            let header = npy::read(&mut reader)?;
            (endian, fortran_order) = (header.endian, header.fortran_order);
            (header.data_type, Some(header.shape))
        }
        _ => {
            let known = data_type.ok_or_else(|| {
                Failure::usage("there is no array yet: --type and --shape say what it is to be")
            })?;
            (known.clone(), None)
        }
    };
    if source == Source::Raw && data_type.is_variable() {
        let name = data_type.name();
        return Err(Failure::usage(format!("elements of type {name} are written from CSV")));
    }
    let cells = Vec::new();
    Ok((Input { reader, source, data_type, endian, fortran_order, cells }, shape))
}

impl Input {
    /// The memory type for writing the elements to an array of that type. Elements of variable
    /// length come only from CSV, and are read as the array's type.
    pub fn memory(&self, stored: &DataType) -> Result<MemoryType> {
        let from = &self.data_type;
        if from == stored {
            return Ok(MemoryType::Native);
        }
        let opaque = DataType::Raw(stored.size());
        match (value::real(from), value::real(stored)) {
            (Some(number), Some(_)) => Ok(MemoryType::Number(number)),
            // types that .npy cannot describe
            _ if *from == opaque && !stored.is_variable() => Ok(MemoryType::Native),
            _ => {
                let (from, stored) = (from.name(), stored.name());
                Err(Failure::usage(format!("the input holds {from}, the array {stored}")))
            }
        }
    }
}
