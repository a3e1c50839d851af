// Filters of other systems as bloom's engine makes them, and the requests with which the systems make the same ones.

import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { BloomError } from '../../src/errors.ts';
import { makingNamed } from '../../src/formats/makings.ts';
import { eager } from '../engine/threads/worker-pools.ts';
import { answersTo, withLoaded } from '../formats/asking.ts';
import { added, blueprintOf, can, fileOf, made, merged, openingFor, placed } from '../formats/making.ts';
import { inLongRuns } from '../long.ts';
import { createRandom } from '../reference/random.ts';
import { REAL_SYSTEMS } from './real-systems.ts';

/** A file made by bloom, and the way in which the system makes the same one. */
export interface MadeFile extends Filled {
  readonly name: string;
  /** Members and non-members. */
  readonly asked: readonly Uint8Array[];
  /** bloom's answers for them, as 0 or 1 each. */
  readonly ours: string;
}

/** A filter in a file of any name. */
interface Filled {
  readonly file: string;
  readonly members: readonly Uint8Array[];
  /** The request to the system, for its maker or its merger. */
  readonly theirs: { readonly of: 'maker' | 'merger'; request(file: string): readonly string[] };
}

const NON_MEMBERS = inLongRuns(5000, 500);

const ITEMS = 1000;
const FPR = 0.03;

const alone = createWorkerPool(1);
const together = createWorkerPool(3, eager(499));

/** Ends the threads. */
export const close = () => together.close();

/** Keys of any bytes except NUL, or of any letters. Some occur twice. */
export function drawnKeys(sort: string, seed: number, count: number): Uint8Array[] {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() % limit);
  const drawn = (last: number) => Array.from({ length: 1 + below(40) }, () => 1 + below(last));
  const isOfText = REAL_SYSTEMS[sort]?.isOfText;
  const keys: Uint8Array[] = [];
  while (keys.length < count) {
    const repeated = below(20) === 0 ? keys[below(keys.length)] : undefined;
    keys.push(repeated ?? Uint8Array.from(isOfText ? Buffer.from(String.fromCharCode(...drawn(0x2fff))) : drawn(0xff)));
  }
  return keys;
}

const making = (sort: string, keys: readonly Uint8Array[], items: number, fpr: number): Filled['theirs'] => ({
  of: 'maker',
  request: (file) => ['make', sort, file, 'text', fileOf(keys), String(items), String(fpr)],
});

/** A new filter for this many keys, made with one thread or three. */
const fresh =
  (items: number, fpr: number, count: number, pool = alone) =>
  async (sort: string): Promise<Filled> => {
    const members = drawnKeys(sort, 1, count);
    const file = placed(await made(await blueprintOf(sort, items, fpr), [fileOf(members)], pool));
    return { file, members, theirs: making(sort, members, items, fpr) };
  };

/** A filter to whose file most of its keys were added. */
async function grown(sort: string): Promise<Filled | undefined> {
  if (!can(sort, 'change')) return undefined;
  const members = drawnKeys(sort, 3, ITEMS);
  const begun = placed(await made(await blueprintOf(sort, ITEMS, FPR), [fileOf(members.slice(0, 300))]));
  const all = await added(begun, openingFor(sort), [fileOf(members.slice(300))], together);
  return { file: placed(all), members, theirs: making(sort, members, ITEMS, FPR) };
}

/** The union of two filters with some common keys. */
async function united(sort: string): Promise<Filled | undefined> {
  if (!can(sort, 'merge')) return undefined;
  const members = drawnKeys(sort, 4, ITEMS);
  const parts: string[] = [];
  for (const part of [members.slice(0, 400), members.slice(300)])
    parts.push(placed(await made(await blueprintOf(sort, ITEMS, FPR), [fileOf(part)])));
  return {
    file: placed(await merged(parts, openingFor(sort))),
    members,
    theirs: { of: 'merger', request: (file) => ['merge', sort, file, ...parts] },
  };
}

/** The cases, for the sorts that have such filters. */
const CASES: Readonly<Record<string, (sort: string) => Promise<Filled | undefined>>> = {
  'without keys': fresh(10, FPR, 0),
  'of one key': fresh(10, FPR, 1),
  'of as many keys as it is for': fresh(ITEMS, FPR, ITEMS),
  'made with three threads': fresh(ITEMS, 0.2, ITEMS, together),
  'with a low rate': fresh(300, 0.001, 300),
  'over-full': fresh(200, 0.01, ITEMS),
  'to which keys were added': grown,
  merged: united,
  ...inLongRuns(
    {
      'for one key': fresh(1, 0.1, 1),
      'of few bits': fresh(3, 0.24, 3),
      large: fresh(20_000, 0.0004, 20_000, together),
      'of few keys in many bits': fresh(700_000, 0.01, 50),
    },
    {},
  ),
};

/** These cases suffice for a sort that differs from the one before it only in its header, or little more. */
const ENOUGH: readonly string[] = ['of as many keys as it is for', 'to which keys were added', 'merged'];

/** The cases of a sort. */
function casesOf(sort: string): readonly string[] {
  const { makings = [] } = makingNamed(sort)?.format ?? {};
  return inLongRuns(Object.keys(CASES), makings[0]?.name === sort ? Object.keys(CASES) : ENOUGH);
}

const filesMade = new Map<string, Promise<readonly MadeFile[]>>();

/** The files of all cases of a sort, made once. */
export function filesOf(sort: string): Promise<readonly MadeFile[]> {
  const files = filesMade.get(sort) ?? makeAll(sort);
  filesMade.set(sort, files);
  return files;
}

async function makeAll(sort: string): Promise<readonly MadeFile[]> {
  const files: MadeFile[] = [];
  const nonMembers = drawnKeys(sort, 2, NON_MEMBERS);
  for (const name of casesOf(sort)) {
    const file = await unlessRefused(() => CASES[name]?.(sort));
    if (file === undefined) continue;
    const asked = [...file.members, ...nonMembers];
    const ours = await withLoaded(file.file, 1, (loaded) => answersTo(loaded, asked), openingFor(sort));
    files.push({ name, ...file, asked, ours: ours.map(Number).join('') });
  }
  return files;
}

/** The result; undefined if there is no such filter, or none for so many keys. */
async function unlessRefused<T>(make: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof BloomError && ['usage', 'capacity'].includes(error.code)) return undefined;
    throw error;
  }
}
