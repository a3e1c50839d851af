//! The filters of the libraries, which get keys as bytes, and most of them as hashes of 64 bits.

use std::fs::File;
use std::io::{Read, Write};

use bincode::{deserialize_from, serialize_into};
use serde_bytes::{ByteBuf, Bytes};
use xorf::Filter as _;
use xxhash_rust::xxh3::xxh3_64;

const RATE: f64 = 0.01;

/// A filter of one of the libraries.
pub trait Filter {
    fn new(capacity: usize) -> Self;
    fn add(&mut self, key: &[u8]);
    fn has(&self, key: &[u8]) -> bool;
    fn save(&mut self, file: File);
    fn load(&mut self, file: File);
}

pub struct Bloom(fastbloom::BloomFilter);

impl Bloom {
    const BITS_PER_KEY: f64 = 9.5851;
    const HASHES: u32 = 7;
}

impl Filter for Bloom {
    fn new(capacity: usize) -> Self {
        let bits = (Self::BITS_PER_KEY * capacity as f64).ceil() as usize;
        Self(
            fastbloom::BloomFilter::with_num_bits(bits)
                .seed(&0)
                .hashes(Self::HASHES),
        )
    }
    fn add(&mut self, key: &[u8]) {
        self.0.insert_hash(xxh3_64(key));
    }
    fn has(&self, key: &[u8]) -> bool {
        self.0.contains_hash(xxh3_64(key))
    }
    fn save(&mut self, mut file: File) {
        // SAFETY: any bytes of a word are bytes.
        file.write_all(unsafe { self.0.as_slice().align_to().1 })
            .expect("the filter is written");
    }
    fn load(&mut self, mut file: File) {
        let mut words = vec![0; self.0.as_slice().len()];
        // SAFETY: any eight bytes are a word.
        file.read_exact(unsafe { words.align_to_mut().1 })
            .expect("the filter is read");
        self.0 = fastbloom::BloomFilter::from_vec(words)
            .seed(&0)
            .hashes(Self::HASHES);
    }
}

pub struct SplitBlock(sbbf_rs_safe::Filter);

impl Filter for SplitBlock {
    fn new(capacity: usize) -> Self {
        // The library takes whole bits per key, and 10.5 give 1 %.
        Self(sbbf_rs_safe::Filter::new(21, capacity.div_ceil(2)))
    }
    fn add(&mut self, key: &[u8]) {
        self.0.insert_hash(xxh3_64(key));
    }
    fn has(&self, key: &[u8]) -> bool {
        self.0.contains_hash(xxh3_64(key))
    }
    fn save(&mut self, mut file: File) {
        file.write_all(self.0.as_bytes())
            .expect("the filter is written");
    }
    fn load(&mut self, mut file: File) {
        file.read_exact(self.0.as_bytes_mut())
            .expect("the filter is read");
    }
}

pub struct Quotient(qfilter::Filter);

impl Filter for Quotient {
    fn new(capacity: usize) -> Self {
        Self(
            qfilter::Filter::new(capacity as u64, RATE)
                .expect("there is a filter of this capacity"),
        )
    }
    fn add(&mut self, key: &[u8]) {
        self.0
            .insert_fingerprint(false, xxh3_64(key))
            .expect("there is a free slot");
    }
    fn has(&self, key: &[u8]) -> bool {
        self.0.contains_fingerprint(xxh3_64(key))
    }
    fn save(&mut self, file: File) {
        serialize_into(file, &self.0).expect("the filter is written");
    }
    fn load(&mut self, file: File) {
        self.0 = deserialize_from(file).expect("the filter is read");
    }
}

pub struct Scalable(growable_bloom_filter::GrowableBloom);

impl Filter for Scalable {
    fn new(capacity: usize) -> Self {
        Self(growable_bloom_filter::GrowableBloom::new(RATE, capacity))
    }
    fn add(&mut self, key: &[u8]) {
        self.0.insert(key);
    }
    fn has(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }
    fn save(&mut self, file: File) {
        serialize_into(file, &self.0).expect("the filter is written");
    }
    fn load(&mut self, file: File) {
        self.0 = deserialize_from(file).expect("the filter is read");
    }
}

/// The filter is made of all keys at once.
pub struct Fuse {
    hashes: Vec<u64>,
    made: xorf::BinaryFuse8,
}

impl Filter for Fuse {
    fn new(capacity: usize) -> Self {
        let made = xorf::BinaryFuse8::try_from(&[][..]).expect("there is an empty filter");
        Self {
            hashes: Vec::with_capacity(capacity),
            made,
        }
    }
    fn add(&mut self, key: &[u8]) {
        self.hashes.push(xxh3_64(key));
    }
    fn has(&self, key: &[u8]) -> bool {
        self.made.contains(&xxh3_64(key))
    }
    fn save(&mut self, file: File) {
        self.made = xorf::BinaryFuse8::try_from(&self.hashes[..]).expect("the keys are distinct");
        serialize_into(
            file,
            &(&self.made.descriptor, Bytes::new(&self.made.fingerprints)),
        )
        .expect("the filter is written");
    }
    fn load(&mut self, file: File) {
        let (descriptor, fingerprints): (_, ByteBuf) =
            deserialize_from(file).expect("the filter is read");
        self.made = xorf::BinaryFuse8 {
            descriptor,
            fingerprints: fingerprints.into_vec().into(),
        };
    }
}
