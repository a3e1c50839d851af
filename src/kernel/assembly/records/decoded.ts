// Keys that do not lie in their records as they are: they are put together in room of their own.

let room: usize = 0;

/** Where the next such key begins. */
export let decodedEnd: usize = 0;

/** Sets where there is room for all keys of a batch of records, and 64 bytes more. */
export function configureDecoded(at: usize): void {
  room = at;
  decodedEnd = at;
}

/** Gives up the keys that are there. */
export function clearDecoded(): void {
  decodedEnd = room;
}

/** Keeps a key that ends there. */
@inline
export function keepDecoded(end: usize): void {
  decodedEnd = end;
}

/** Copies 16 bytes at a time and so writes and reads up to 15 bytes too many; returns the address past the copy. */
@inline
export function copyTo(into: usize, from: usize, length: usize): usize {
  for (let offset: usize = 0; offset < length; offset += 16) v128.store(into + offset, v128.load(from + offset));
  return into + length;
}
