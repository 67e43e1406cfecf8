//! A program of calls of the C interface, beside the same on plain vectors: requests that are under
//! way at once, cancelled or waited for, selections, appends, resizes, transactions with and without
//! other writers. What is read must be what the vector holds; an element is unknown (`None`) after a
//! cancelled write of it.
#![allow(unsafe_code)]

use super::c::{Failure, c};
use super::program::Choices;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use zarrc::capi::array::*;
use zarrc::capi::array_properties::zarrc_array_shape;
use zarrc::capi::data_type::{ZARRC_FORMAT_N5, ZARRC_FORMAT_V2, ZARRC_FORMAT_V3, ZARRC_UINT32};
use zarrc::capi::extent::{zarrc_array_append, zarrc_array_resize};
use zarrc::capi::io::*;
use zarrc::capi::options::*;
use zarrc::capi::request::*;
use zarrc::capi::selection::*;
use zarrc::capi::selection_io::*;
use zarrc::capi::spec::*;
use zarrc::capi::status::{ZARRC_CANCELLED, ZARRC_CONFLICT};
use zarrc::capi::store::{ZARRC_APPEND, zarrc_store, zarrc_store_close, zarrc_store_open};
use zarrc::capi::transaction::*;

#[derive(Clone)]
struct Model {
    shape: [u64; 2],
    elements: Vec<Option<u32>>,
}

impl Model {
    fn resized(&self, shape: [u64; 2], new: u32) -> Model {
        let element = |y, x| match y < self.shape[0] && x < self.shape[1] {
            true => self.elements[(y * self.shape[1] + x) as usize],
            false => Some(new),
        };
        let rows = (0..shape[0]).flat_map(|y| (0..shape[1]).map(move |x| (y, x)));
        Model { shape, elements: rows.map(|(y, x)| element(y, x)).collect() }
    }
}

/// A store, or a transaction of it, with its array.
struct View {
    store: *mut zarrc_store,
    array: *mut zarrc_array,
    model: Model,
}

impl View {
    fn open(store: *mut zarrc_store, model: Model) -> View {
        let mut view = View { store, array: null_mut(), model };
        c!(zarrc_array_open, store, c"a".as_ptr(), &mut view.array).expect("opens");
        view
    }

    fn close_array(&self) {
        c!(zarrc_array_close, self.array).expect("closes");
    }

    /// The whole array, as a handle of its own sees it.
    fn read(&self) -> ([u64; 2], Vec<u32>) {
        let mut shape = [0; 2];
        let view = View::open(self.store, self.model.clone());
        c!(zarrc_array_shape, view.array, 2, shape.as_mut_ptr()).expect("fits");
        let mut found = vec![0xEEEE_u32; (shape[0] * shape[1]) as usize];
        let (bytes, size) = (found.as_mut_ptr().cast(), size_of_val(&*found));
        c!(zarrc_array_read, view.array, null(), null(), ZARRC_UINT32, bytes, size)
            .expect("is read");
        view.close_array();
        (shape, found)
    }

    fn check(&self, what: &str) {
        c!(zarrc_array_flush, self.array).expect("is flushed");
        let (shape, found) = self.read();
        assert_eq!(shape, self.model.shape, "{what}");
        compare(&found, &self.model.elements, what);
    }
}

fn compare(found: &[u32], expected: &[Option<u32>], what: &str) {
    let same = |(a, b): (&u32, &Option<u32>)| b.is_none_or(|b| b == *a);
    let same = found.iter().zip(expected).all(same);
    assert!(same, "{what}: {found:?} is not {expected:?}");
}

/// A request that is under way.
struct Pending {
    request: *mut zarrc_request,
    bytes: Vec<u32>,
    indices: Vec<usize>,
    /// Of a read.
    expected: Option<Vec<Option<u32>>>,
    cancelled: bool,
}

/// What a call reads or writes: a box, or a selection.
struct Part {
    start: [u64; 2],
    count: [u64; 2],
    selection: *mut zarrc_selection,
    indices: Vec<usize>,
}

