// Filters of other systems: files that the systems wrote, with their recorded answers, and files of the oracles.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadedFilter } from '../../src/engine/store/loaded.ts';
import { contentInFile } from '../../src/engine/survey.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { fileBytes } from '../../src/formats/description.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { FORMATS, formatNamed } from '../../src/formats/registry.ts';
import type { Kernel } from '../../src/kernel/kernel.ts';
import { eager, withPipes } from '../engine/threads/worker-pools.ts';
import { linesOf } from '../filters/filling.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { IS_LONG, inLongRuns } from '../long.ts';
import { writeNewFile } from '../new-file.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';
import { createRandom } from '../reference/random.ts';
import { answersTo, positivesIn, withLoaded } from './asking.ts';
import { outcome } from './bloomery/files.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/formats', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bloom-foreign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const linesIn = (text: string) => text.split('\n').slice(0, -1);

/** The queried lines: keys and similar texts. The default run has every sixth of them. */
const ALL_ASKED = linesIn(readFileSync(join(FIXTURES, 'asked.txt'), 'utf8'));
const ASKED_LINES = ALL_ASKED.map((_, i) => i).filter((i) => i % inLongRuns(1, 12) === 0);
const ASKED = ASKED_LINES.map((i) => ALL_ASKED[i] ?? '');

const NON_MEMBERS = inLongRuns(50_000, 2500);
/** The number of non-members whose answers are compared one by one. */
const COMPARED = inLongRuns(1000, 100);
const Z999 = 3.29;

/** The number of vessels per system that the default run measures with many non-members. */
const USUAL = 1;

/**
 * Shorter lengths at which a file is still complete. A line end is optional, and a RetouchedBloomFilter begins with the file
 * of the BloomFilter that it extends.
 */
const ALSO_WHOLE: Readonly<Record<string, number>> = { 'block.hex': 514, 'retouched.bin': 39 };

/** Systems whose predicted rates take dependent positions into account. */
const CORRECTED = new Set(
  [
    'bits-and-blooms',
    'cassandra',
    'datasketches',
    'dcso',
    'guava',
    'hbase',
    'leveldb',
    'orc',
    'npm-bloom-filters',
    'poppy',
    'pybloom',
  ].concat(['redis-rdb', 'redisbloom', 'rocksdb', 'spark']),
);

/** The files of filters in the folders of the systems. */
const FILES = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory()
    ? readdirSync(join(FIXTURES, entry.name))
        .filter((file) => !file.endsWith('.answers'))
        .map((file) => ({ system: entry.name, file }))
    : [],
);

/** The default run tries the first file of each system in full. Of the others it compares the answers. */
const isFirst = ({ system, file }: (typeof FILES)[number]) =>
  FILES.find((other) => other.system === system)?.file === file;

/** A file in the folder of the tests. */
function placed(name: string, bytes: Uint8Array): string {
  writeNewFile(join(folder, name), bytes);
  return join(folder, name);
}

/** Runs some work with a pipe that delivers a file. */
function inOrder<T>(file: string, work: (pipe: string) => Promise<T>): Promise<T> {
  // The pipe is made beside the file.
  const copy = placed('copy', readFileSync(file));
  return withPipes([copy], ([pipe = '']) => work(pipe));
}

/** The outcome of loading a filter: 'accepted' or the code of the error. */
const loading = (file: string, opening: Opening) => outcome(withLoaded(file, 1, () => {}, opening));

/** The outcome of opening a filter. */
const opened = (file: string, opening: Opening, kernel?: Kernel) =>
  outcome(openFilterFile(file, 'query', opening, kernel).then(({ close }) => close()));

/** The variant of a file, from the name of the file, if a reader has to state it. */
function variantOf(system: string, file: string): string | undefined {
  const { variants = [], signatures, fits, ends } = formatNamed(system);
  const isUntold = (signatures ?? fits ?? ends) === undefined;
  return [...variants.map(({ name }) => name), ...(isUntold ? [system] : [])].find((name) => file.endsWith(`.${name}`));
}

/** One file with the keys that must be found and one with the others, and the numbers of keys. */
function splitBy(isPresent: (key: string, index: number) => boolean, keys: readonly string[] = ASKED) {
  const present = keys.filter(isPresent);
  const absent = keys.filter((key, i) => !isPresent(key, i));
  return {
    inputs: [placed('present', linesOf(present)), placed('absent', linesOf(absent))],
    expected: [present.length, 0],
  };
}

