//! Exact sets of crates.io: native exact build LIBRARY MEMBERS UNIVERSE SET, native exact count LIBRARY SET LINES
//!
//! `build` writes a set that distinguishes the members from the other keys of the universe. `count` reads the set and prints how many
//! of the lines it has.

use std::collections::HashSet;
use std::fs::{read, write};

use bincode::{deserialize, serialize};
use clubcard::builder::{ApproximateRibbon, ClubcardBuilder, ExactRibbon};
use clubcard::{AsQuery, Clubcard, Equation, Filterable, Queryable};
use rust_cascade::{Cascade, CascadeBuilder};
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::each_line;

/// Words of 64 columns in an equation.
const WORDS: usize = 4;

/// A key of a clubcard of one block.
struct Key {
    bytes: Vec<u8>,
    is_member: bool,
}

impl AsQuery<WORDS> for Key {
    fn as_query(&self, rows: usize) -> Equation<WORDS> {
        let [low, high] = [0, 1].map(|seed| xxh3_128_with_seed(&self.bytes, seed));
        let columns = [low as u64 | 1, (low >> 64) as u64, high as u64, (high >> 64) as u64];
        let row = columns[WORDS - 1] as usize % rows.max(1);
        Equation::inhomogeneous(row, columns, u8::from(!self.is_member))
    }
    fn block(&self) -> &[u8] {
        &[]
    }
    fn discriminant(&self) -> &[u8] {
        &self.bytes
    }
}

impl Filterable<WORDS> for Key {
    fn included(&self) -> bool {
        self.is_member
    }
}

impl Queryable<WORDS> for Key {
    type UniverseMetadata = ();
    type PartitionMetadata = ();
    fn in_universe(&self, _: &()) -> bool {
        true
    }
}

type Lines = Vec<Vec<u8>>;

fn clubcard(members: Lines, others: Lines) -> Vec<u8> {
    let key = |is_member| move |bytes| Key { bytes, is_member };
    let universe = members.len() + others.len();
    let mut builder = ClubcardBuilder::new();
    let mut approximate = builder.new_approx_builder(&[]);
    members.iter().cloned().map(key(true)).for_each(|key| approximate.insert(key));
    approximate.set_universe_size(universe);
    builder.collect_approx_ribbons(vec![ApproximateRibbon::from(approximate)]);
    let mut exact = builder.new_exact_builder(&[]);
    members.into_iter().map(key(true)).for_each(|key| exact.insert(key));
    others.into_iter().map(key(false)).for_each(|key| exact.insert(key));
    builder.collect_exact_ribbons(vec![ExactRibbon::from(exact)]);
    serialize(&builder.build::<Key>((), ())).expect("the clubcard has bytes")
}

fn cascade(members: Lines, others: Lines) -> Vec<u8> {
    let mut builder = CascadeBuilder::default(members.len(), others.len());
    for key in members {
        builder.include(key).expect("the key is a member");
    }
    for key in others {
        builder.exclude(key).expect("the key is not a member");
    }
    let cascade = builder.finalize().expect("the lists are disjoint");
    cascade.to_bytes().expect("the cascade has bytes")
}

fn lines_of(file: &str) -> Lines {
    let mut lines = vec![];
    each_line(file, |line| lines.push(line.to_vec()));
    lines
}

fn build(library: &str, members: &str, universe: &str) -> Vec<u8> {
    let members = lines_of(members);
    let mut others = lines_of(universe);
    let known: HashSet<&Vec<u8>> = members.iter().collect();
    others.retain(|key| !known.contains(key));
    match library {
        "clubcard" => clubcard(members, others),
        "rust_cascade" => cascade(members, others),
        _ => panic!("{library} is none of the libraries"),
    }
}

fn count(set: &str, lines: &str, library: &str) -> usize {
    let bytes = read(set).expect("there is a set");
    let has: Box<dyn Fn(&[u8]) -> bool> = match library {
        "clubcard" => {
            let set: Clubcard<WORDS, (), ()> = deserialize(&bytes).expect("it is a clubcard");
            Box::new(move |key| {
                set.unchecked_contains(&Key { bytes: key.to_vec(), is_member: false })
            })
        }
        "rust_cascade" => {
            let set = Cascade::from_bytes(bytes)
                .expect("it is a cascade")
                .expect("the cascade is not empty");
            Box::new(move |key| set.has(key.to_vec()))
        }
        _ => panic!("{library} is none of the libraries"),
    };
    let mut found = 0;
    each_line(lines, |key| found += usize::from(has(key)));
    found
}

pub fn run(arguments: &[String]) {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build", library, members, universe, set] => {
            write(set, build(library, members, universe)).expect("the set is written");
        }
        ["count", library, set, lines] => println!("{}", count(set, lines, library)),
        _ => panic!("native exact build LIBRARY MEMBERS UNIVERSE SET | count LIBRARY SET LINES"),
    }
}