impl Part {
    fn choose(choices: &mut Choices<'_>, view: &View) -> Option<Part> {
        let shape = view.model.shape;
        if shape.contains(&0) {
            return None;
        }
        let start = shape.map(|n| choices.below(n));
        let count = [0, 1].map(|d| 1 + choices.below(shape[d] - start[d]));
        let mut part = Part { start, count, selection: null_mut(), indices: Vec::new() };
        let mut rows: Vec<u64> = (start[0]..start[0] + count[0]).collect();
        if choices.below(3) == 0 {
            rows = (0..choices.below(6)).map(|_| choices.below(shape[0])).collect();
            let some = &mut part.selection;
            c!(zarrc_selection_new, view.array, some).expect("is new");
            let (some, list) = (part.selection, rows.as_ptr());
            c!(zarrc_selection_set_indices, some, 0, rows.len(), list).expect("inside");
            c!(zarrc_selection_set_range, some, 1, start[1], 1, count[1]).expect("inside");
        }
        let columns = start[1]..start[1] + count[1];
        let place = |y| columns.clone().map(move |x| (y * shape[1] + x) as usize);
        part.indices = rows.into_iter().flat_map(place).collect();
        Some(part)
    }

    fn read(
        &self,
        array: *const zarrc_array,
        out: &mut [u32],
        later: Option<&mut *mut zarrc_request>,
    ) -> Result<(), Failure> {
        let (start, count, some) = (self.start.as_ptr(), self.count.as_ptr(), self.selection);
        let (bytes, size, of) = (out.as_mut_ptr().cast(), size_of_val(out), ZARRC_UINT32);
        match (some.is_null(), later) {
            (true, None) => c!(zarrc_array_read, array, start, count, of, bytes, size),
            (true, Some(request)) => {
                c!(zarrc_array_read_start, array, start, count, of, bytes, size, request)
            }
            (false, None) => c!(zarrc_array_read_selection, array, some, of, bytes, null(), size),
            (false, Some(request)) => {
                c!(zarrc_array_read_selection_start, array, some, of, bytes, null(), size, request)
            }
        }
    }

    fn write(
        &self,
        array: *mut zarrc_array,
        block: &[u32],
        later: Option<&mut *mut zarrc_request>,
    ) -> Result<(), Failure> {
        let (start, count, some) = (self.start.as_ptr(), self.count.as_ptr(), self.selection);
        let (bytes, size, of) = (block.as_ptr().cast(), size_of_val(block), ZARRC_UINT32);
        match (some.is_null(), later) {
            (true, None) => c!(zarrc_array_write, array, start, count, of, bytes, size),
            (true, Some(request)) => {
                c!(zarrc_array_write_start, array, start, count, of, bytes, size, request)
            }
            (false, None) => c!(zarrc_array_write_selection, array, some, of, bytes, null(), size),
            (false, Some(request)) => {
                c!(zarrc_array_write_selection_start, array, some, of, bytes, null(), size, request)
            }
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // SAFETY: made by `choose`, or NULL.
        unsafe { zarrc_selection_free(self.selection) };
    }
}

struct Program {
    base: View,
    transaction: Option<View>,
    /// Whether the store was written while the transaction was open.
    disturbed: bool,
    pending: Vec<Pending>,
    next: u32,
}

impl Program {
    fn view(&mut self) -> &mut View {
        self.transaction.as_mut().unwrap_or(&mut self.base)
    }

    fn read(&mut self, choices: &mut Choices<'_>) {
        let Some(part) = Part::choose(choices, self.view()) else { return };
        let array = self.view().array;
        let model = &self.view().model;
        let expected: Vec<_> = part.indices.iter().map(|&n| model.elements[n]).collect();
        let mut bytes = vec![0xEEEE; expected.len()];
        if choices.below(2) == 0 {
            part.read(array, &mut bytes, None).expect("what was written is read");
            return compare(&bytes, &expected, "read");
        }
        let mut request = null_mut();
        part.read(array, &mut bytes, Some(&mut request)).expect("is started");
        let indices = part.indices.clone();
        self.pending.push(Pending {
            request,
            bytes,
            indices,
            expected: Some(expected),
            cancelled: false,
        });
    }

