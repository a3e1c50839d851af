import type { KeySelection } from '../../src/engine/input/key-selection.ts';
import { WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import { createScanner } from '../../src/engine/input/scanner.ts';
import { recordsWithout } from '../../src/engine/tasks/tally.ts';
import type { OwnRules } from '../../src/formats/bloomery/header.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';
import { digestOf, normalise } from '../reference/digests.ts';
import { encoded } from '../reference/encodings.ts';
import { createRandom } from '../reference/random.ts';
import { isSkipped, keysOf, longAddressesOf, splitRaw, withoutTerminator } from '../reference/records.ts';
import { usedKernel } from './kernels.ts';
import { type Dealing, piecewise } from './pieces.ts';

/** A record as printed, and the digests of its keys. */
export interface Scanned {
  readonly record: string;
  readonly digests: bigint[];
}

export interface Scan {
  readonly selection: KeySelection;
  readonly rules: OwnRules;
  /** The keys and records of a batch, at least 64. Small batches fill up often. */
  readonly keyLimit: number;
  readonly recordLimit: number;
  readonly dealing: Dealing;
  readonly seed: number;
}

export const PLAIN_RULES: OwnRules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false };
export const WHOLE: KeySelection = { nullTerminated: false, keys: WHOLE_RECORD };
export const AT_ONCE: Dealing = { most: 2 ** 30, blocking: 0 };

/** Batches of the size that a query of a small filter uses. */
export const SCAN: Scan = {
  selection: WHOLE,
  rules: PLAIN_RULES,
  keyLimit: 2 ** 14,
  recordLimit: 2 ** 14,
  dealing: AT_ONCE,
  seed: 1,
};

/** The scanner fixes the number of keys in a batch; this kernel reduces it to `limit`. */
function withKeyLimit(kernel: Kernel, limit: number): Kernel {
  const { configureBatch } = kernel.exports;
  const entries: Kernel['exports'] = {
    ...kernel.exports,
    configureBatch: (spans, owners, keys, ends, records) =>
      configureBatch(spans, owners, Math.min(keys, limit), ends, records),
  };
  return { ...kernel, exports: entries };
}

/** Bytes as a Latin-1 string, which a failing test can print. */
function shown(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** The records and digests that the scanner and the kernel find in inputs, in order. */
export async function scanned(inputs: readonly Uint8Array[], scan: Scan): Promise<Scanned[]> {
  const { selection, rules, keyLimit, recordLimit, dealing, seed } = scan;
  const kernel = withKeyLimit(usedKernel(), keyLimit);
  const found: Scanned[] = [];
  let digestsOf = new Map<number, bigint[]>();
  const keep = (address: number, count: number, ownerOf: (index: number) => number) => {
    new BigUint64Array(kernel.memory.buffer, address, count).forEach((digest, i) => {
      const owner = ownerOf(i);
      const digests = digestsOf.get(owner) ?? [];
      digests.push(digest);
      digestsOf.set(owner, digests);
    });
  };
  const keys: Parameters<typeof createScanner>[2]['keys'] = ({ address, count, owners, firstOwner }) => {
    const numbers = new Uint32Array(kernel.memory.buffer, owners, count);
    keep(address, count, (i) => (owners === 0 ? firstOwner + i : (numbers[i] ?? -1)));
  };
  const scanner = createScanner(
    kernel,
    { selection, rules: [rules], recordLimit, keepRecords: true },
    {
      keys,
      lastKeys: keys,
      records({ count, start, ends }) {
        const addresses = new Uint32Array(kernel.memory.buffer, ends, count);
        addresses.forEach((end, i) => {
          const from = i === 0 ? start : (addresses[i - 1] ?? 0);
          found.push({ record: shown(kernel.bytes(from, end - from)), digests: digestsOf.get(i) ?? [] });
        });
        digestsOf = new Map();
      },
    },
  );
  const random = createRandom(seed);
  for (const input of inputs) await scanner.scan(piecewise(input, random, dealing));
  scanner.endBatch();
  return found;
}

/** Digests, and the number of records without any. */
interface Digested {
  readonly digests: readonly bigint[];
  readonly without: number;
}

/** The digests from a scanner that keeps no records, as in a build. */
export async function digested(inputs: readonly Uint8Array[], scan: Scan): Promise<Digested> {
  const { selection, rules, keyLimit, recordLimit, dealing, seed } = scan;
  const kernel = withKeyLimit(usedKernel(), keyLimit);
  const found: bigint[] = [];
  const keys: Parameters<typeof createScanner>[2]['keys'] = ({ address, count }) => {
    for (const digest of new BigUint64Array(kernel.memory.buffer, address, count)) found.push(digest);
  };
  const options = { selection, rules: [rules], recordLimit, keepRecords: false };
  const scanner = createScanner(kernel, options, { keys, lastKeys: keys });
  const random = createRandom(seed);
  for (const input of inputs) await scanner.scan(piecewise(input, random, dealing));
  scanner.endBatch();
  return { digests: found, without: recordsWithout(scanner.tally()) };
}

/** The expected result of `scanned`. */
export function expectedScan(inputs: readonly Uint8Array[], { selection, rules }: Scan): Scanned[] {
  const terminator = selection.nullTerminated ? 0 : 10;
  return inputs.flatMap((input) =>
    splitRaw(input, selection).map((raw) => ({
      // The scanner terminates a last record that has no terminator.
      record: shown(raw.at(-1) === terminator ? raw : Buffer.concat([raw, Uint8Array.of(terminator)])),
      digests: keysIn(withoutTerminator(raw, selection), selection, rules).flatMap((key) => digestsOf(key, rules)),
    })),
  );
}

/** The expected result of `digested`. */
export function expectedDigested(inputs: readonly Uint8Array[], { selection, rules }: Scan): Digested {
  const records = inputs
    .flatMap((input) => splitRaw(input, selection))
    .map((raw) => withoutTerminator(raw, selection))
    .filter((record) => !isSkipped(record, selection))
    .map((record) => keysIn(record, selection, rules).flatMap((key) => digestsOf(key, rules)));
  return { digests: records.flat(), without: records.filter((digests) => digests.length === 0).length };
}

/** The keys of a record. Its IPv6 addresses follow its words if networks are wanted. */
function keysIn(record: Uint8Array, selection: KeySelection, { encoding }: OwnRules): Uint8Array[] {
  const areFound = encoding === 'network' && selection.keys.type === 'words';
  return [...keysOf(record, selection), ...(areFound ? longAddressesOf(record) : [])];
}

/** The digest of a key; none if the key is not a value. */
export function digestsOf(key: Uint8Array, { encoding, ...rules }: OwnRules): bigint[] {
  if (encoding === undefined) return [digestOf(key, rules)];
  const bytes = encoded(encoding, normalise(key, rules));
  return bytes === undefined ? [] : [digestOf(bytes, { ...rules, ignoreCase: false, trim: false })];
}
