// Keys that differ from the bytes in their records. They are decoded into a separate buffer.

let decodedStart: usize = 0;

/** The address of the next such key. */
export let decodedEnd: usize = 0;

/** Sets the address of the buffer. It must hold all keys of a batch of records, and 64 bytes more. */
export function configureDecoded(at: usize): void {
  decodedStart = at;
  decodedEnd = at;
}

/** Discards the keys in the buffer. */
export function clearDecoded(): void {
  decodedEnd = decodedStart;
}

/** Keeps a key that ends at `end`. */
@inline
export function keepDecoded(end: usize): void {
  decodedEnd = end;
}

/** Copies 16 bytes at a time, and so reads and writes up to 15 bytes too many. Returns the address after the copy. */
@inline
export function copyTo(into: usize, from: usize, length: usize): usize {
  for (let offset: usize = 0; offset < length; offset += 16) v128.store(into + offset, v128.load(from + offset));
  return into + length;
}
