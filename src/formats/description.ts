import { isDeepStrictEqual } from 'node:util';
import type { KeyRanges } from '../filters/key-ranges.ts';
import type { FilterKind, Shape, Structure } from '../filters/kind.ts';
import type { EncodingName } from '../hashes/encodings.ts';
import type { HashName } from '../hashes/registry.ts';
import { heldShare } from '../sizing/share.ts';
import type { KeyType } from './key-types.ts';
import type { FormatFacts } from './mark.ts';
import type { Note } from './note.ts';

/** What turns the bytes of a record into a digest; equal for everything that is ever asked of one filter. */
export interface KeyRules {
  readonly hash: HashName;
  readonly seed: bigint;
  /** What the loop of the hash is told besides the seed, behind it. */
  readonly parameters?: readonly bigint[];
  /** 64-bit words of a digest, where they are not those of every digest of the hash. */
  readonly words?: number;
  readonly ignoreCase: boolean;
  readonly trim: boolean;
  /** What makes of a key the bytes that are hashed; those of the record if undefined. */
  readonly encoding?: EncodingName | undefined;
  /** What its loop is told, where that is not what it is told as a rule. */
  readonly encodingParameters?: readonly bigint[] | undefined;
  /** Bytes of a key that are hashed, where these are but the first. */
  readonly prefix?: number | undefined;
  /** Where each part of the filter has the keys of a range for itself. */
  readonly ranges?: KeyRanges | undefined;
}

/** What the digests of keys depend on, in the words of messages. */
const RULE_WORDS: Readonly<Record<keyof KeyRules, string>> = {
  hash: 'hash',
  seed: 'seed',
  parameters: 'parameters of the hash',
  words: 'length of digests',
  ignoreCase: 'ignore-case',
  trim: 'trim',
  encoding: 'key type',
  encodingParameters: 'scale of the keys',
  prefix: 'length of keys',
  ranges: 'ranges of keys',
};

/** In what two rules differ, in words; in nothing if their digests of all keys are the same. */
export function differencesOf(a: KeyRules, b: KeyRules): string[] {
  const names = Object.keys(RULE_WORDS) as (keyof KeyRules)[];
  return names.filter((name) => !isDeepStrictEqual(a[name], b[name])).map((name) => RULE_WORDS[name]);
}

/** What a filter was sized for; of a part, the whole. */
export interface Target {
  /** Distinct keys, n. */
  readonly capacity: number;
  /** Rate, p. */
  readonly targetFpr: number;
}

/** A filter but for its bits, whatever file it is in. */
export interface Description {
  readonly format: FormatFacts;
  readonly kind: Structure;
  readonly shape: Shape;
  readonly rules: KeyRules;
  /** What its keys are, where somebody has said so; else text. */
  readonly keyType?: KeyType | undefined;
  /** What makes bytes of its keys, where it says so and nobody knows which: their type has to be stated. */
  readonly keysBy?: string | undefined;
  /** Undefined where its file does not say. */
  readonly target: Target | undefined;
  /** Keys that were added, repetitions included; undefined where its file does not say. */
  readonly inserted: number | undefined;
  /** `inserted` counts the keys that set a bit: there are no fewer distinct keys. */
  readonly countsNew?: true;
  readonly note?: Note | undefined;
  /** What else is to be known of it. */
  readonly remarks?: readonly string[];
  /** Why some of its keys may be called absent, where no file tells, and what to state: it ends a sentence that names the file. */
  readonly doubt?: string | undefined;
  /** Bytes of its file, where these do not follow from its shape. */
  readonly bytes?: number;
}

/** That of a filter of bloom's own kinds. */
export interface OwnDescription extends Description {
  readonly kind: FilterKind;
}

/** What a file says that its filter was sized for; undefined where no filter can be. Without a checksum it may say anything. */
export function statedTarget(capacity: bigint, targetFpr: number): Target | undefined {
  const keys = statedKeys(capacity);
  return keys !== undefined && keys > 0 && targetFpr > 0 && targetFpr < 1 ? { capacity: keys, targetFpr } : undefined;
}

/** A number of keys that a file gives; undefined where nobody can have counted so many. */
export function statedKeys(keys: bigint): number | undefined {
  return keys <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(keys) : undefined;
}

/** What a filter was sized for; a part of one for its share of the keys. */
export function targetOf({ shape, target }: Description): Target | undefined {
  return target && { ...target, capacity: Math.round(target.capacity * heldShare(shape)) };
}

/** What is to be known of a filter besides its numbers. */
export function remarksOn({ remarks = [], doubt }: Description): readonly string[] {
  return doubt === undefined ? remarks : [...remarks, doubt];
}

/** Bytes of the file of a filter. */
export function fileBytes({ format, shape, bytes, note }: Description): number {
  return bytes ?? format.fileBytes(shape, note);
}

/** The description of a filter once it has so many more keys, or less if negative, and perhaps another shape. */
export function withMoreKeys<D extends Description>(before: D, shape: Shape, keys: number): D {
  const { kind, target, inserted } = before;
  return {
    ...before,
    shape,
    target: target && { ...target, capacity: kind.capacity?.(shape) ?? target.capacity },
    inserted: inserted === undefined ? undefined : inserted + keys,
  };
}
