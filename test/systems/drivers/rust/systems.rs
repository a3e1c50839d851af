//! Filters of poppy's crate. ../asking.ts describes the requests and the answers.

use std::error::Error;
use std::fs::{read, File};
use std::io::{stdin, BufRead, BufWriter};

use poppy_filters::{BloomFilter, OptLevel, Params};

type Answer = Result<String, Box<dyn Error>>;

fn open(file: &str) -> Result<BloomFilter, Box<dyn Error>> {
    Ok(BloomFilter::from_reader(File::open(file)?)?)
}

fn write(filter: &BloomFilter, file: &str) -> Result<(), Box<dyn Error>> {
    Ok(filter.write(&mut BufWriter::new(File::create(file)?))?)
}

/// The keys of a file, each of which ends with NUL.
fn each_key(file: &str, mut work: impl FnMut(&[u8])) -> Result<(), Box<dyn Error>> {
    for key in read(file)?.split_inclusive(|&byte| byte == 0) {
        work(&key[..key.len() - 1]);
    }
    Ok(())
}

fn has(file: &str, keys: &str) -> Answer {
    let filter = open(file)?;
    let mut answers = String::new();
    each_key(keys, |key| {
        answers.push(if filter.contains_bytes(key) { '1' } else { '0' })
    })?;
    Ok(answers)
}

fn make(sort: &str, file: &str, keys: &str, items: &str, rate: &str) -> Answer {
    let version = if sort == "dcso" { 1 } else { 2 };
    let level = match sort {
        "poppy-space" => OptLevel::Space,
        "poppy-speed" => OptLevel::Speed,
        "poppy-best" => OptLevel::Best,
        _ => OptLevel::None,
    };
    let parameters = Params::new(items.parse()?, rate.parse()?);
    let mut filter = BloomFilter::try_from(parameters.version(version).opt(level))?;
    let mut failed = None;
    each_key(keys, |key| {
        if let Err(error) = filter.insert_bytes(key) {
            failed = Some(error);
        }
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => write(&filter, file).map(|()| "made".into()),
    }
}

fn merge(file: &str, one: &str, other: &str) -> Answer {
    let mut filter = open(one)?;
    filter.union_merge(&open(other)?)?;
    write(&filter, file).map(|()| "merged".into())
}

fn answer(words: &[&str]) -> Answer {
    match words {
        ["has", _, file, _, keys] => has(file, keys),
        ["make", sort, file, _, keys, items, rate] => make(sort, file, keys, items, rate),
        ["merge", _, file, one, other] => merge(file, one, other),
        _ => Err("it is not known".into()),
    }
}

fn main() {
    for request in stdin().lock().lines() {
        let request = request.expect("a request is text");
        let words: Vec<&str> = request.split('\t').collect();
        println!(
            "{}",
            answer(&words).unwrap_or_else(|error| format!("error: {error}"))
        );
    }
}
