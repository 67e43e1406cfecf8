//! The kernels of `strided`, one thread, in bytes of the destination per second.

mod common;

use common::{criterion, random_bytes};
use criterion::{BenchmarkId, Criterion, Throughput};
use std::hint::black_box;
use zarrc::strided::{
    Number, Swap, View, ViewMut, all_equal, convert, copy, copy_swapped, fill, swap_in_place,
};

const MIB: usize = 1 << 20;
const CHUNK: [usize; 3] = [64, 64, 64];
const ARRAY: [usize; 3] = [512, 512, 512];

fn view<'a>(bytes: &'a [u8], shape: &[usize], item: usize) -> View<'a> {
    View::contiguous(bytes, shape, item).expect("fits")
}

fn view_mut<'a>(bytes: &'a mut [u8], shape: &[usize], item: usize) -> ViewMut<'a> {
    ViewMut::contiguous(bytes, shape, item).expect("fits")
}

fn copies(c: &mut Criterion) {
    let mut group = c.benchmark_group("copy");
    let chunk = random_bytes(MIB);
    let mut out = vec![1; MIB];
    group.throughput(Throughput::Bytes(MIB as u64));
    group.bench_function("contiguous, 1 MiB", |b| {
        let src = view(&chunk, &CHUNK, 4);
        b.iter(|| copy(&src, &mut view_mut(&mut out, &CHUNK, 4)));
    });
    group.bench_function("rows of 256 B gathered from 512^3", |b| {
        let array = vec![1; 4 * 512 * 512 * 512];
        let all = view(&array, &ARRAY, 4);
        let mut at = 0;
        b.iter(|| {
            at = (at + 1) % 512;
            let start = [at / 64 * 64, at / 8 % 8 * 64, at % 8 * 64];
            copy(&all.slice(&start, &CHUNK).expect("inside"), &mut view_mut(&mut out, &CHUNK, 4))
        });
    });
    group.bench_function("rows of 256 B scattered into 512^3", |b| {
        let mut array = vec![1; 4 * 512 * 512 * 512];
        let mut all = view_mut(&mut array, &ARRAY, 4);
        let src = view(&chunk, &CHUNK, 4);
        let mut at = 0;
        b.iter(|| {
            at = (at + 1) % 512; // each time another chunk, as when an array is read
            let start = [at / 64 * 64, at / 8 % 8 * 64, at % 8 * 64];
            copy(&src, &mut all.slice(&start, &CHUNK).expect("inside"))
        });
    });
    group.bench_function("Fortran chunk scattered into 512^3, f32", |b| {
        let mut array = vec![1; 4 * 512 * 512 * 512];
        let mut all = view_mut(&mut array, &ARRAY, 4);
        let src = view(&chunk, &CHUNK, 4).reversed_axes();
        let mut at = 0;
        b.iter(|| {
            at = (at + 1) % 512;
            let start = [at / 64 * 64, at / 8 % 8 * 64, at % 8 * 64];
            copy(&src, &mut all.slice(&start, &CHUNK).expect("inside"))
        });
    });
    for (name, item) in [("f32", 4), ("f64", 8)] {
        let shape = [512, 512];
        let bytes = random_bytes(512 * 512 * item);
        let mut out = vec![1; bytes.len()];
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("transpose 512x512", name), |b| {
            let src = view(&bytes, &shape, item).reversed_axes();
            b.iter(|| copy(&src, &mut view_mut(&mut out, &shape, item)));
        });
    }
    group.finish();
}

fn swaps(c: &mut Criterion) {
    let mut group = c.benchmark_group("copy_swapped");
    let bytes = random_bytes(MIB);
    let mut out = vec![1; MIB];
    group.throughput(Throughput::Bytes(MIB as u64));
    for width in [2, 4, 8] {
        let shape = [MIB / width];
        let swap = Swap::Words { width };
        group.bench_function(format!("u{}", 8 * width), |b| {
            let src = view(&bytes, &shape, width);
            b.iter(|| copy_swapped(&src, &mut view_mut(&mut out, &shape, width), &swap));
        });
    }
    group.bench_function("u32, in place", |b| {
        b.iter(|| swap_in_place(&mut out, 4, &Swap::Words { width: 4 }));
    });
    group.finish();
}

fn fills(c: &mut Criterion) {
    let mut group = c.benchmark_group("fill");
    group.throughput(Throughput::Bytes(MIB as u64));
    let mut out = vec![1; MIB];
    for (name, element) in [("zeros, f32", 0f32), ("1.5, f32", 1.5)] {
        let element = element.to_ne_bytes();
        group.bench_function(name, |b| {
            b.iter(|| fill(&mut view_mut(&mut out, &[MIB / 4], 4), &element));
        });
    }
    group.bench_function("all_equal, f32", |b| {
        let element = 1.5f32.to_ne_bytes();
        let src = view(&out, &[MIB / 4], 4); // filled just now
        assert!(all_equal(&src, &element).expect("fits"));
        b.iter(|| black_box(all_equal(&src, &element)));
    });
    group.finish();
}

fn conversions(c: &mut Criterion) {
    use Number::*;
    let mut group = c.benchmark_group("convert");
    const N: usize = 1 << 18;
    for (from, to) in [
        (Float32, Float64),
        (Float64, Float32),
        (UInt16, Float32),
        (Int16, Float64),
        (Float32, UInt16),
        (Int32, Float64),
        (Int64, Int32),
        (UInt8, UInt16),
        (Float16, Float32),
        (Float32, Float16),
        (Bool, UInt8),
    ] {
        // Elements of 0 and 1: values that every type can have.
        let ones: Vec<u8> = (0..N).map(|i| (i % 2) as u8).collect();
        let mut src = vec![0; N * from.size()];
        let mut dst = vec![1; N * to.size()];
        convert(&view(&ones, &[N], 1), UInt8, &mut view_mut(&mut src, &[N], from.size()), from)
            .expect("values that fit");
        group.throughput(Throughput::Bytes(dst.len() as u64));
        group.bench_function(format!("{} to {}", from.name(), to.name()), |b| {
            let src = view(&src, &[N], from.size());
            b.iter(|| convert(&src, from, &mut view_mut(&mut dst, &[N], to.size()), to));
        });
    }
    group.finish();
}

fn main() {
    let mut c = criterion();
    copies(&mut c);
    swaps(&mut c);
    fills(&mut c);
    conversions(&mut c);
    c.final_summary();
}
