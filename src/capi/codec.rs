//! Custom codecs.
//!
//! A program that stores data by a codec which zarrc does not have can bring it along: it is
//! registered by name, and from then on every array of every format whose metadata names it is
//! read and written by it.

use super::data_type::{constant, zarrc_data_type};
use super::status::{zarrc_error, zarrc_status};
use super::{guard, null, slice, string};
use crate::codec::{self, ChunkSpec, OpenUserCodec, UserCodec};
use crate::error::{Context, Error, Kind, Result};
use crate::metadata::CodecKind;
use crate::source::{ByteSource, reserve};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// What a codec maps to what: one of the constants below.
pub type zarrc_codec_kind = i32;

/// Bytes to bytes: a compressor, a checksum.
pub const ZARRC_CODEC_BYTES: zarrc_codec_kind = 0;
/// Array to bytes: receives all elements of a chunk, in C order and native byte order, and replaces
/// the codec "bytes".
pub const ZARRC_CODEC_ARRAY_BYTES: zarrc_codec_kind = 1;
/// Array to array of the same shape and data type: a filter. Receives elements as
/// ZARRC_CODEC_ARRAY_BYTES does, and returns as many bytes as it receives.
pub const ZARRC_CODEC_ARRAY: zarrc_codec_kind = 2;

/// The chunks that a codec will receive. Pointers are valid during the call.
#[repr(C)]
pub struct zarrc_codec_chunk {
    /// The size of this struct. Later versions may append members.
    pub size: usize,
    /// The number of dimensions.
    pub rank: usize,
    /// `rank` extents (elements), slowest dimension first.
    pub shape: *const u64,
    /// The data type of the elements.
    pub data_type: zarrc_data_type,
    /// The size of an element (bytes); 0 for variable length.
    pub element_size: usize,
    /// The fill value: one element in native byte order.
    pub fill_value: *const c_void,
}

/// Reads encoded bytes for zarrc_codec_callbacks.decode_part. Provided by zarrc.
///
/// @param source  the pointer that the callback received.
/// @param offset  where to start (bytes).
/// @param dst     receives the bytes.
/// @param size    how many to read.
/// @param err     receives the error; may be NULL.
/// @return ZARRC_OK; the callback must return any other status unchanged.
pub type zarrc_codec_read = Option<
    unsafe extern "C" fn(
        source: *mut c_void,
        offset: u64,
        dst: *mut u8,
        size: usize,
        err: *mut zarrc_error,
    ) -> zarrc_status,
>;

/// The functions of a codec that the program implements. Zero the struct, then set `size`, `decode`
/// and whatever else the codec supports.
///
/// zarrc calls them from any thread, several at once, also for the same `codec`. Each returns
/// ZARRC_OK or the status of the failure, and may describe it in `err->message`, which becomes part
/// of the caller's error. Unknown statuses count as ZARRC_IO. Callbacks may call zarrc, for example
/// to read another array, but must not read or write the chunk that they are called for; they must
/// not throw or longjmp.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct zarrc_codec_callbacks {
    /// sizeof(zarrc_codec_callbacks) in the header that the program was compiled with.
    pub size: usize,
    /// Passed to every callback.
    pub user: *mut c_void,
    /// Frees `user`. Called exactly once, after all other calls: when the codec was unregistered
    /// and the last array that uses it was closed. Not called if zarrc_codec_register() fails. May
    /// be NULL.
    pub destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    /// Checks a configuration (a JSON object, "{}" if there is none) for chunks like `chunk`. zarrc
    /// passes what it stores in `*codec` to the callbacks below. Called when an array is opened or
    /// created: return ZARRC_INVALID_METADATA for a bad parameter. NULL: accepts any configuration,
    /// and `codec` is NULL.
    pub open: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            configuration: *const c_char,
            chunk: *const zarrc_codec_chunk,
            codec: *mut *mut c_void,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Frees what `open` created. May be NULL.
    pub close: Option<unsafe extern "C" fn(user: *mut c_void, codec: *mut c_void)>,
    /// Decodes `src_size` bytes into `dst`, which holds `capacity` bytes, and sets `*dst_size`.
    /// Return ZARRC_LIMIT_EXCEEDED if they do not fit: if zarrc does not know the length, it calls
    /// again with more capacity. Return ZARRC_CORRUPT_DATA for bytes that no encoder produces.
    /// Required.
    pub decode: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            codec: *mut c_void,
            src: *const u8,
            src_size: usize,
            dst: *mut u8,
            capacity: usize,
            dst_size: *mut usize,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Encodes `src_size` bytes into `dst`, by the same rules. NULL: arrays with this codec are
    /// read-only.
    pub encode: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            codec: *mut c_void,
            src: *const u8,
            src_size: usize,
            dst: *mut u8,
            capacity: usize,
            dst_size: *mut usize,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
    /// Returns the maximum encoded size of `decoded_size` bytes, so that zarrc can allocate it at
    /// once. NULL: unknown.
    pub bound: Option<
        unsafe extern "C" fn(user: *mut c_void, codec: *mut c_void, decoded_size: u64) -> u64,
    >,
    /// Decodes `size` bytes from decoded offset `offset` into `dst`, of `decoded_size` in all;
    /// reads what it needs of the `encoded_size` encoded bytes with read(source, …). NULL: zarrc
    /// always decodes whole chunks.
    pub decode_part: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            codec: *mut c_void,
            read: zarrc_codec_read,
            source: *mut c_void,
            encoded_size: u64,
            decoded_size: u64,
            offset: u64,
            dst: *mut u8,
            size: usize,
            err: *mut zarrc_error,
        ) -> zarrc_status,
    >,
}

