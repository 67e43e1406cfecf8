//! One file of references: a row for each chunk, in the columns `path`, `offset`, `size` and `raw`.

use super::super::{Part, Texts, json};
use super::{pages, too_large};
use crate::error::{Error, Result};
use parquet::basic::{Compression, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use std::panic::catch_unwind;

/// The most memory of a file's rows (bytes).
const MOST: usize = 256 << 20;
/// Rows decoded at a time.
const BATCH: usize = 4096;

/// Decodes the rows of a file for `count` chunks; also returns their memory (bytes).
pub fn decode(file: Vec<u8>, count: u64) -> Result<(Vec<Option<Part>>, usize)> {
    // the library panics on some damaged pages
    catch_unwind(|| decode_sound(file, count))
        .unwrap_or_else(|_| Err(Error::corrupt("the references file is damaged")))
}

fn decode_sound(file: Vec<u8>, count: u64) -> Result<(Vec<Option<Part>>, usize)> {
    let bytes = bytes::Bytes::from(file);
    let file = SerializedFileReader::new(bytes.clone()).map_err(broken)?;
    let mut rows = Rows { count, rows: Vec::new(), urls: Texts::default(), size: 0 };
    for n in 0..file.num_row_groups() {
        let group = file.get_row_group(n).map_err(broken)?;
        let column = |name| Column::new(&*group, &bytes, name);
        let mut columns = [column("path")?, column("offset")?, column("size")?, column("raw")?];
        let mut left = u64::try_from(group.metadata().num_rows()).unwrap_or(0);
        while left > 0 {
            let batch = left.min(BATCH as u64) as usize;
            for column in &mut columns {
                column.read(batch)?;
            }
            for row in 0..batch {
                let [path, offset, size, raw] = &columns;
                let part = rows.part(
                    path.bytes(row)?,
                    offset.number(row)?,
                    size.number(row)?,
                    raw.bytes(row)?,
                )?;
                rows.push(part)?;
            }
            left -= batch as u64;
        }
    }
    Ok((rows.rows, rows.size))
}

struct Rows {
    /// The most rows.
    count: u64,
    rows: Vec<Option<Part>>,
    urls: Texts,
    /// Their memory (bytes).
    size: usize,
}

impl Rows {
    fn push(&mut self, part: Option<Part>) -> Result<()> {
        self.size = self.size.saturating_add(size_of::<Option<Part>>());
        if self.rows.len() as u64 >= self.count {
            return Err(Error::metadata("the references file has more rows than record_size"));
        }
        if self.size > MOST {
            return Err(too_large("values"));
        }
        self.rows.push(part);
        Ok(())
    }

    fn part(
        &mut self,
        path: Option<&[u8]>,
        offset: Option<i64>,
        size: Option<i64>,
        raw: Option<&[u8]>,
    ) -> Result<Option<Part>> {
        if let Some(raw) = raw {
            self.size = self.size.saturating_add(raw.len());
            let value = json::inline(raw);
            let value = value.ok_or_else(|| Error::metadata("a Base64 value is damaged"))?;
            return Ok(Some(Part::Inline(value)));
        }
        let Some(path) = path else { return Ok(None) };
        let url = str::from_utf8(path).map_err(|_| Error::metadata("a path is not UTF-8"))?;
        let before = self.urls.0.len();
        let url = self.urls.keep(url);
        if self.urls.0.len() > before {
            self.size = self.size.saturating_add(url.len());
        }
        let range = match (offset.unwrap_or(0), size.unwrap_or(0)) {
            (0, 0) => None,
            (offset, size) => {
                let range = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
                Some(range.ok_or_else(|| Error::metadata("an offset or size is negative"))?)
            }
        };
        Ok(Some(Part::File(url, range)))
    }
}

/// A column, read one batch at a time.
struct Column {
    reader: Option<ColumnReader>,
    levels: Vec<i16>,
    texts: Vec<ByteArray>,
    longs: Vec<i64>,
    ints: Vec<i32>,
    /// The index of each row's value in the batch.
    places: Vec<Option<usize>>,
}

impl Column {
    /// The column called `name`, if present.
    fn new(group: &dyn RowGroupReader, file: &bytes::Bytes, name: &str) -> Result<Self> {
        let known = |column: &&ColumnChunkMetaData| column.column_path().parts() == [name];
        let metadata = group.metadata();
        let reader = match metadata.columns().iter().position(|column| known(&column)) {
            None => None,
            Some(at) => {
                check(metadata.column(at), file)?;
                Some(group.get_column_reader(at).map_err(broken)?)
            }
        };
        let (levels, texts, longs, ints, places) = Default::default();
        Ok(Column { reader, levels, texts, longs, ints, places })
    }

    /// Advances to the next rows.
    fn read(&mut self, count: usize) -> Result<()> {
        let Column { reader, levels, texts, longs, ints, places } = self;
        let read = match reader {
            None => {
                places.clear();
                places.resize(count, None);
                return Ok(());
            }
            Some(ColumnReader::ByteArrayColumnReader(reader)) => {
                batch(reader, count, levels, texts)
            }
            Some(ColumnReader::Int64ColumnReader(reader)) => batch(reader, count, levels, longs),
            Some(ColumnReader::Int32ColumnReader(reader)) => batch(reader, count, levels, ints),
            Some(_) => return Err(Error::metadata("a column must hold bytes or integers")),
        };
        let optional = read?;
        let mut value = 0;
        places.clear();
        places.extend((0..count).map(|row| {
            let there = !optional || levels.get(row) == Some(&1);
            value += usize::from(there);
            there.then(|| value - 1)
        }));
        Ok(())
    }

    fn place(&self, row: usize) -> Option<usize> {
        self.places.get(row).copied().flatten()
    }

    fn bytes(&self, row: usize) -> Result<Option<&[u8]>> {
        let Some(place) = self.place(row) else { return Ok(None) };
        let text = self.texts.get(place).map(ByteArray::data);
        text.map(Some).ok_or_else(|| Error::metadata("path or raw is not a column of bytes"))
    }

    fn number(&self, row: usize) -> Result<Option<i64>> {
        let Some(place) = self.place(row) else { return Ok(None) };
        let number = self.longs.get(place).copied();
        let number = number.or_else(|| self.ints.get(place).map(|n| i64::from(*n)));
        number
            .map(Some)
            .ok_or_else(|| Error::metadata("offset or size is not a column of integers"))
    }
}

/// Reads the next values of a column; returns whether some may be missing.
fn batch<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    levels: &mut Vec<i16>,
    values: &mut Vec<T::T>,
) -> Result<bool> {
    levels.clear();
    values.clear();
    let mut done = 0;
    while done < count {
        let left = count - done;
        let (read, ..) = reader.read_records(left, Some(levels), None, values).map_err(broken)?;
        if read == 0 {
            return Err(Error::corrupt("a column of the references file is too short"));
        }
        done += read;
    }
    Ok(!levels.is_empty())
}

