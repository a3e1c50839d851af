import { BloomError } from '../bloom-error.ts';
import { openFile, type WebFilterFile } from './file.ts';
import type { Key, WebFilter, WebInfo, WebOptions, WebSource } from './filter.ts';
import { WEB_HASHES } from './hashes/registry.ts';
import { placesOf, type WebHeader } from './header.ts';
import { type HttpOptions, httpSource, type WebFile } from './http.ts';
import { type Digest, digestOf, type PlaceOfKey } from './kinds.ts';
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
  const { header } = file;
  const { kind, shape, hash, seed, part } = header;
  const pages = createPages(header.pageBytes, cacheBytes, file.segments);
  let isClosed = false;

  function requireOpen(): void {
    if (isClosed) throw new BloomError('usage', 'the filter is closed', 'open it again');
  }

  /** The digests of a key. It may be in the set if one of them is. */
  const digestsOf = (key: Key): Digest[] => keysOf(key, header).map((bytes) => digestOf(WEB_HASHES[hash](bytes, seed)));

  function placesOfKey(digest: Digest): readonly PlaceOfKey[] {
    const places = placesOf(digest, header);
    if (places.length > 0) return places;
    throw new BloomError(
      'usage',
      `the file is part ${part} of a filter, and another part has the key`,
      'open all parts',
    );
  }

  return {
    async has(key) {
      requireOpen();
      const found = await Promise.all(
        digestsOf(key).flatMap((digest) =>
          placesOfKey(digest).map(async (place) => kind.has(await pages.get(place.segment), digest, place, shape)),
        ),
      );
      return found.includes(true);
    },

    async hasMany(keys) {
      requireOpen();
      const digests = Array.from(keys, digestsOf);
      const answers = digests.map(() => false);
      const asked = new Map<number, { key: number; digest: Digest; place: PlaceOfKey }[]>();
      const ask = (key: number, digest: Digest) => {
        for (const place of placesOfKey(digest)) {
          const others = asked.get(place.segment);
          if (others === undefined) asked.set(place.segment, [{ key, digest, place }]);
          else others.push({ key, digest, place });
        }
      };
      for (const [key, some] of digests.entries()) for (const digest of some) ask(key, digest);
      const runs = pages.runsOf([...asked.keys()].sort((a, b) => a - b)).values();
      const answerRuns = async () => {
        for (const run of runs) {
          for (const [i, segment] of (await pages.getRun(run)).entries()) {
            for (const { key, digest, place } of asked.get(run.first + i) ?? [])
              answers[key] ||= kind.has(segment, digest, place, shape);
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

function infoOf({ header, bytes }: WebFilterFile): WebInfo {
  const { kind, shape, hash, seed, ignoreCase, trim, areDomains, part, count, pageBytes } = header;
  const { capacity, targetFpr, inserted } = header;
  return {
    format: 'bloomery',
    kind: kind.name,
    keyType: areDomains ? 'domain' : 'text',
    ...{ hash, seed, ignoreCase, trim, part, hashes: shape.k, segments: count },
    ...{ bits: count * shape.segmentBits, bytes, pageBytes, capacity, targetFpr, inserted },
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

const EMPTY = new Uint8Array(0);
const STAR = 0x2a;
const DOT = 0x2e;
const SPACE = 0x20;
const TAB = 0x09;
/** The longest suffix of a name that is looked up. */
const LONGEST_NAME = 253;

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;
const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

const encoder = new TextEncoder();

/** The keys that a query looks up for a key: it, after trim and ignore-case, or the domain names that it ends with. */
function keysOf(key: Key, { trim, ignoreCase, areDomains }: WebHeader): Uint8Array[] {
  let bytes = typeof key === 'string' ? encoder.encode(key) : key;
  if (trim) bytes = trimmed(bytes, isBlank, isBlank);
  if (ignoreCase || areDomains) bytes = bytes.map((byte) => (isCapital(byte) ? byte + 32 : byte));
  if (!areDomains) return [bytes];
  const names: Uint8Array[] = [];
  const name = nameOf(bytes);
  if (name.length > 0) names.push(name);
  for (const [at, byte] of name.entries()) {
    const suffix = byte === DOT ? nameOf(name.subarray(at + 1)) : EMPTY;
    if (suffix.length > 0 && suffix.length <= LONGEST_NAME) names.push(suffix);
  }
  return names;
}

type Test = (byte: number | undefined, next?: number) => boolean;

function trimmed(bytes: Uint8Array, isBefore: Test, isAfter: Test): Uint8Array {
  let [from, to] = [0, bytes.length];
  while (to > from && isAfter(bytes[to - 1])) to--;
  while (from < to && isBefore(bytes[from], from + 1 < to ? bytes[from + 1] : undefined)) from++;
  return bytes.subarray(from, to);
}

/** A text as a domain name: without what lists of hosts have around names. */
function nameOf(bytes: Uint8Array): Uint8Array {
  const isAround = (byte: number | undefined) => isBlank(byte) || byte === DOT;
  return trimmed(bytes, (byte, next) => isAround(byte) || (byte === STAR && next === DOT), isAround);
}
