//! The output: standard output, or a file that appears only when complete.

use crate::failure::{Failure, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An open output.
pub struct Output {
    writer: BufWriter<Box<dyn Write>>,
    /// The temporary file and the final name that it gets at the end.
    temporary: Option<(PathBuf, PathBuf)>,
}

impl Output {
    /// Writes to `file`, or to standard output if there is none or it is `-`.
    pub fn to(file: Option<&Path>) -> Result<Self> {
        let file = file.filter(|file| *file != Path::new("-"));
        let Some(file) = file else {
            return Ok(Output { writer: buffered(standard()?), temporary: None });
        };
        let creating = || Failure::io(format!("creating {}", file.display()));
        // write to pipes and devices directly
        if fs::metadata(file).is_ok_and(|there| !there.is_file()) {
            let opened = File::options().write(true).open(file).map_err(creating())?;
            return Ok(Output { writer: buffered(Box::new(opened)), temporary: None });
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let beside = file.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let created = File::create(&beside).map_err(creating())?;
        Ok(Output {
            writer: buffered(Box::new(created)),
            temporary: Some((beside, file.to_owned())),
        })
    }

    /// Completes it.
    pub fn finish(mut self) -> Result<()> {
        self.writer.flush()?;
        if let Some((beside, file)) = self.temporary.take() {
            fs::rename(beside, &file).map_err(Failure::io(format!("naming {}", file.display())))?;
        }
        Ok(())
    }
}

/// Standard output without Rust's line buffer, which searches every byte for a line end.
#[cfg(unix)]
fn standard() -> Result<Box<dyn Write>> {
    use std::os::fd::AsFd;
    let own = io::stdout().as_fd().try_clone_to_owned()?;
    Ok(Box::new(File::from(own)))
}

#[cfg(not(unix))]
fn standard() -> Result<Box<dyn Write>> {
    Ok(Box::new(io::stdout()))
}

fn buffered(to: Box<dyn Write>) -> BufWriter<Box<dyn Write>> {
    BufWriter::with_capacity(1 << 18, to)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.temporary {
            let _ = fs::remove_file(beside); // of a verb that failed, which says why
        }
    }
}

/// Prints a text and a line feed, unless it ends with one.
pub fn print(text: &str) -> Result<()> {
    let mut output = Output::to(None)?;
    output.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        output.write_all(b"\n")?;
    }
    output.finish()
}

/// Prints JSON over several lines.
pub fn print_json(value: &serde_json::Value) -> Result<()> {
    print(&format!("{value:#}"))
}
