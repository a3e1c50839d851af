// Digests of pybloom, after its pybloom.py. They are the positions, one per slice. A key is hashed with as many salts
// as it takes to have a number for each slice.

import { md5 } from "../hashes/md5";
import { SCRATCH_BYTES } from "../hashes/message";
import { sha1 } from "../hashes/sha1";
import { sha256, sha384, sha512 } from "../hashes/sha2";
import { lengthOf, spanAt, startOf } from "../spans";
import { xxh128 } from "../hashes/xxh128";

/** The offset of the filters, after the seed, the scratch memory of the hash and the number of filters. */
const FILTERS: usize = 8 + SCRATCH_BYTES;

/**
 * The bytes of a filter's head: its hash, the bytes of a digest and of a number, the slices, the bits of a slice, and
 * the number of salts. The salts follow.
 */
const HEAD_BYTES: usize = 48;
const SALT_BYTES: usize = 64;

/** The hashes, numbered as in src/formats/pybloom/hashes.ts. */
const enum Algorithm { md5, xxh128, sha1, sha256, sha384, sha512 }

@inline
function hash(algorithm: u32, salt: usize, saltBytes: usize, key: usize, length: usize, scratch: usize): void {
  if (algorithm == Algorithm.md5) md5(salt, saltBytes, key, length, scratch);
  else if (algorithm == Algorithm.xxh128) xxh128(salt, key, length, scratch);
  else if (algorithm == Algorithm.sha1) sha1(salt, saltBytes, key, length, scratch);
  else if (algorithm == Algorithm.sha256) sha256(salt, saltBytes, key, length, scratch);
  else if (algorithm == Algorithm.sha384) sha384(salt, saltBytes, key, length, scratch);
  else sha512(salt, saltBytes, key, length, scratch);
}

@inline
function numberAt(at: usize, bytes: usize): u64 {
  return bytes == 2 ? (load<u16>(at) as u64) : bytes == 4 ? (load<u32>(at) as u64) : load<u64>(at);
}

/** Writes the positions of keys in all filters, one filter after the other. */
export function pybloomHash(spans: usize, count: u32, digests: usize, params: usize): void {
  const scratch = params + 8;
  const filters = load<u64>(params + FILTERS);
  const end = spanAt(spans, count);
  for (let at = spans; at < end; at = spanAt(at, 1)) {
    const span = load<u64>(at);
    const key = startOf(span);
    const length = lengthOf(span);
    let filter = params + FILTERS + 8;
    for (let n: u64 = 0; n < filters; n++) {
      const algorithm = load<u32>(filter);
      const digestBytes = load<u64>(filter, 8) as usize;
      const numberBytes = load<u64>(filter, 16) as usize;
      const slices = load<u64>(filter, 24);
      const sliceBits = load<u64>(filter, 32);
      const salts = load<u64>(filter, 40) as usize;
      let salt = filter + HEAD_BYTES;
      filter = salt + SALT_BYTES * salts;
      let start: u64 = 0;
      const endOfSlices = slices * sliceBits;
      for (; salt < filter; salt += SALT_BYTES) {
        hash(algorithm, salt, digestBytes, key, length, scratch);
        for (let i: usize = 0; i < digestBytes && start < endOfSlices; i += numberBytes) {
          store<u64>(digests, start + (numberAt(scratch + i, numberBytes) % sliceBits));
          digests += 8;
          start += sliceBits;
        }
      }
    }
  }
}
