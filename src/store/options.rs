//! Named options, given as strings so that new ones do not break the ABI. One table, [`OPTIONS`],
//! checks and documents them.

mod table;

pub use table::{ALIASES, OPTIONS};

use crate::error::{Error, Result, nearest};
use crate::fork::Lazy;
use std::collections::BTreeMap;
use std::time::Duration;

/// The options of a store; arrays opened from it use them too.
#[derive(Clone, PartialEq, Eq)]
pub struct Options {
    threads: usize,
    follow_symlinks: bool,
    sync: bool,
    consolidated: Option<bool>,
    consolidate: usize,
    write_empty_chunks: bool,
    chunk_cache: Option<usize>,
    in_place: bool,
    write_buffer: usize,
    memory_limit: u64,
    max_document_size: u64,
    queue_bytes: u64,
    queue_waits: bool,
    queue_copy: bool,
    /// The values of store-specific options, as given. Holds secrets.
    given: BTreeMap<&'static str, String>,
    format: usize,
    data_type_fallback: bool,
    v1_writer_order: bool,
    ignore_checksums: bool,
    mask_and_scale: bool,
    unknown_codecs: bool,
    for_strangers: bool,
    max_element_size: usize,
}

/// One option.
pub struct Description {
    /// The name.
    pub name: &'static str,
    /// The accepted values.
    pub values: Values,
    /// The default.
    pub default: &'static str,
    /// What it does, for users.
    pub doc: &'static str,
    /// The schemes of the stores that it applies to; empty: all.
    pub stores: &'static [&'static str],
    apply: fn(&mut Options, u64),
}

/// For options that a store reads by name.
fn kept(_: &mut Options, _: u64) {}

/// The values of an option. Each stands for a number, which the table applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// `yes` (1) or `no` (0); also `true`, `false`, `1` and `0`.
    YesNo,
    /// As [`Values::YesNo`], or `auto` (2).
    AutoYesNo,
    /// A number up to this one, or `auto` (0).
    AutoCount(u64),
    /// A number of bytes, also in `KiB`, `MiB` or `GiB`.
    Bytes,
    /// As [`Values::Bytes`], or `auto` (the largest number).
    AutoBytes,
    /// A number from 1 up to this one.
    Count(u64),
    /// A number up to this one.
    UpTo(u64),
    /// Seconds, such as `30`, `0.5` or `250ms`; stands for milliseconds.
    Seconds,
    /// Any text.
    Text,
    /// Any text; never shown in messages.
    Secret,
    /// One of these words; stands for its index.
    Choice(&'static [&'static str]),
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Options") // some are secrets
    }
}

impl Default for Options {
    fn default() -> Self {
        static DEFAULT: Lazy<Options> = Lazy::new(Options::from_table);
        DEFAULT.clone()
    }
}

impl Options {
    /// The defaults of the table.
    fn from_table() -> Self {
        let mut options = Options {
            threads: 0,
            follow_symlinks: false,
            sync: false,
            consolidated: None,
            consolidate: 0,
            write_empty_chunks: false,
            chunk_cache: None,
            in_place: false,
            write_buffer: 0,
            memory_limit: 0,
            max_document_size: 0,
            queue_bytes: 0,
            queue_waits: true,
            queue_copy: false,
            given: BTreeMap::new(),
            format: 0,
            data_type_fallback: true,
            v1_writer_order: false,
            ignore_checksums: false,
            mask_and_scale: false,
            unknown_codecs: false,
            for_strangers: false,
            max_element_size: 0,
        };
        for option in OPTIONS {
            // A test checks that the table accepts its own defaults.
            if let Some(value) = option.values.parse(option.default) {
                (option.apply)(&mut options, value);
            }
        }
        options
    }