/// Registers a codec for the whole process. Must be called before arrays that use it are opened.
/// Metadata spells it {"name": NAME, "configuration": {…}} in Zarr v3 and {"id": NAME, …} in v2.
///
/// @param name         the name that new metadata uses. A prefix of your own, such as
///                     "org.example.", avoids clashes.
/// @param aliases      `alias_count` other names under which metadata may refer to it; NULL if
///                     alias_count is 0.
/// @param alias_count  the number of aliases.
/// @param kind         a ZARRC_CODEC_ constant.
/// @param callbacks    the functions. Copied; `user` must live until `destroy` is called.
/// @return ZARRC_OK; ZARRC_ALREADY_EXISTS: a codec of zarrc or an earlier call has one of the
///         names; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_codec_register(
    name: *const c_char,
    aliases: *const *const c_char,
    alias_count: usize,
    kind: zarrc_codec_kind,
    callbacks: *const zarrc_codec_callbacks,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: the caller's strings and array.
        let (name, aliases) =
            unsafe { (string(name, "name")?, slice(aliases, alias_count, "aliases")?) };
        // SAFETY: the caller's strings.
        let aliases: Vec<&str> =
            aliases.iter().map(|&a| unsafe { string(a, "an alias") }).collect::<Result<_>>()?;
        let kind = match kind {
            ZARRC_CODEC_BYTES => CodecKind::BytesToBytes,
            ZARRC_CODEC_ARRAY_BYTES => CodecKind::ArrayToBytes,
            ZARRC_CODEC_ARRAY => CodecKind::ArrayToArray,
            _ => {
                return Err(Error::invalid(format!(
                    "kind {kind}: expected a ZARRC_CODEC_ constant"
                )));
            }
        };
        // SAFETY: the caller's struct.
        let callbacks = unsafe { complete(callbacks)? };
        let user = Arc::new(User { callbacks, ends: false.into() });
        codec::register(name, &aliases, kind, user.clone())?;
        // from here on the codec owns what `destroy` ends
        user.ends.store(true, std::sync::atomic::Ordering::Release);
        Ok(())
    })
}

/// Removes a registered codec. Arrays that are open keep it until they are closed; then its
/// `destroy` is called.
///
/// @param name  the name that zarrc_codec_register() was given, not an alias.
/// @return ZARRC_OK; ZARRC_NOT_FOUND: no such codec is registered; ZARRC_INVALID_ARGUMENT.
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zarrc_codec_unregister(
    name: *const c_char,
    err: *mut zarrc_error,
) -> zarrc_status {
    // SAFETY: the caller's string.
    guard(err, || codec::unregister(unsafe { string(name, "name")? }))
}

