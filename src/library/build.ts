import { buildFilter as fillFilter } from '../engine/build.ts';
import { ownDesign } from '../engine/design.ts';
import { givenDigests } from '../engine/input/given-digests.ts';
import { createKeyDigests } from '../engine/input/given-keys.ts';
import type { Observer } from '../engine/input/input.ts';
import { type KeySelection, WHOLE_LINES } from '../engine/input/key-selection.ts';
import { createWorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import type { KeyRules } from '../formats/description.ts';
import { HASHES } from '../hashes/registry.ts';
import { pieceSource } from '../io/piece-source.ts';
import type { ByteSource } from '../io/source.ts';
import { type Kernel, takeKernel } from '../kernel/kernel.ts';
import {
  constraintsToBuild,
  kindOf,
  newKeyHashOf,
  noteIn,
  requireBooleans,
  requireIterable,
  requireNumber,
} from './checks.ts';
import type { Filter, Key } from './filter.ts';
import { createHandle } from './handle.ts';
import { requireKnown } from './known-options.ts';
import type { BuildOptions } from './options.ts';

const NAME = 'the filter';

/** Digests of keys, instead of lines. */
const GIVEN: KeySelection = { ...WHOLE_LINES, areDigests: true };

/**
 * Builds a filter in memory from the keys of an iterable. The iterable can be asynchronous, such as a stream of objects or lines. With
 * `lines` it is a stream of bytes, whose lines are the keys. Without a size, the keys are counted first, and memory holds their digests
 * meanwhile.
 *
 * Rejects with what the iterable throws, or with a `BloomError`:
 *
 * - `usage`: the first argument is not an iterable of keys, or options are unknown or contradict each other;
 * - `capacity`: the filter is full;
 * - `memory`: the filter is too large.
 *
 * @example
 * import { createReadStream } from 'node:fs';
 * import { buildFilter } from 'bloomery';
 *
 * const seen = await buildFilter(['https://a.example/', 'https://b.example/'], { items: 1_000_000, fpr: 1e-4 });
 * seen.add('https://c.example/');
 * console.log(seen.has('https://c.example/')); // true
 * await seen.save('seen.bloom');
 *
 * const words = await buildFilter(createReadStream('words.txt'), { lines: true });
 * console.log(words.stats().estimatedItems); // 5130
 */
export async function buildFilter(
  keys: Iterable<Key> | AsyncIterable<Key>,
  options: BuildOptions = {},
): Promise<Filter> {
  requireKnown('buildFilter', options);
  requireIterable('keys', keys, true);
  const { ignoreCase, trim, hashed, stamp, lines } = options;
  requireBooleans({ trim, hashed, stamp, lines });
  if (ignoreCase !== 'unicode') requireBooleans({ ignoreCase });
  const kind = kindOf(options.kind);
  const rules = rulesOf(options);
  const note = noteIn(options);
  const design = { ...ownDesign(kind, rules, constraintsToBuild(options), { headroom: options.headroom }), note };
  const kernel = takeKernel();
  const { given, selection } = inputOf(kernel, keys, rules, lines === true);
  const observer: Observer = {
    onUnreadable(error) {
      throw error;
    },
  };
  const threads = { context: { kernel, threadIndex: 0 }, pool: createWorkerPool(1) };
  const built = await fillFilter(design, { inputs: [{ given }], selection, observer }, threads);
  const { description, contents, distinct } = built;
  const { filter } = contents;
  if (filter === undefined) throw new Error('the library builds filters of segments');
  return createHandle(kernel, {
    name: NAME,
    description,
    filter,
    segments: filter,
    writable: true,
    fills: contents.fills,
    distinct,
    close: () => {},
  });
}

/** The input: digests of keys, or lines. Throws a `usage` error for a stream of bytes without `lines`. */
function inputOf(
  kernel: Kernel,
  keys: Iterable<Key> | AsyncIterable<Key>,
  rules: KeyRules,
  areLines: boolean,
): { readonly given: ByteSource; readonly selection: KeySelection } {
  if (areLines && Symbol.asyncIterator in keys)
    return { given: pieceSource('the lines', keys), selection: WHOLE_LINES };
  if (areLines)
    throw new BloomError('usage', 'lines are read from a stream, and this is none', 'give the keys themselves');
  if ('readableObjectMode' in keys && keys.readableObjectMode === false)
    throw new BloomError('usage', 'a stream of bytes has no keys, as its pieces end anywhere', 'add { lines: true }');
  return { given: givenDigests(kernel, createKeyDigests(kernel, rules), keys), selection: GIVEN };
}

function rulesOf(options: BuildOptions): KeyRules {
  const { hash: stated, seed = 0, ignoreCase = false, trim = false } = options;
  const hash = stated === undefined ? HASHES[0] : HASHES.find(({ name }) => name === stated);
  if (hash === undefined)
    throw new BloomError('usage', `there is no hash ${stated}`, `known: ${HASHES.map(({ name }) => name).join(', ')}`);
  if (typeof seed !== 'bigint') requireNumber('seed', seed, (value) => Number.isSafeInteger(value), 'a whole number');
  const wide = BigInt(seed);
  if (wide < 0n || wide >= 2n ** 64n) throw new BloomError('usage', `seed is from 0 to 2^64 - 1, not ${seed}`);
  return { hash: hash.name, seed: wide, ignoreCase, trim, keyHash: newKeyHashOf(options) };
}
