import { isDeepStrictEqual } from 'node:util';
import type { KeyRanges } from '../filters/key-ranges.ts';
import type { FilterKind, Shape, Structure } from '../filters/kind.ts';
import type { EncodingName } from '../hashes/encodings.ts';
import { KEY_HASHES, type KeyHash } from '../hashes/key-hashes.ts';
import type { HashName } from '../hashes/registry.ts';
import { heldShare } from '../sizing/share.ts';
import type { AnyKeyType } from './key-types.ts';
import type { FormatFacts } from './mark.ts';
import type { Note } from './note.ts';
import type { Origin } from './origin.ts';

/**
 * What a query looks up for a key:
 * - suffixes: the parent domains of a name, in a filter whose keys are names;
 * - suffixesOfText: the same in a filter of text, also in lower case, and the key as it is written;
 * - cases: the key as it is written, in lower case and in upper case;
 * - blocks: the blocks around an address, in a filter whose keys are networks.
 */
export type Lookup = 'suffixes' | 'suffixesOfText' | 'cases' | 'blocks';

/** The rules of filters whose keys are domain names. */
export const DOMAINS = { encoding: 'domain', lookup: 'suffixes' } as const;

/** Whether the case of letters is ignored: not at all, of ASCII letters, or of all letters of Unicode. */
export type CaseRule = boolean | 'unicode';

/** The rules of filters whose keys are networks. */
export const NETWORKS = { encoding: 'network', lookup: 'blocks' } as const;

/** What decides the digest of a record. All queries of one filter use the same rules. */
export interface KeyRules {
  readonly hash: HashName;
  readonly seed: bigint;
  /** Further parameters of the hash, after the seed. */
  readonly parameters?: readonly bigint[];
  /** 64-bit words of a digest, if they differ from those of the hash. */
  readonly words?: number;
  readonly ignoreCase: CaseRule;
  readonly trim: boolean;
  /** The hash that makes keys of records, after the rules above. Undefined if records are not hashed first. */
  readonly keyHash?: KeyHash | undefined;
  /** Converts a key to the bytes that are hashed. Undefined if the bytes of the record are hashed. */
  readonly encoding?: EncodingName | undefined;
  /** Parameters of the encoding, if they are not the default. */
  readonly encodingParameters?: readonly bigint[] | undefined;
  /** What a query looks up for a key. Undefined for the key alone. */
  readonly lookup?: Lookup | undefined;
  /** The lengths of the blocks in a filter of networks, as FORMAT.md numbers them. Undefined if they are not known yet. */
  readonly lengths?: bigint | undefined;
  /** The lengths of IPv4 blocks that have markers: bit i is length i + 17. Undefined if none has. */
  readonly marked?: number | undefined;
  /** Bytes at the start of a key that are hashed. Undefined if all are. */
  readonly prefix?: number | undefined;
  /** The range of keys of each part of the filter, if the parts divide the keys. */
  readonly ranges?: KeyRanges | undefined;
}

/** What digests depend on, by the words in messages. */
const RULE_WORDS: Readonly<Record<keyof KeyRules, string>> = {
  hash: 'hash',
  seed: 'seed',
  parameters: 'parameters of the hash',
  words: 'length of digests',
  ignoreCase: 'ignore-case',
  trim: 'trim',
  keyHash: 'key hash',
  encoding: 'key type',
  encodingParameters: 'scale of the keys',
  lookup: 'keys that are looked up',
  lengths: 'lengths of blocks',
  marked: 'lengths with markers',
  prefix: 'length of keys',
  ranges: 'ranges of keys',
};

/** The names of the rules that differ. Empty if both rules give every key the same digest. */
export function differencesOf(a: KeyRules, b: KeyRules): string[] {
  const names = Object.keys(RULE_WORDS) as (keyof KeyRules)[];
  return names.filter((name) => !isDeepStrictEqual(a[name], b[name])).map((name) => RULE_WORDS[name]);
}

/** What a filter was sized for. For a part of a filter, this is the whole filter. */
export interface Target {
  /** Distinct keys, n. */
  readonly capacity: number;
  /** False-positive rate, p. */
  readonly targetFpr: number;
}