/** Random keys. Some hashes spread consecutive numbers more evenly than chance, or less evenly. */
function drawnKeys(seed: number, count: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => `${random().toString(16)}.${random().toString(36)}`);
}

const systemOf = (name: string) => {
  const system = SYSTEMS[name];
  if (system === undefined) throw new Error(`there is no oracle of ${name}`);
  return system;
};

/** The decompressed content of a file. */
function plain(file: string): Uint8Array {
  const bytes = readFileSync(file);
  return new Uint8Array(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

const alone = createWorkerPool(1);
const together = createWorkerPool(3, eager(499));
afterAll(() => together.close());

test('every format of another system that can be queried has files of that system and an oracle', () => {
  const asked = FORMATS.slice(1).flatMap((format) => ('abilities' in format ? [format.name] : []));
  expect([...new Set(FILES.map(({ system }) => system))].sort()).toEqual(asked.toSorted());
  expect(Object.keys(SYSTEMS).sort()).toEqual(asked.toSorted());
});

describe.each(FILES)('$system/$file', ({ system, file: name }) => {
  const file = join(FIXTURES, system, name);
  const all = readFileSync(join(FIXTURES, system, `${name.split('.')[0]}.answers`), 'utf8').trim();
  const answers = ASKED_LINES.map((i) => all[i]).join('');
  const variant = variantOf(system, name);
  const { keyType } = systemOf(system);
  const opening = { format: variant, keyType };
  const inPipe = systemOf(system).isToldByEnd ? { ...opening, format: variant ?? system } : opening;
  const isPresent = (_: string, i: number) => answers[i] === '1';
  const isTriedInFull = IS_LONG || isFirst({ system, file: name });

  test.runIf(isTriedInFull)('has the answers of its system by the oracle', () => {
    const { has } = systemOf(system).decode(plain(file), variant);
    expect(all.length).toBe(ALL_ASKED.length);
    expect(ASKED.map((key) => (has(bytesOf(key)) ? '1' : '0')).join('')).toBe(answers);
  });

  test('has them in the program, with one thread and three, as a file and in order, which shows its bytes', async () => {
    const { inputs, expected } = splitBy(isPresent);
    const isOfAllBytes = ({ description }: LoadedFilter) => expect(fileBytes(description)).toBe(plain(file).length);
    for (const pool of inLongRuns([alone, together], [isTriedInFull ? together : alone])) {
      expect(await positivesIn(file, inputs, pool, opening)).toEqual(expected);
      if (!isTriedInFull) continue;
      if (!systemOf(system).isReadFromEnd)
        expect(await inOrder(file, (pipe) => positivesIn(pipe, inputs, pool, inPipe, isOfAllBytes))).toEqual(expected);
      else expect(await inOrder(file, (pipe) => loading(pipe, opening))).toBe('format');
    }
  });

  test.runIf(isTriedInFull)('is refused if it is cut off anywhere', async () => {
    const bytes = plain(file);
    const kernel = usedKernel();
    const open = (length: number) => opened(placed('cut', bytes.subarray(0, length)), opening, kernel);
    expect(await open(bytes.length)).toBe('accepted');
    // Bytes that follow a filter may be cut off.
    const { mayHaveMore, pageBytes, decode } = systemOf(system);
    const isWhole = (length: number) =>
      length >= needed || length === ALSO_WHOLE[name] || (length > 0 && length % (pageBytes ?? bytes.length) === 0);
    const needed = mayHaveMore ? decode(bytes, variant).encode().length : bytes.length;
    const [near, step] = IS_LONG ? [1, 7] : [9, Math.ceil(bytes.length / 5)];
    for (let length = 0; length < bytes.length; length += length < 80 || length > needed - 10 ? near : step)
      expect(await open(length), `${length} bytes`).toBe(isWhole(length) ? 'accepted' : 'format');
  });
});

const nonMembers = drawnKeys(1, NON_MEMBERS);
let asked = '';
beforeAll(() => {
  asked = placed('strangers', linesOf(nonMembers));
});

describe.each(Object.entries(SYSTEMS))(
  '%s',
  (system, { vessels, spoils, mayHaveMore, isToldByEnd, keyType, decode }) => {
    const sorts = Object.entries(vessels);
    test.each(inLongRuns(sorts, sorts.slice(0, USUAL)))(
      'with %s: finds all keys, and non-members as often as its bits predict',
      async (_, make) => {
        const { filter, keys, variant } = make();
        const opening = { format: variant, keyType };
        const members = drawnKeys(2, keys);
        for (const key of members) filter.add(bytesOf(key));
        const file = placed('made', filter.encode());
        const [found, met] = await positivesIn(file, [placed('members', linesOf(members)), asked], alone, opening);
        expect(found).toBe(keys);
        const rate = filter.rate();
        const interval = Z999 * Math.sqrt((rate * (1 - rate)) / NON_MEMBERS);
        expect(Math.abs((met ?? 0) / NON_MEMBERS - rate)).toBeLessThanOrEqual(interval);

        const compare = async (loaded: LoadedFilter) => {
          const some = [...members, ...nonMembers].slice(0, keys + COMPARED).map(bytesOf);
          expect(await answersTo(loaded, some)).toEqual(some.map(filter.has));
          const content = contentInFile(loaded.description, loaded.fills(), 'made');
          expect(content.fillRatio).toBeCloseTo(filter.fill(), 12);
          // The oracles ignore positions that depend on each other; test/filters/stepped.rates.test.ts measures their rates.
          if (!CORRECTED.has(system)) expect(content.predictedFpr).toBeCloseTo(rate, 9);
          const { predictedFpr } = content;
          expect(predictedFpr).toBeGreaterThanOrEqual(0.95 * rate);
          // If the rate is too low to be measured, there are a few false positives or none.
          const error = Z999 * Math.sqrt((predictedFpr * (1 - predictedFpr)) / NON_MEMBERS) + 5 / NON_MEMBERS;
          expect(Math.abs((met ?? 0) / NON_MEMBERS - predictedFpr)).toBeLessThanOrEqual(error + 0.05 * predictedFpr);
        };
        await withLoaded(file, 1, compare, opening);
      },
    );

    test.each(sorts)('with %s: keys of any bytes and length have the answers of the oracle', async (_, make) => {
      const key = fc.uint8Array({ maxLength: 100 });
      const keys = fc.array(key, { minLength: 4, maxLength: 40, size: 'max' });
      const property = fc.asyncProperty(keys, async (keys) => {
        const { filter, variant } = make();
        for (const member of keys.slice(keys.length / 4)) filter.add(member);
        const compare = async (loaded: LoadedFilter) =>
          expect(await answersTo(loaded, keys)).toEqual(keys.map(filter.has));
        await withLoaded(placed('made', filter.encode()), 1, compare, { format: variant, keyType });
      });
      await fc.assert(property, { seed: 1, numRuns: inLongRuns(4, 1) });
    });

    const [first] = Object.values(vessels).map((make) => make());
    const whole = first?.filter.encode();
    first?.filter.add(bytesOf('a key'));
    const filled = first?.filter.encode();
    const opening = { format: first?.variant, keyType };
    const inPipe = isToldByEnd ? { ...opening, format: first?.variant ?? system } : opening;
    test.each(Object.entries(spoils))('a file with %s is refused', async (_, spoil) => {
      const file = filled?.slice() ?? new Uint8Array();
      spoil(new DataView(file.buffer));
      const spoilt = placed('spoilt', file);
      expect(await opened(spoilt, opening)).toBe('format');
      if (IS_LONG) expect(await inOrder(spoilt, (pipe) => loading(pipe, inPipe))).toMatch(/^(format|memory)$/);
    });

    test(`a file with more bytes is ${mayHaveMore ? 'taken' : 'refused'}`, async () => {
      const file = placed('longer', Buffer.concat([whole ?? new Uint8Array(), Buffer.from('more')]));
      const expected = mayHaveMore ? 'accepted' : 'format';
      expect(await opened(file, opening)).toBe(expected);
      expect(await inOrder(file, (pipe) => loading(pipe, inPipe))).toBe(expected);
      if (mayHaveMore) expect(decode(readFileSync(file), first?.variant).encode()).toEqual(whole);
    });

    test.runIf(mayHaveMore)('a file of two filters is refused, because the keys of one would be lost', async () => {
      const file = placed('two', Buffer.concat([whole ?? new Uint8Array(), whole ?? new Uint8Array()]));
      expect(await opened(file, opening)).toBe('format');
      expect(await inOrder(file, (pipe) => loading(pipe, inPipe))).toBe('format');
    });
  },
);
