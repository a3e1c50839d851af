import { BloomError } from '../bloom-error.ts';
import { openFile, type WebFilterFile } from './file.ts';
import type { Key, WebAnswers, WebFilter, WebOptions, WebPart, WebSource } from './filter.ts';
import { scale } from './halves.ts';
import { xxh64 } from './hashes/xxh64.ts';
import type { WebHeader } from './header.ts';
import { changed, type HttpOptions, httpSource, type WebFile } from './http.ts';
import { formsOfKeys, required } from './keys.ts';
import { createPages } from './pages.ts';
import { digestOf } from './shape.ts';

/**
 * Opens a filter of bloomery's own format on a server, in a file of the user or in memory. The first request reads the header. Each look-up
 * reads the segment of its key, unless it is in memory.
 *
 * Rejects with a `BloomError`:
 *
 * - `input`: the file cannot be read;
 * - `format`: it is not a filter of bloomery, or is damaged;
 * - `usage`: the filter needs a part of the reader, which the error names.
 */
export async function openFilter(source: WebSource, options: WebOptions = {}): Promise<WebFilter> {
  const file = sourceOf(source, options);
  return filterOf(await openFile(file), file.traffic, options);
}

/** What a segment is asked. */
interface Place {
  readonly k: number;
  readonly asked: number[];
}

/** The most requests at a time. */
const CONNECTIONS = 6;

/** A filter on an open file. */
export function filterOf(
  file: WebFilterFile,
  traffic: WebFilter['traffic'],
  { cacheBytes = 32 * 2 ** 20, with: given = [] }: WebOptions,
): WebFilter {
  const { info, shape, first } = file.header;
  const parts: WebPart = Object.assign({}, ...given);
  const formsOf = formsOfKeys(file.header, parts);
  const answers = parts.kernel?.({ ...file.header, ...info, ...shape }) ?? answersOf(file.header, parts);
  const pages = createPages(info.pageBytes, cacheBytes, file.segments);
  let isClosed = false;

  /** The indexes of the digests that each segment can have, with its k. */
  function placed(digests: BigUint64Array): Map<number, Place> {
    const places = new Map<number, Place>();
    const halves = new Uint32Array(digests.buffer);
    let begin = -first;
    for (const { segments, k } of shape.slices) {
      for (let i = 0; i < digests.length; i++) {
        const segment = begin + scale(halves[2 * i + 1] ?? 0, segments);
        if (segment < 0 || segment >= info.segments)
          throw new BloomError('usage', `another part than ${info.part} has the key`, 'open all parts');
        const place = places.get(segment) ?? { k, asked: [] };
        place.asked.push(i);
        places.set(segment, place);
      }
      begin += segments;
    }
    return places;
  }

  async function hasMany(keys: Iterable<Key>): Promise<boolean[]> {
    if (isClosed) throw new BloomError('usage', 'the filter is closed', 'open it again');
    const found: boolean[] = [];
    const [texts, owners] = [[] as Uint8Array[], [] as number[]];
    for (const key of keys) {
      for (const text of formsOf(key)) {
        texts.push(text);
        owners.push(found.length);
      }
      found.push(false);
    }
    const digests = answers.digests(texts);
    const places = placed(digests);
    const runs = pages.runsOf([...places.keys()].sort((a, b) => a - b)).values();
    const answerRuns = async () => {
      for (const run of runs) {
        for (const [i, segment] of (await pages.getRun(run)).entries()) {
          const place = places.get(run.first + i);
          if (place === undefined) continue;
          const { k, asked } = place;
          const some = BigUint64Array.from(asked, (of) => digests[of] ?? 0n);
          const hits = answers.test(segment, some, k, first + run.first + i);
          for (const [j, of] of asked.entries()) if (hits[j]) found[owners[of] ?? 0] = true;
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, answerRuns));
    return found;
  }

  return {
    has: async (key) => (await hasMany([key]))[0] === true,
    hasMany,
    info: () => info,
    traffic,
    close() {
      isClosed = true;
      pages.clear();
    },
  };
}

/** The answers of this module. */
function answersOf({ kind, shape, info }: WebHeader, parts: WebPart): WebAnswers {
  const { hash, seed } = info;
  const hashKey = hash === 'xxh64' ? xxh64 : required(parts, 'hashes')[hash];
  return {
    digests: (keys) => BigUint64Array.from(keys, (key) => hashKey(key, seed)),
    test: (segment, digests, k, index) =>
      Array.from(digests, (digest) => kind.has(segment, digestOf(digest, shape.segments), k, shape, index)),
  };
}

export function sourceOf(given: WebSource, options: HttpOptions): WebFile {
  if (typeof given === 'string' || given instanceof URL || given instanceof Request) return httpSource(given, options);
  const blob = given instanceof Blob ? given : new Blob([given as Uint8Array<ArrayBuffer>]);
  const name = blob instanceof File ? blob.name : 'the file';
  return {
    name,
    read: (from, to) =>
      blob
        .slice(from, to)
        .arrayBuffer()
        .then(
          (bytes) => new Uint8Array(bytes),
          () => {
            throw changed(name);
          },
        ),
    size: () => blob.size,
    traffic: () => ({ requests: 0, bytes: 0 }),
  };
}