    /// Sets one option. [`Kind::InvalidArgument`](crate::error::Kind::InvalidArgument): no option
    /// has that name, or it does not accept `value`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let find = |name: &str| OPTIONS.iter().find(|o| o.name == name);
        let alias = || find(ALIASES.iter().find(|(alias, _)| *alias == name)?.1);
        let option = find(name).or_else(alias).ok_or_else(|| {
            let names =
                OPTIONS.iter().map(|o| o.name).chain(ALIASES.iter().map(|(alias, _)| *alias));
            let hint = nearest(name, names);
            Error::invalid(format!("option {name:?} is unknown; did you mean {hint:?}?"))
        })?;
        let number = option.values.parse(value).ok_or_else(|| {
            let allowed = option.values.describe();
            Error::invalid(format!("option {name} {value:?}: expected {allowed}"))
        })?;
        (option.apply)(self, number);
        if !option.stores.is_empty() {
            self.given.insert(option.name, value.to_owned());
        }
        Ok(())
    }

    /// A store-specific option as given; `None`: not set.
    pub fn text(&self, name: &str) -> Option<&str> {
        debug_assert!(OPTIONS.iter().any(|o| o.name == name && !o.stores.is_empty()), "{name}");
        self.given.get(name).map(String::as_str)
    }

    /// The number of such an option, or of its default if not set; `None`: the option does not
    /// accept its default.
    pub fn number(&self, name: &str) -> Option<u64> {
        let option = OPTIONS.iter().find(|o| o.name == name)?;
        option.values.parse(self.text(name).unwrap_or(option.default))
    }

    /// Whether such an option is `yes`.
    pub fn is(&self, name: &str) -> bool {
        self.number(name) == Some(1)
    }

    /// The time of such an option.
    pub fn time(&self, name: &str) -> Option<Duration> {
        self.number(name).map(Duration::from_millis)
    }

    /// The same for a location that the caller did not choose, without the options in `without`.
    pub fn for_strangers(&self, without: &[&str]) -> Self {
        let mut options = Options { for_strangers: true, ..self.clone() };
        options.given.retain(|name, _| !without.contains(name));
        options
    }

    /// Whether they are for such a location.
    pub fn are_for_strangers(&self) -> bool {
        self.for_strangers
    }

    /// The number of concurrent requests of a network store.
    pub fn concurrency(&self) -> usize {
        self.number("concurrency").unwrap_or(1) as usize
    }

    /// The number of threads of one call; 0: as many as useful.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether symbolic links below the root are followed.
    pub fn follow_symlinks(&self) -> bool {
        self.follow_symlinks
    }

    /// Whether a write waits for the disk.
    pub fn sync(&self) -> bool {
        self.sync
    }

    /// Whether to use consolidated metadata; `None`: if present.
    pub fn consolidated(&self) -> Option<bool> {
        self.consolidated
    }

    /// What to do with consolidated metadata when documents change: the index of the word.
    pub fn consolidate(&self) -> usize {
        self.consolidate
    }

    /// The size of the cache of decoded data (bytes). A remote store has a larger one unless the
    /// option is set: what is not kept costs a request.
    pub fn chunk_cache(&self, is_remote: bool) -> usize {
        self.chunk_cache.unwrap_or(if is_remote { 64 << 20 } else { 32 << 20 })
    }

    /// Whether uncompressed chunks are written where they lie.
    pub fn overwrites_in_place(&self) -> bool {
        self.in_place
    }

    /// The most bytes of chunks that an array buffers before it writes them.
    pub fn write_buffer(&self) -> usize {
        self.write_buffer
    }

    /// The most encoded bytes that a call may hold at once.
    pub fn memory_limit(&self) -> u64 {
        self.memory_limit
    }

    /// The largest metadata document (bytes).
    pub fn max_document_size(&self) -> u64 {
        self.max_document_size
    }

    /// The `zarrc_format` required of nodes; 0: any.
    pub fn format(&self) -> i32 {
        self.format as i32
    }

    /// The most bytes of memory that requests may hold.
    pub fn queue_bytes(&self) -> u64 {
        self.queue_bytes
    }

    /// Whether starting a request beyond that blocks.
    pub fn queue_waits(&self) -> bool {
        self.queue_waits
    }

    /// Whether write requests copy their input.
    pub fn queue_copy(&self) -> bool {
        self.queue_copy
    }

    /// Whether unknown data types may be read as others.
    pub fn data_type_fallback(&self) -> bool {
        self.data_type_fallback
    }

    /// Whether v1 arrays use the byte order of zarr-python 1.
    pub fn v1_writer_order(&self) -> bool {
        self.v1_writer_order
    }

    /// Whether to ignore wrong checksums.
    pub fn ignore_checksums(&self) -> bool {
        self.ignore_checksums
    }

    /// Whether numbers packed by CF read as floats.
    pub fn mask_and_scale(&self) -> bool {
        self.mask_and_scale
    }

    /// Whether arrays with unknown codecs open for their metadata.
    pub fn unknown_codecs(&self) -> bool {
        self.unknown_codecs
    }

    /// The largest element of an array (bytes).
    pub fn max_element_size(&self) -> usize {
        self.max_element_size
    }

    /// Whether to store chunks that hold only the fill value.
    pub fn write_empty_chunks(&self) -> bool {
        self.write_empty_chunks
    }
}