/// Checks that a column is safe for the library.
fn check(column: &ColumnChunkMetaData, file: &bytes::Bytes) -> Result<()> {
    let descriptor = column.column_descr();
    if descriptor.max_rep_level() > 0 || descriptor.max_def_level() > 1 {
        return Err(Error::metadata("the columns of references are not flat"));
    }
    // other codecs may decompress a page to any size, whatever its header says
    match column.compression() {
        Compression::UNCOMPRESSED
        | Compression::SNAPPY
        | Compression::ZSTD(_)
        | Compression::LZ4_RAW => {}
        other => {
            return Err(Error::unsupported(format!(
                "the references file is compressed by {other}: snappy, zstd and lz4_raw are \
                 supported"
            )));
        }
    }
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let pages = u64::try_from(start).ok().zip(usize::try_from(column.compressed_size()).ok());
    let pages = pages.filter(|(start, size)| {
        start.checked_add(*size as u64).is_some_and(|end| end <= file.len() as u64)
    });
    let (start, size) = pages.ok_or_else(|| {
        Error::corrupt(
            "a column lies beyond the end of the \
        file",
        )
    })?;
    let value = if descriptor.physical_type() == Type::INT64 { 8 } else { 4 };
    pages::check(&file.get_bytes(start, size).map_err(broken)?, value)
}

#[cold]
fn broken(e: ParquetError) -> Error {
    match e {
        ParquetError::NYI(why) => Error::unsupported(why),
        e => Error::corrupt(format!("the references file is damaged: {e}")),
    }
}
