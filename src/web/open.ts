import { BloomError } from '../bloom-error.ts';
import { openFile, type WebFilterFile } from './file.ts';
import type { Key, WebFilter, WebInfo, WebOptions, WebSource } from './filter.ts';
import { WEB_HASHES } from './hashes/registry.ts';
import { type HttpOptions, httpSource, type WebFile } from './http.ts';
import { type Digest, digestOf, type PlaceOfKey, placesOf } from './kinds.ts';
import { createPages } from './pages.ts';

/**
 * Opens a filter of bloomery's own format on a server, in a file of the user or in memory. The first request reads the header. Each look-up
 * reads the segment of its key, unless it is in memory.
 *
 * Rejects with a `BloomError`:
 *
 * - `input`: the file cannot be read;
 * - `format`: it is not a filter of bloomery, or is damaged.
 */
export async function openFilter(source: WebSource, options: WebOptions = {}): Promise<WebFilter> {
  const { fetch, signal, whole, cacheBytes = 32 * 2 ** 20 } = options;
  const bytes = sourceOf(source, { fetch, signal, whole });
  return filterOf(await openFile(bytes), bytes.traffic, cacheBytes);
}

/** The most requests at a time. */
const CONNECTIONS = 6;

/** A filter on an open file. */
export function filterOf(file: WebFilterFile, traffic: WebFilter['traffic'], cacheBytes: number): WebFilter {
  const { header, kind } = file;
  const { hash, seed, share } = header;
  const pages = createPages(file.pageBytes, cacheBytes, file.segments);
  let isClosed = false;

  function requireOpen(): void {
    if (isClosed) throw new BloomError('usage', 'the filter is closed', 'open it again');
  }

  const digestOfKey = (key: Key): Digest => digestOf(WEB_HASHES[hash](bytesOf(key, header), seed));

  function placesOfKey(digest: Digest): readonly PlaceOfKey[] {
    const places = placesOf(digest, header);
    if (places.length > 0) return places;
    const part = share === undefined ? 'a part' : `part ${share.part} of ${share.parts}`;
    throw new BloomError('usage', `the file is ${part} of a filter, and another part has the key`, 'open all parts');
  }

  return {
    async has(key) {
      requireOpen();
      const digest = digestOfKey(key);
      const places = placesOfKey(digest);
      const found = await Promise.all(
        places.map(async (place) => kind.has(await pages.get(place.segment), digest, place, header)),
      );
      return found.includes(true);
    },

    async hasMany(keys) {
      requireOpen();
      const digests = Array.from(keys, digestOfKey);
      const answers = digests.map(() => false);
      const asked = new Map<number, { key: number; digest: Digest; place: PlaceOfKey }[]>();
      for (const [key, digest] of digests.entries()) {
        for (const place of placesOfKey(digest)) {
          const others = asked.get(place.segment);
          if (others === undefined) asked.set(place.segment, [{ key, digest, place }]);
          else others.push({ key, digest, place });
        }
      }
      const runs = pages.runsOf([...asked.keys()].sort((a, b) => a - b)).values();
      const answerRuns = async () => {
        for (const run of runs) {
          for (const [i, segment] of (await pages.getRun(run)).entries()) {
            for (const { key, digest, place } of asked.get(run.first + i) ?? [])
              answers[key] ||= kind.has(segment, digest, place, header);
          }
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, answerRuns));
      return answers;
    },

    info: () => infoOf(file),

    traffic,

    close() {
      isClosed = true;
      pages.clear();
    },
  };
}

function infoOf({ header, kind, bytes, pageBytes }: WebFilterFile): WebInfo {
  const { hash, seed, ignoreCase, trim, share, bits, k, segments, capacity, targetFpr, inserted } = header;
  return {
    format: 'bloomery',
    kind: kind.name,
    ...{ hash, seed, ignoreCase, trim, bits, hashes: k, segments, bytes, pageBytes, capacity, targetFpr, inserted },
    part: share === undefined ? null : `${share.part}/${share.parts}`,
  };
}

const NO_TRAFFIC = { requests: 0, bytes: 0 };

export function sourceOf(given: WebSource, options: HttpOptions): WebFile {
  if (typeof given === 'string' || given instanceof URL || given instanceof Request) return httpSource(given, options);
  const blob = given instanceof Blob ? given : new Blob([given as Uint8Array<ArrayBuffer>]);
  const name = blob instanceof File ? blob.name : 'the filter';
  return {
    name,
    async read(from, to) {
      try {
        return new Uint8Array(await blob.slice(from, to).arrayBuffer());
      } catch {
        throw new BloomError('changed', `${name} cannot be read any more`, 'select it again');
      }
    },
    size: () => blob.size,
    traffic: () => NO_TRAFFIC,
  };
}

const SPACE = 0x20;
const TAB = 0x09;
const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;
const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

const encoder = new TextEncoder();

/** The bytes of a key after trim and ignore-case, in this order. */
function bytesOf(key: Key, { trim, ignoreCase }: { readonly trim: boolean; readonly ignoreCase: boolean }): Uint8Array {
  const bytes = typeof key === 'string' ? encoder.encode(key) : key;
  let [from, to] = [0, bytes.length];
  if (trim) {
    while (from < to && isBlank(bytes[from])) from++;
    while (to > from && isBlank(bytes[to - 1])) to--;
  }
  const kept = bytes.subarray(from, to);
  return ignoreCase ? kept.map((byte) => (isCapital(byte) ? byte + 32 : byte)) : kept;
}
