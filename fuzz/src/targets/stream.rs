//! A program of calls of the streaming writer, beside the same on plain vectors: blocks in any order,
//! commits, flushes, writers that are closed and opened again. What readers see at any time are
//! committed steps, with the elements that were put.
#![allow(unsafe_code)]

use super::c::c;
use super::program::Choices;
use std::ffi::CStr;
use std::ptr::{null, null_mut};
use zarrc::capi::array::{zarrc_array_close, zarrc_array_open};
use zarrc::capi::array_properties::zarrc_array_shape;
use zarrc::capi::data_type::ZARRC_UINT32;
use zarrc::capi::io::zarrc_array_read;
use zarrc::capi::options::{zarrc_options_free, zarrc_options_new, zarrc_options_set};
use zarrc::capi::spec::*;
use zarrc::capi::store::{ZARRC_APPEND, zarrc_store, zarrc_store_close, zarrc_store_open};
use zarrc::capi::writer::*;

const PATHS: [(&CStr, &CStr); 2] = [(c"x", c"w/x"), (c"t", c"w/t")];

struct Program {
    store: *mut zarrc_store,
    writer: *mut zarrc_writer,
    /// What is put: of each array, steps of `row` elements.
    put: [Vec<u32>; 2],
    row: [usize; 2],
    committed: usize,
    chunk: [u64; 2],
    buffer_bytes: u64,
}

impl Program {
    fn open(&mut self) {
        let options = zarrc_writer_options {
            size: size_of::<zarrc_writer_options>(),
            flush_seconds: 0.0,
            buffer_bytes: self.buffer_bytes,
        };
        c!(zarrc_writer_open, self.store, c"w".as_ptr(), &options, &mut self.writer)
            .expect("opens");
        for (n, (name, _)) in PATHS.iter().enumerate() {
            let (shape, rank, mut spec) = ([0, self.row[0] as u64], 2 - n, null_mut());
            c!(zarrc_array_spec_new, ZARRC_UINT32, rank, shape.as_ptr(), &mut spec)
                .expect("is new");
            c!(zarrc_array_spec_set_chunk_shape, spec, rank, self.chunk.as_ptr()).expect("fits");
            c!(zarrc_writer_declare, self.writer, name.as_ptr(), spec, null_mut()).expect("fits");
            // SAFETY: made above.
            unsafe { zarrc_array_spec_free(spec) };
        }
        let mut steps = 0;
        c!(zarrc_writer_steps, self.writer, &mut steps).expect("knows");
        assert_eq!(steps as usize, self.committed, "goes on after the committed steps");
    }

    fn put(&mut self, choices: &mut Choices<'_>, value: u32) {
        let n = choices.below(2) as usize;
        let first = self.committed + choices.below(6) as usize;
        let steps = 1 + choices.below(4) as usize;
        let x = choices.below(self.row[n] as u64) as usize;
        let wide = 1 + choices.below((self.row[n] - x) as u64) as usize;
        let block: Vec<u32> = (0..steps * wide).map(|k| value + k as u32).collect();
        let end = (first + steps) * self.row[n];
        if self.put[n].len() < end {
            self.put[n].resize(end, 0);
        }
        for (k, element) in block.iter().enumerate() {
            self.put[n][(first + k / wide) * self.row[n] + x + k % wide] = *element;
        }
        let (start, count) = ([first as u64, x as u64], [steps as u64, wide as u64]);
        self.try_put(n, start, count, &block).expect("is put");
    }

    fn try_put(
        &self,
        n: usize,
        start: [u64; 2],
        count: [u64; 2],
        block: &[u32],
    ) -> Result<(), super::c::Failure> {
        let (start, count) = (start.as_ptr(), count.as_ptr());
        let (bytes, size) = (block.as_ptr().cast(), size_of_val(block));
        c!(zarrc_writer_put, self.writer, n, start, count, ZARRC_UINT32, bytes, size)
    }

    /// What a reader sees: at least, or exactly, so many steps.
    fn check(&self, least: usize) {
        for (n, (_, path)) in PATHS.iter().enumerate() {
            let (mut array, mut shape) = (null_mut(), [0; 2]);
            c!(zarrc_array_open, self.store, path.as_ptr(), &mut array).expect("opens");
            c!(zarrc_array_shape, array, 2 - n, shape.as_mut_ptr()).expect("fits");
            let steps = shape[0] as usize;
            assert!((least..=self.committed).contains(&steps), "{steps} of {}", self.committed);
            let mut found = vec![0xEEEE_u32; steps * self.row[n]];
            let (bytes, size) = (found.as_mut_ptr().cast(), size_of_val(&*found));
            c!(zarrc_array_read, array, null(), null(), ZARRC_UINT32, bytes, size)
                .expect("is read");
            let zeros = std::iter::repeat(0);
            let expected: Vec<u32> =
                self.put[n].iter().copied().chain(zeros).take(found.len()).collect();
            assert_eq!(found, expected, "array {n}, {steps} steps");
            c!(zarrc_array_close, array).expect("closes");
        }
    }

    fn commit(&mut self, steps: usize) {
        self.committed += steps;
        c!(zarrc_writer_commit, self.writer, self.committed as u64).expect("is committed");
    }

    fn close(&mut self) {
        c!(zarrc_writer_close, self.writer).expect("closes");
        for n in 0..2 {
            self.put[n].truncate(self.committed * self.row[n]);
        }
        self.check(self.committed);
    }
}

pub fn run(input: &[u8]) {
    let mut choices = Choices(input.iter());
    let mut program = Program {
        store: null_mut(),
        writer: null_mut(),
        put: Default::default(),
        row: [1 + choices.below(6) as usize, 1],
        committed: 0,
        chunk: [1 + choices.below(4), 1 + choices.below(4)],
        buffer_bytes: [0, 1, 200][choices.below(3) as usize],
    };
    let format = [c"v3", c"v2"][choices.below(2) as usize];
    let (url, options, store) = (c"memory:", zarrc_options_new(), &mut program.store);
    c!(zarrc_options_set, options, c"format".as_ptr(), format.as_ptr()).expect("an option");
    c!(zarrc_store_open, url.as_ptr(), ZARRC_APPEND, options, store).expect("opens");
    // SAFETY: made above.
    unsafe { zarrc_options_free(options) };
    program.open();
    for value in (1..).step_by(100).take(64) {
        if choices.is_over() {
            break;
        }
        match choices.below(8) {
            0..4 => program.put(&mut choices, value),
            4 => program.commit(choices.below(4) as usize),
            5 => {
                c!(zarrc_writer_flush, program.writer).expect("is flushed");
                program.check(program.committed);
            }
            6 if program.committed > 0 => {
                let late = program.try_put(0, [program.committed as u64 - 1, 0], [1, 1], &[1]);
                late.expect_err("its step is committed");
                program.check(0);
            }
            _ => {
                program.close();
                program.open();
            }
        }
    }
    program.close();
    c!(zarrc_store_close, program.store).expect("closes");
}
