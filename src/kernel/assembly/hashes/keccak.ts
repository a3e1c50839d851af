// Keccak-256 as in Ethereum (Keccak reference 3.0). It differs from SHA-3 (FIPS 202) only in the padding: a bit 1
// follows the message, and SHA-3 has 01 before that bit.
//
// The function uses scratch memory of its thread: the state, whose first bytes become the result, and the last block.

/** The state: 5 rows of 5 lanes of 64 bits. */
const STATE_BYTES: usize = 200;
const ROW: usize = 40;

/** Bytes of the message per permutation. */
const RATE: usize = 136;

/** The round constants, which are added to the first lane. */
const ROUNDS: usize = 24;
const CONSTANTS: usize = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
  0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
  0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
  0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
]);

/** The lanes in the order in which rho and pi move them, from the second lane on, each with its rotation in bits. */
const MOVES: usize = memory.data<u8>([
  10, 1, 7, 3, 11, 6, 17, 10, 18, 15, 3, 21, 5, 28, 16, 36, 8, 45, 21, 55, 24, 2, 4, 14,
  15, 27, 23, 41, 19, 56, 13, 8, 12, 25, 2, 43, 20, 62, 14, 18, 22, 39, 9, 61, 6, 20, 1, 44,
]);
const MOVES_END: usize = 48;

@inline
function column(state: usize, x: usize): u64 {
  const at = state + (x << 3);
  return load<u64>(at) ^ load<u64>(at, 40) ^ load<u64>(at, 80) ^ load<u64>(at, 120) ^ load<u64>(at, 160);
}

/** XORs a number into the lanes of a column. */
@inline
function addToColumn(state: usize, x: usize, value: u64): void {
  for (let at = state + (x << 3); at < state + STATE_BYTES; at += ROW) store<u64>(at, load<u64>(at) ^ value);
}

/** Keccak-f[1600]. */
function permute(state: usize): void {
  for (let round: usize = 0; round < ROUNDS; round++) {
    const c0 = column(state, 0);
    const c1 = column(state, 1);
    const c2 = column(state, 2);
    const c3 = column(state, 3);
    const c4 = column(state, 4);
    addToColumn(state, 0, c4 ^ rotl(c1, 1));
    addToColumn(state, 1, c0 ^ rotl(c2, 1));
    addToColumn(state, 2, c1 ^ rotl(c3, 1));
    addToColumn(state, 3, c2 ^ rotl(c4, 1));
    addToColumn(state, 4, c3 ^ rotl(c0, 1));
    let moved = load<u64>(state, 8);
    for (let move: usize = 0; move < MOVES_END; move += 2) {
      const to = state + ((load<u8>(MOVES + move) as usize) << 3);
      const next = load<u64>(to);
      store<u64>(to, rotl(moved, load<u8>(MOVES + move, 1) as u64));
      moved = next;
    }
    for (let row = state; row < state + STATE_BYTES; row += ROW) {
      const first = load<u64>(row);
      const second = load<u64>(row, 8);
      for (let at = row; at < row + 24; at += 8)
        store<u64>(at, load<u64>(at) ^ (~load<u64>(at, 8) & load<u64>(at, 16)));
      store<u64>(row, load<u64>(row, 24) ^ (~load<u64>(row, 32) & first), 24);
      store<u64>(row, load<u64>(row, 32) ^ (~first & second), 32);
    }
    store<u64>(state, load<u64>(state) ^ load<u64>(CONSTANTS + (round << 3)));
  }
}

@inline
function absorb(state: usize, block: usize): void {
  for (let at: usize = 0; at < RATE; at += 8) store<u64>(state + at, load<u64>(state + at) ^ load<u64>(block + at));
  permute(state);
}

/** Keccak-256 of a key: the first 32 bytes of `scratch`, which has 336 bytes. */
export function keccak256(key: usize, length: usize, scratch: usize): void {
  memory.fill(scratch, 0, STATE_BYTES);
  let at: usize = 0;
  for (; at + RATE <= length; at += RATE) absorb(scratch, key + at);
  const last = scratch + STATE_BYTES;
  memory.fill(last, 0, RATE);
  memory.copy(last, key + at, length - at);
  store<u8>(last + length - at, 1);
  store<u8>(last + RATE - 1, load<u8>(last + RATE - 1) | 0x80);
  absorb(scratch, last);
}