/// The caller's table as this version knows it: members past its size are NULL.
///
/// SAFETY: `callbacks` is NULL or points at as many bytes as its first member says.
unsafe fn complete(callbacks: *const zarrc_codec_callbacks) -> Result<zarrc_codec_callbacks> {
    if callbacks.is_null() {
        return Err(null("callbacks"));
    }
    const NEEDED: usize = std::mem::offset_of!(zarrc_codec_callbacks, encode);
    // SAFETY: as promised; the size comes first in every version.
    let size = unsafe { callbacks.cast::<usize>().read() };
    if size < NEEDED {
        return Err(Error::invalid(format!(
            "callbacks->size {size}: expected sizeof(zarrc_codec_callbacks)"
        )));
    }
    // SAFETY: all members may be zero, and no more is copied than both sides have.
    let table = unsafe {
        let mut table: zarrc_codec_callbacks = std::mem::zeroed();
        let known = size.min(size_of::<zarrc_codec_callbacks>());
        std::ptr::copy_nonoverlapping(callbacks.cast::<u8>(), (&raw mut table).cast::<u8>(), known);
        table
    };
    match table.decode {
        Some(_) => Ok(table),
        None => Err(null("callbacks->decode")),
    }
}

/// The registered codec.
struct User {
    callbacks: zarrc_codec_callbacks,
    /// Whether `destroy` is due in the end.
    ends: std::sync::atomic::AtomicBool,
}

// SAFETY: the header asks for callbacks, and a `user`, that any thread may use.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}

impl Drop for User {
    fn drop(&mut self) {
        if let Some(destroy) = self.callbacks.destroy
            && *self.ends.get_mut()
        {
            // SAFETY: the caller's own function and pointer, for the first and last time.
            unsafe { destroy(self.callbacks.user) }
        }
    }
}

/// What a callback returned, with the words that it put into the error.
fn outcome(call: impl FnOnce(*mut zarrc_error) -> zarrc_status, what: &str) -> Result<()> {
    let mut err = zarrc_error { status: 0, system_code: 0, message: [0; 1016] };
    let status = call(&raw mut err);
    if status == super::status::ZARRC_OK {
        return Ok(());
    }
    let text: Vec<u8> =
        err.message.iter().map(|&c| c as u8).take_while(|&byte| byte != 0).collect();
    let text = match String::from_utf8_lossy(&text) {
        text if text.is_empty() => format!("{what} failed without a message"),
        text => text.into_owned(),
    };
    Err(Error::new(Kind::from_number(status).unwrap_or(Kind::Io), text))
}

struct OpenCodec {
    user: Arc<User>,
    codec: *mut c_void,
}

// SAFETY: as for `User`.
unsafe impl Send for OpenCodec {}
// SAFETY: as for `User`.
unsafe impl Sync for OpenCodec {}

impl Drop for OpenCodec {
    fn drop(&mut self) {
        if let Some(close) = self.user.callbacks.close {
            // SAFETY: what `open` gave, for the last time.
            unsafe { close(self.user.callbacks.user, self.codec) }
        }
    }
}

impl UserCodec for User {
    fn open(
        self: Arc<Self>,
        configuration: &str,
        chunk: &ChunkSpec,
    ) -> Result<Box<dyn OpenUserCodec>> {
        let configuration = CString::new(configuration)
            .map_err(|_| Error::metadata("its configuration contains a NUL character"))?;
        let fill = chunk.fill.bytes()?;
        let described = zarrc_codec_chunk {
            size: size_of::<zarrc_codec_chunk>(),
            rank: chunk.shape.len(),
            shape: chunk.shape.as_ptr(),
            data_type: constant(&chunk.data_type),
            element_size: chunk.data_type.size(),
            fill_value: fill.as_ptr().cast(),
        };
        let mut codec = std::ptr::null_mut();
        if let Some(open) = self.callbacks.open {
            let user = self.callbacks.user;
            let (text, chunk) = (configuration.as_ptr(), &raw const described);
            // SAFETY: the user's own function, with pointers that are good during the call.
            outcome(|err| unsafe { open(user, text, chunk, &raw mut codec, err) }, "open")?;
        }
        Ok(Box::new(OpenCodec { user: self, codec }))
    }
}

impl OpenUserCodec for OpenCodec {
    fn bound(&self, decoded: u64) -> Option<u64> {
        let bound = self.user.callbacks.bound?;
        // SAFETY: the user's own function and pointers.
        Some(unsafe { bound(self.user.callbacks.user, self.codec, decoded) })
    }