/** A filter without its bits, in any format. */
export interface Description {
  readonly format: FormatFacts;
  readonly kind: Structure;
  readonly shape: Shape;
  readonly rules: KeyRules;
  /** The type of the keys, if it was stated; otherwise text. */
  readonly keyType?: AnyKeyType | undefined;
  /**
   * What converts its keys to bytes if the file names it and bloom does not know it. The user must then state the key
   * type.
   */
  readonly keysBy?: string | undefined;
  /** Undefined if the file does not store it. */
  readonly target: Target | undefined;
  /** Added keys with repetitions. Undefined if the file does not store it. */
  readonly inserted: number | undefined;
  /** `inserted` counts only keys that set a bit. There are at least as many distinct keys. */
  readonly countsNew?: true;
  readonly note?: Note | undefined;
  /** What the filter was built of, if it is one of several that are merged. */
  readonly origin?: Origin | undefined;
  /** What a report says about the filter. */
  readonly remarks?: readonly string[];
  /**
   * Why keys may be reported absent and no content of a file can tell, and what to state. It ends a sentence that
   * begins with the name of the file.
   */
  readonly doubt?: string | undefined;
  /** Bytes of the file. Undefined only if they follow from the shape, in bloomery's own format. */
  readonly bytes?: number;
  /** Whether a tag follows each segment, if new files of this shape differ. */
  readonly isTagged?: boolean | undefined;
}

/** A filter of one of bloomery's kinds. */
export interface OwnDescription extends Description {
  readonly kind: FilterKind;
}

/** The target that a file states. Undefined if it is impossible: without a checksum the bytes may be anything. */
export function statedTarget(capacity: bigint, targetFpr: number): Target | undefined {
  const keys = statedKeys(capacity);
  return keys !== undefined && keys > 0 && targetFpr > 0 && targetFpr < 1 ? { capacity: keys, targetFpr } : undefined;
}

/** A number of keys that a file states. Undefined if it is too large to be a count. */
export function statedKeys(keys: bigint): number | undefined {
  return keys <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(keys) : undefined;
}

/** What a filter was sized for. For a part, the capacity is its share. */
export function targetOf({ shape, target }: Description): Target | undefined {
  return target && { ...target, capacity: Math.round(target.capacity * heldShare(shape)) };
}

/** What a record must contain if not every text is a key: a value of the key type, or a digest. */
export function expectedOf({
  keyType,
  rules: { keyHash },
}: Pick<Description, 'keyType' | 'rules'>): string | undefined {
  if (!keyHash?.areGiven) return keyType;
  return `${keyHash.name} of ${KEY_HASHES[keyHash.name].digits} hexadecimal digits`;
}

/** What a report says about a filter besides its numbers. */
export function remarksOn({ remarks = [], doubt }: Description): readonly string[] {
  return doubt === undefined ? remarks : [...remarks, doubt];
}

/** Bytes of the file of a filter. */
export function fileBytes({ format, shape, bytes, note, isTagged }: Description): number {
  const all = bytes ?? format.fileBytes?.(shape, note, isTagged);
  if (all === undefined) throw new Error(`a filter of ${format.system} does not state the bytes of its file`);
  return all;
}

/** The description of a filter with more keys, or fewer if `keys` is negative, and a new shape. */
export function withMoreKeys<D extends Description>(before: D, shape: Shape, keys: number): D {
  const { kind, target, inserted } = before;
  return {
    ...before,
    shape,
    target: target && { ...target, capacity: kind.capacity?.(shape) ?? target.capacity },
    inserted: inserted === undefined ? undefined : inserted + keys,
  };
}

/** The description of a filter with blocks of more lengths, if its keys are networks. */
export function withLengths<D extends Description>(before: D, lengths: bigint | undefined): D {
  if (lengths === undefined) return before;
  return { ...before, rules: { ...before.rules, lengths: (before.rules.lengths ?? 0n) | lengths } };
}

/**
 * The description of a union, if its keys are networks: it has the lengths of all filters, and markers for the lengths that have them in
 * every filter.
 */
export function withNetworksOf<D extends Description>(union: D, rules: readonly KeyRules[]): D {
  if (union.rules.encoding !== 'network') return union;
  const marked = rules.reduce((all, one) => all & (one.marked ?? 0), -1);
  const all = rules.reduce((some, { lengths }) => withLengths(some, lengths), union);
  return { ...all, rules: { ...all.rules, marked: marked === 0 ? undefined : marked } };
}
