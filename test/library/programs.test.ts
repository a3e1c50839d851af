// Random programs that use several filters at once, against a model: the keys of each filter, as a list.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';
import { buildFilter, type Filter, type KindName, mergeFilters, openFilter } from '../../src/library/index.ts';
import { scratch } from '../cli/run.ts';
import { inLongRuns } from '../long.ts';

const { path } = scratch();

const changing = KINDS.filter(({ abilities }) => abilities.includes('add'));

/** A false positive would look like a key that was saved too late. At this rate there is none. */
const RATE = 1e-8;

/** A filter, and the keys that were added to it and not removed. */
interface Modelled {
  readonly kind: KindName;
  readonly canRemove: boolean;
  filter: Filter;
  readonly keys: Set<string>;
}

/** The file of a filter that is being written, with the keys that it must have and those that it must not have. */
interface Written {
  readonly bytes: Promise<Uint8Array | string>;
  readonly keys: readonly string[];
  readonly of: Modelled;
}

interface World {
  readonly filters: Modelled[];
  readonly written: Written[];
  /** The number of keys given so far; the next keys are new. */
  given: number;
}

const fresh = (world: World, count: number) => Array.from({ length: count }, () => `key ${world.given++}`);

function requireMembers({ filter, keys }: Modelled): void {
  expect(filter.hasMany(keys)).not.toContain(false);
}

/** The effect of a step on its filter, and on another one. */
type Step = (world: World, of: Modelled, other: Modelled) => Promise<void> | void;

function add({ filter, keys }: Modelled, many: readonly string[]): void {
  filter.addMany(many);
  for (const key of many) keys.add(key);
}

const STEPS: Readonly<Record<string, (count: number) => Step>> = {
  add: (count) => (world, of) => {
    for (const key of fresh(world, Math.min(count, 30))) {
      of.filter.add(key);
      of.keys.add(key);
    }
  },
  'add many': (count) => (world, of) => add(of, fresh(world, count)),
  'add what is missing, by asking meanwhile': (count) => (world, of) => {
    const [known, more] = [[...of.keys].slice(0, count), fresh(world, count)];
    of.filter.addMany(
      (function* () {
        for (const key of [...known, ...more, ...more]) if (!of.filter.has(key)) yield key;
      })(),
    );
    for (const key of more) of.keys.add(key);
  },
  'add to another one meanwhile': (count) => (world, of, other) => {
    const more = fresh(world, count);
    of.filter.addMany(
      (function* () {
        for (const key of more) {
          if (other !== of) add(other, fresh(world, 1));
          yield key;
        }
      })(),
    );
    for (const key of more) of.keys.add(key);
  },
  'query while others are queried': () => (_, of, other) => {
    const answers = of.filter.hasMany(
      (function* () {
        for (const key of of.keys) {
          for (const one of [...other.keys].slice(0, 1)) expect(other.filter.has(one)).toBe(true);
          yield key;
        }
      })(),
    );
    expect(answers).toEqual([...of.keys].map(() => true));
  },
  remove: (count) => (_, of) => {
    if (!of.canRemove) return;
    for (const key of [...of.keys].slice(0, count)) {
      expect(of.filter.remove(key)).toBe(true);
      of.keys.delete(key);
    }
  },
  save: () => (world, of) => {
    const file = path(`${world.written.length}.bloom`);
    world.written.push({ bytes: of.filter.save(file).then(() => file), keys: [...of.keys], of });
  },
  'save in the middle of adding': (count) => (world, of) => {
    const more = fresh(world, count);
    of.filter.addMany(
      (function* () {
        for (const [i, key] of more.entries()) {
          yield key;
          of.keys.add(key);
          if (i === count >> 1) world.written.push({ bytes: of.filter.toBytes(), keys: [...of.keys], of });
        }
      })(),
    );
  },
  'to bytes': () => (world, of) => {
    world.written.push({ bytes: of.filter.toBytes(), keys: [...of.keys], of });
  },
  'open again': () => async (_, of) => {
    const before = of.filter;
    of.filter = await openFilter(await before.toBytes(), { writable: true });
    before.close();
  },
  'let others go on': () => () => new Promise((resolve) => setImmediate(resolve)),
  merge: () => async (_, of) => {
    if (of.kind === 'scalable') return;
    const more = await buildFilter(of.keys, { kind: of.kind, items: 20_000, fpr: RATE });
    const merging = mergeFilters([of.filter, more]);
    const united = await merging;
    expect(united.hasMany(of.keys)).not.toContain(false);
    united.close();
    more.close();
  },
};

/** A step of a program. */
interface Stated {
  readonly name: string;
  readonly of: number;
  readonly other: number;
  readonly count: number;
}

const step: fc.Arbitrary<Stated> = fc.record({
  name: fc.constantFrom(...Object.keys(STEPS)),
  of: fc.nat(),
  other: fc.nat(),
  count: fc.integer({ min: 1, max: 600 }),
});

async function run(program: readonly Stated[]): Promise<void> {
  const filters = await Promise.all(
    changing.map(async ({ name, abilities }): Promise<Modelled> => {
      const kind = name as KindName;
      const filter = await buildFilter(['first'], { kind, items: 20_000, fpr: RATE });
      return { kind, canRemove: abilities.includes('remove'), filter, keys: new Set(['first']) };
    }),
  );
  const world: World = { filters, written: [], given: 0 };
  const at = (index: number) => filters[index % filters.length] as Modelled;
  for (const { name, of, other, count } of program) await STEPS[name]?.(count)(world, at(of), at(other));
  for (const filter of filters) requireMembers(filter);
  for (const { bytes, keys, of } of world.written) {
    const saved = await openFilter(await bytes);
    expect(saved.hasMany(keys), of.kind).not.toContain(false);
    const then = new Set(keys);
    const others = Array.from({ length: world.given }, (_, i) => `key ${i}`).filter((key) => !then.has(key));
    expect(saved.hasMany(others), of.kind).not.toContain(true);
    saved.close();
  }
  for (const { filter } of filters) filter.close();
}

test('programs find every key that they added, and a file has the keys of the moment when it was saved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: inLongRuns(120, 40) }), run),
    // A fixed seed makes the same programs each time, so that chance has no part.
    { numRuns: inLongRuns(50, 3), seed: 20_261_123 },
  );
}, 600_000);
