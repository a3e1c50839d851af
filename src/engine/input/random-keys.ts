import { randomHex } from '../../io/random.ts';
import type { ByteSource } from '../../io/source.ts';

/** Random bytes that all keys of a source share, and digits of their counter. */
const SALT_BYTES = 12;
const COUNTER_DIGITS = 12;
/** Bytes of a key and its terminator. */
export const RANDOM_KEY_BYTES = 2 * SALT_BYTES + COUNTER_DIGITS + 1;

/**
 * Lines that are in no filter: a counter, least significant digit first, and 96 random bits that are new for each source. Random keys go
 * through the same code as any other input. The lowest digit comes first, so the beginnings of the keys are evenly distributed.
 */
export function randomKeys(count: number): ByteSource {
  const salt = randomHex(SALT_BYTES);
  const line = Buffer.from(`${'0'.repeat(COUNTER_DIGITS)}${salt}\n`);
  let written = 0;
  const read = (into: Uint8Array): number => {
    const lines = Math.min(count - written, Math.floor(into.length / RANDOM_KEY_BYTES));
    for (let i = 0; i < lines; i++) {
      into.set(line, i * RANDOM_KEY_BYTES);
      increment(line);
    }
    written += lines;
    return lines * RANDOM_KEY_BYTES;
  };
  return {
    name: 'random keys',
    size: count * RANDOM_KEY_BYTES,
    read,
    wait: async (into) => read(into),
    close: () => {},
  };
}

const ZERO = 48;
const NINE = 57;

/** Adds one to the decimal number at the start of a line, least significant digit first. */
function increment(line: Uint8Array): void {
  let digit = 0;
  while (line[digit] === NINE) line[digit++] = ZERO;
  line[digit] = (line[digit] ?? ZERO) + 1;
}