impl Values {
    /// The number of a value; `None`: it is not accepted.
    pub fn parse(self, value: &str) -> Option<u64> {
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match self {
            Values::AutoYesNo if is("auto") => Some(2),
            Values::YesNo | Values::AutoYesNo if is("yes") || is("true") || is("1") => Some(1),
            Values::YesNo | Values::AutoYesNo if is("no") || is("false") || is("0") => Some(0),
            Values::YesNo | Values::AutoYesNo => None,
            Values::AutoCount(_) if is("auto") => Some(0),
            Values::Choice(words) => words.iter().position(|w| is(w)).map(|n| n as u64),
            Values::AutoCount(max) | Values::UpTo(max) => value.parse().ok().filter(|n| *n <= max),
            Values::AutoBytes if is("auto") => Some(u64::MAX),
            Values::AutoBytes => Values::Bytes.parse(value).filter(|n| *n < u64::MAX),
            Values::Bytes => {
                let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
                let unit =
                    units.iter().find_map(|(u, shift)| Some((value.strip_suffix(u)?, *shift)));
                let (number, shift) = unit.unwrap_or((value, 0));
                number.trim_end().parse::<u64>().ok()?.checked_mul(1 << shift)
            }
            Values::Count(max) => value.parse().ok().filter(|n| (1..=max).contains(n)),
            Values::Seconds => {
                let (number, unit) = match value.strip_suffix("ms") {
                    Some(number) => (number, 1.0),
                    None => (value.strip_suffix('s').unwrap_or(value), 1000.0),
                };
                let millis = number.trim_end().parse::<f64>().ok()? * unit;
                (0.0..=1e12).contains(&millis).then_some(millis as u64)
            }
            Values::Text | Values::Secret => Some(0),
        }
    }