    fn write(&mut self, choices: &mut Choices<'_>, disturbs: bool) {
        let view = if disturbs {
            &mut self.base
        } else {
            self.transaction.as_mut().unwrap_or(&mut self.base)
        };
        let Some(part) = Part::choose(choices, view) else { return };
        let mut block = Vec::new();
        for &n in &part.indices {
            // zeros now and then, which are the fill value; of an element that is selected several
            // times, the last value stays
            self.next += 1;
            let value = if self.next.is_multiple_of(7) { 0 } else { self.next };
            view.model.elements[n] = Some(value);
            block.push(value);
        }
        if disturbs || choices.below(2) == 0 {
            part.write(view.array, &block, None).expect("is written");
            return;
        }
        let mut request = null_mut();
        part.write(view.array, &block, Some(&mut request)).expect("is started");
        let indices = part.indices.clone();
        self.pending.push(Pending {
            request,
            bytes: block,
            indices,
            expected: None,
            cancelled: false,
        });
    }

    fn wait(&mut self, n: usize) {
        let pending = self.pending.swap_remove(n);
        let outcome = c!(zarrc_request_wait, pending.request);
        // SAFETY: a request that nobody uses any more.
        unsafe { zarrc_request_free(pending.request) };
        match (outcome, pending.expected) {
            (Ok(()), Some(expected)) => compare(&pending.bytes, &expected, "request"),
            (Ok(()), None) => {}
            (Err(e), _) if pending.cancelled && e.status == ZARRC_CANCELLED => {}
            (Err(e), _) => panic!("{e:?}"),
        }
    }

    fn cancel(&mut self, n: usize) {
        let pending = &mut self.pending[n];
        pending.cancelled = true;
        // SAFETY: a request that is not freed yet.
        unsafe { zarrc_request_cancel(pending.request) };
        if pending.expected.is_some() {
            return;
        }
        // elements that may be old or new, also for reads that began after the write
        let unknown = pending.indices.clone();
        for &n in &unknown {
            self.view().model.elements[n] = None;
        }
        for pending in &mut self.pending {
            for (n, element) in pending.indices.iter().zip(pending.expected.iter_mut().flatten()) {
                if unknown.contains(n) {
                    *element = None;
                }
            }
        }
    }

    fn drain(&mut self) {
        while !self.pending.is_empty() {
            self.wait(0);
        }
    }

    fn append(&mut self, choices: &mut Choices<'_>) {
        self.drain(); // the places of elements change
        self.next += 1;
        let (axis, new, view) = (choices.below(2) as usize, self.next, self.view());
        let mut count = view.model.shape;
        count[axis] = choices.below(4);
        let block = vec![new; (count[0] * count[1]) as usize];
        let (bytes, size, of) = (block.as_ptr().cast(), size_of_val(&*block), ZARRC_UINT32);
        c!(zarrc_array_append, view.array, axis, count.as_ptr(), of, bytes, size)
            .expect("is appended");
        let mut shape = view.model.shape;
        shape[axis] += count[axis];
        view.model = view.model.resized(shape, new);
    }

    fn resize(&mut self, choices: &mut Choices<'_>) {
        self.drain();
        let view = self.view();
        let shape = [choices.below(14), choices.below(14)];
        c!(zarrc_array_resize, view.array, 2, shape.as_ptr()).expect("is resized");
        view.model = view.model.resized(shape, 0);
    }

    fn reopen(&mut self) {
        self.drain();
        let view = self.view();
        view.close_array();
        *view = View::open(view.store, view.model.clone());
    }

    fn begin(&mut self) {
        self.drain();
        self.base.check("before the transaction");
        let mut store = null_mut();
        c!(zarrc_store_begin, self.base.store, &mut store).expect("begins");
        self.transaction = Some(View::open(store, self.base.model.clone()));
        self.disturbed = false;
    }

