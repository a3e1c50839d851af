//! Filters of crates.io on the lines of a file: native build|count LIBRARY CAPACITY FILTER LINES
//!
//! `build` adds every line to a new filter for this many keys at 1 % and writes the filter. `count` reads the filter and prints how
//! many of the lines it has. One thread, one line after the other, as the libraries offer it.
//!
//! native dedup CAPACITY LINES prints each line that a filter for so many keys at 0.0001 % did not have before.
//!
//! native exact ... is for exact sets.

mod exact;
mod libraries;

use std::fs::File;
use std::io::{stdout, BufWriter, Write};

use libraries::{Bloom, Filter, Fuse, Quotient, Scalable, SplitBlock};
use xxhash_rust::xxh3::xxh3_64;

/// Calls a function with the bytes of every line.
fn each_line(file: &str, mut visit: impl FnMut(&[u8])) {
    let file = File::open(file).expect("there is a file of lines");
    // SAFETY: nobody changes the file meanwhile.
    let bytes = unsafe { memmap2::Mmap::map(&file) }.expect("the file can be mapped");
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', &bytes) {
        visit(&bytes[start..end]);
        start = end + 1;
    }
    if start < bytes.len() {
        visit(&bytes[start..]);
    }
}

fn run<F: Filter>(work: &str, capacity: usize, file: &str, lines: &str) {
    let mut filter = F::new(capacity);
    if work == "build" {
        each_line(lines, |key| filter.add(key));
        filter.save(File::create(file).expect("there is room for the filter"));
    } else {
        filter.load(File::open(file).expect("there is a filter"));
        let mut found = 0;
        each_line(lines, |key| found += usize::from(filter.has(key)));
        println!("{found}");
    }
}

fn dedup(capacity: usize, lines: &str) {
    let mut filter = fastbloom::BloomFilter::with_false_pos(1e-6)
        .seed(&0)
        .expected_items(capacity);
    let mut out = BufWriter::with_capacity(1 << 18, stdout().lock());
    each_line(lines, |key| {
        if !filter.insert_hash(xxh3_64(key)) {
            out.write_all(key)
                .and_then(|()| out.write_all(b"\n"))
                .expect("the line is written");
        }
    });
    out.flush().expect("the last lines are written");
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|work| work == "exact") {
        return exact::run(&arguments[2..]);
    }
    if let [_, work, capacity, lines] = &arguments[..] {
        assert_eq!(work, "dedup");
        return dedup(capacity.parse().expect("the capacity is a number"), lines);
    }
    let [_, work, library, capacity, filter, lines] = &arguments[..] else {
        panic!("native build|count LIBRARY CAPACITY FILTER LINES");
    };
    let run = match library.as_str() {
        "fastbloom" => run::<Bloom>,
        "sbbf-rs" => run::<SplitBlock>,
        "growable-bloom-filter" => run::<Scalable>,
        "qfilter" => run::<Quotient>,
        "xorf" => run::<Fuse>,
        _ => panic!("{library} is none of the libraries"),
    };
    run(
        work,
        capacity.parse().expect("the capacity is a number"),
        filter,
        lines,
    );
}