    /// A description of the accepted values.
    pub fn describe(self) -> String {
        match self {
            Values::YesNo => "yes or no".into(),
            Values::AutoYesNo => "auto, yes or no".into(),
            Values::AutoCount(max) => format!("auto or a number up to {max}"),
            Values::Bytes => "bytes, such as 1048576 or 32MiB".into(),
            Values::AutoBytes => format!("auto or {}", Values::Bytes.describe()),
            Values::Count(max) => format!("a number from 1 to {max}"),
            Values::UpTo(max) => format!("a number up to {max}"),
            Values::Seconds => "seconds, such as 30, 0.5 or 250ms".into(),
            Values::Text => "text".into(),
            Values::Secret => "text, never shown".into(),
            Values::Choice(words) => match words.split_last() {
                Some((last, others)) => format!("{} or {last}", others.join(", ")),
                None => "nothing".into(),
            },
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::table::FORMATS;
    use super::*;
    use crate::error::Kind;

    #[test]
    fn the_table_accepts_its_defaults_and_documents_itself() {
        for option in OPTIONS {
            assert!(option.values.parse(option.default).is_some(), "{}", option.name);
            assert!(option.doc.ends_with('.') && !option.doc.contains("  "), "{}", option.name);
            let known = |store: &&str| super::super::SCHEMES.iter().any(|s| s.name == *store);
            assert!(option.stores.iter().all(known), "{}", option.name);
        }
        for (i, (alias, name)) in ALIASES.iter().enumerate() {
            assert!(OPTIONS.iter().any(|o| o.name == *name && !o.stores.is_empty()), "{alias}");
            assert!(OPTIONS.iter().all(|o| o.name != *alias), "{alias} is an option");
            assert!(ALIASES[..i].iter().all(|(other, _)| other != alias), "{alias} twice");
        }
        let o = Options::default();
        assert_eq!((o.threads(), o.follow_symlinks(), o.sync()), (0, true, false));
        assert_eq!((o.consolidated(), o.write_empty_chunks()), (None, false));
    }

    #[test]
    fn values_are_read_and_kept() {
        let mut o = Options::default();
        for (name, value) in [
            ("threads", "7"),
            ("follow_symlinks", "0"),
            ("sync", "True"),
            ("consolidated", "no"),
            ("write_empty_chunks", "yes"),
        ] {
            o.set(name, value).unwrap();
        }
        assert_eq!((o.threads(), o.follow_symlinks(), o.sync()), (7, false, true));
        assert_eq!((o.format(), o.data_type_fallback(), o.v1_writer_order()), (0, true, false));
        for (n, word) in FORMATS.iter().enumerate() {
            o.set("format", &word.to_uppercase()).unwrap();
            assert_eq!(o.format(), n as i32);
        }
        o.set("format", "auto").unwrap();
        assert_eq!((o.consolidated(), o.write_empty_chunks()), (Some(false), true));
        for (value, bytes) in [("0", 0), ("7", 7), ("3KiB", 3072), ("64 MiB", 64 << 20)] {
            o.set("chunk_cache", value).unwrap();
            assert_eq!((o.chunk_cache(false), o.chunk_cache(true)), (bytes, bytes));
        }
        o.set("chunk_cache", "auto").unwrap();
        assert_eq!((o.chunk_cache(false), o.chunk_cache(true)), (32 << 20, 64 << 20));
        o.set("consolidated", "yes").unwrap();
        assert_eq!(o.consolidated(), Some(true));
        o.set("consolidated", "auto").unwrap();
        assert_eq!(o.consolidated(), None);
        o.set("threads", "auto").unwrap();
        assert_eq!(o.threads(), 0);
    }

    #[test]
    fn mistakes_are_named() {
        let mut o = Options::default();
        for (name, value, words) in [
            ("thread", "1", "\"threads\""),
            ("follow-symlink", "yes", "\"follow_symlinks\""),
            ("Sync", "yes", "\"sync\""),
            ("", "", "is unknown"),
            ("threads", "-1", "auto or a number up to 4096"),
            ("threads", "4097", "auto or a number up to 4096"),
            ("threads", "99999999999999999999", "auto or a number"),
            ("chunk_cache", "-1", "bytes, such as"),
            ("chunk_cache", "99999999999GiB", "bytes, such as"),
            ("sync", "auto", "yes or no"),
            ("format", "v4", "auto, v1, v2, v3, n5, v3-2019, v3-2020 or v3-2022"),
            ("sync", "", "yes or no"),
            ("consolidated", "2", "auto, yes or no"),
        ] {
            let e = o.set(name, value).unwrap_err();
            assert_eq!(e.kind(), Kind::InvalidArgument);
            assert!(e.to_string().contains(words), "{e}");
        }
        assert_eq!(o, Options::default());
    }
}