    /// Commits the transaction, or rolls it back.
    fn end(&mut self, commits: bool) {
        self.drain();
        let Some(view) = self.transaction.take() else { return };
        // a transaction reads what others wrote, until it has used it
        if !self.disturbed {
            view.check("in the transaction");
        }
        self.base.check("beside the transaction");
        view.close_array();
        let ended = match commits {
            true => c!(zarrc_store_commit, view.store, null()),
            false => c!(zarrc_store_rollback, view.store),
        };
        let done = match ended {
            Ok(()) => commits,
            Err(e) => {
                assert!(commits && self.disturbed && e.status == ZARRC_CONFLICT, "{e:?}");
                c!(zarrc_store_rollback, view.store).expect("is rolled back");
                false
            }
        };
        c!(zarrc_store_close, view.store).expect("closes");
        self.base.close_array();
        let mut model = self.base.model.clone();
        if done && !self.disturbed {
            model = view.model;
        } else if done {
            // both wrote, but different chunks
            let (shape, found) = self.base.read();
            assert_eq!(shape, view.model.shape);
            if shape == model.shape {
                let both = model.elements.iter().zip(&view.model.elements);
                for (element, (a, b)) in found.iter().zip(both) {
                    let known = a.is_some() && b.is_some();
                    assert!(!known || [*a, *b].contains(&Some(*element)), "{element} is new");
                }
            }
            model = Model { shape, elements: found.into_iter().map(Some).collect() };
        }
        self.base = View::open(self.base.store, model);
        self.base.check("after the transaction");
    }
}

fn options(choices: &mut Choices<'_>) -> *mut zarrc_options {
    let options = zarrc_options_new();
    for (name, values) in [
        (c"threads", ["1", "2", "2"]),
        (c"write_buffer", ["0", "64", "1MiB"]),
        (c"chunk_cache", ["0", "100", "1MiB"]),
    ] {
        let value = CString::new(values[choices.below(3) as usize]).expect("no NUL");
        c!(zarrc_options_set, options, name.as_ptr(), value.as_ptr()).expect("an option");
    }
    options
}

fn create(choices: &mut Choices<'_>, store: *mut zarrc_store) -> View {
    let shape = [choices.below(12), 1 + choices.below(12)];
    let chunk = [1 + choices.below(5), 1 + choices.below(5)];
    let shard = [0, 1].map(|d| chunk[d] * (1 + choices.below(3)));
    let format = [ZARRC_FORMAT_V3, ZARRC_FORMAT_V2, ZARRC_FORMAT_N5][choices.below(3) as usize];
    let (mut spec, mut array) = (null_mut(), null_mut());
    c!(zarrc_array_spec_new, ZARRC_UINT32, 2, shape.as_ptr(), &mut spec).expect("is new");
    c!(zarrc_array_spec_set_format, spec, format).expect("is built");
    c!(zarrc_array_spec_set_chunk_shape, spec, 2, chunk.as_ptr()).expect("fits");
    if format == ZARRC_FORMAT_V3 && choices.below(2) == 1 {
        c!(zarrc_array_spec_set_shard_shape, spec, 2, shard.as_ptr()).expect("fits");
    }
    c!(zarrc_array_create, store, c"a".as_ptr(), spec, &mut array).expect("is created");
    // SAFETY: made above.
    unsafe { zarrc_array_spec_free(spec) };
    let elements = vec![Some(0); (shape[0] * shape[1]) as usize];
    View { store, array, model: Model { shape, elements } }
}

pub fn run(input: &[u8]) {
    let mut choices = Choices(input.iter());
    let (options, mut store) = (options(&mut choices), null_mut());
    c!(zarrc_store_open, c"memory:".as_ptr(), ZARRC_APPEND, options, &mut store).expect("opens");
    // SAFETY: made above.
    unsafe { zarrc_options_free(options) };
    let base = create(&mut choices, store);
    let mut program =
        Program { base, transaction: None, disturbed: false, pending: Vec::new(), next: 0 };
    for _ in 0..64 {
        if choices.is_over() {
            break;
        }
        let under_way = program.pending.len() as u64;
        match choices.below(16) {
            0..4 => program.write(&mut choices, false),
            4..7 => program.read(&mut choices),
            7 if under_way > 0 => program.wait(choices.below(under_way) as usize),
            8 if under_way > 0 => program.cancel(choices.below(under_way) as usize),
            9 => program.append(&mut choices),
            10 => program.resize(&mut choices),
            11 | 12 => match program.transaction.is_some() {
                true => program.end(true),
                false => program.begin(),
            },
            13 if program.transaction.is_some() => match choices.below(2) {
                0 => program.end(false),
                _ => {
                    program.drain();
                    program.disturbed = true;
                    program.write(&mut choices, true);
                    program.end(true);
                }
            },
            14 => program.reopen(),
            _ => c!(zarrc_array_flush, program.view().array).expect("is flushed"),
        }
    }
    program.end(choices.below(2) == 0);
    program.drain();
    program.base.check("in the end");
    program.base.close_array();
    c!(zarrc_store_close, program.base.store).expect("closes");
}