    fn encode(&self, src: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let unable = || Error::unsupported("it has no encode callback: its arrays are read-only");
        let encode = self.user.callbacks.encode.ok_or_else(unable)?;
        let start = out.len();
        let guess = self.bound(src.len() as u64).and_then(|n| usize::try_from(n).ok());
        let mut capacity = guess.unwrap_or_else(|| src.len().saturating_add(src.len() / 8 + 4096));
        loop {
            reserve(out, capacity)?;
            out.resize(start + capacity, 0);
            let (dst, mut written) = (&mut out[start..], 0);
            let (user, to) = (self.user.callbacks.user, dst.as_mut_ptr());
            // SAFETY: the user's own function, with slices that are good during the call.
            let done = outcome(
                |err| unsafe {
                    let (from, size) = (src.as_ptr(), src.len());
                    encode(user, self.codec, from, size, to, capacity, &raw mut written, err)
                },
                "encode",
            );
            match done {
                Ok(()) => {
                    out.truncate(start + within(written, capacity)?);
                    return Ok(());
                }
                // a bound that it gave itself, it has to keep
                Err(e) if e.kind() == Kind::LimitExceeded && guess.is_none() => {
                    out.truncate(start);
                    capacity = capacity.saturating_mul(2);
                }
                Err(e) => return Err(e),
            }
        }
    }

    fn decode(&self, src: &[u8], out: &mut [u8]) -> Result<usize> {
        let decode = self.user.callbacks.decode.ok_or_else(|| null("callbacks->decode"))?;
        let (user, mut written) = (self.user.callbacks.user, 0);
        let (to, capacity) = (out.as_mut_ptr(), out.len());
        let (from, size) = (src.as_ptr(), src.len());
        outcome(
            // SAFETY: the user's own function, with slices that are good during the call.
            |err| unsafe {
                decode(user, self.codec, from, size, to, capacity, &raw mut written, err)
            },
            "decode",
        )?;
        within(written, capacity)
    }

    fn decodes_parts(&self) -> bool {
        self.user.callbacks.decode_part.is_some()
    }

    fn decode_part(
        &self,
        encoded: &dyn ByteSource,
        decoded: u64,
        offset: u64,
        out: &mut [u8],
    ) -> Result<()> {
        let part = self.user.callbacks.decode_part;
        let part = part.ok_or_else(|| null("callbacks->decode_part"))?;
        let vanished = || Error::new(Kind::Conflict, "the value was deleted while it was read");
        let size = encoded.len()?.ok_or_else(vanished)?;
        let mut encoded = encoded; // a thin pointer to the fat one
        let source = (&raw mut encoded).cast::<c_void>();
        let user = self.user.callbacks.user;
        let (to, count) = (out.as_mut_ptr(), out.len());
        outcome(
            // SAFETY: the user's own function; `source` is only given back to `read_source`.
            |err| unsafe {
                let (codec, read) = (self.codec, Some(read_source as _));
                part(user, codec, read, source, size, decoded, offset, to, count, err)
            },
            "decode_part",
        )
    }
}

/// What `read` is: `source` points at the source of [`OpenCodec::decode_part`].
unsafe extern "C" fn read_source(
    source: *mut c_void,
    offset: u64,
    dst: *mut u8,
    size: usize,
    err: *mut zarrc_error,
) -> zarrc_status {
    guard(err, || {
        // SAFETY: it was made of such a place, which outlives the call of the callback.
        let source = unsafe { source.cast::<&dyn ByteSource>().as_ref() };
        let source = source.ok_or_else(|| null("source"))?;
        if size == 0 {
            return Ok(());
        }
        if dst.is_null() {
            return Err(null("dst"));
        }
        // SAFETY: the caller's memory, good for so many bytes.
        let dst = unsafe { std::slice::from_raw_parts_mut(dst, size) };
        dst.fill(0);
        match source.read_at(offset, dst).at(|| format!("{size} bytes from {offset} on"))? {
            true => Ok(()),
            false => Err(Error::new(Kind::Conflict, "the value was deleted while it was read")),
        }
    })
}

/// A length that a callback set.
fn within(written: usize, capacity: usize) -> Result<usize> {
    if written <= capacity {
        return Ok(written);
    }
    let text = format!("it reports {written} bytes written into {capacity}");
    Err(Error::new(Kind::Internal, text))
}
