import { damaged } from '../../errors.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { FIELDS, FIRST_OPCODE, OPCODES, passOver, VALUES } from './database-layouts.ts';
import { createTape, type Tape } from './tape.ts';

/** A key of a database file, and the position of its name. */
export interface StoredKey {
  readonly database: number;
  readonly from: number;
  readonly to: number;
}

/** A key that is a filter. */
export interface FilterKey extends StoredKey {
  readonly kind: 'bloom' | 'cuckoo';
  /** The version of its values. */
  readonly version: number;
  /** The position of its values. */
  readonly values: { readonly from: number; readonly to: number };
}

/** The content of a database file. */
export interface DatabaseKeys {
  readonly filters: readonly FilterKey[];
  /** What ended the search: a value of an unknown type, or without a key an unknown part of the file. */
  readonly unknown: { readonly type: number; readonly key: StoredKey | undefined } | undefined;
  /** The tape is after the last part and before the checksum, or after the unknown part. */
  readonly tape: Tape;
}

/** "REDIS" and the digits of a version. */
export const HEAD_BYTES = 9;

const END = 0xff;
const SELECT = 0xfe;
const MODULE_AUX = 0xf7;
const MODULE = 7;

/**
 * The upper 54 bits of the ids of modules are "MBbloom--" and "MBbloomCF" in letters of 6 bits. The other bits are a
 * version.
 */
const VERSION_BITS = 10n;
const KINDS: ReadonlyMap<bigint, FilterKey['kind']> = new Map([
  [0x3016e5a289bef800n >> VERSION_BITS, 'bloom'],
  [0x3016e5a289821400n >> VERSION_BITS, 'cuckoo'],
]);

/**
 * Skips through all keys of a database file and collects the filters. Throws a `format` error if the file is damaged.
 */
export function filterKeysIn(bytes: RandomAccess, name: string): DatabaseKeys {
  const tape = createTape(bytes, name);
  tape.skip(HEAD_BYTES);
  const filters: FilterKey[] = [];
  let database = 0;
  for (;;) {
    const type = tape.byte();
    const opcode = OPCODES.get(type);
    if (type === END) return { filters, unknown: undefined, tape };
    if (type === SELECT) database = tape.length();
    else if (type === MODULE_AUX) {
      tape.whole();
      passFields(tape, name);
    } else if (opcode !== undefined) passOver(tape, opcode);
    else if (type >= FIRST_OPCODE) return { filters, unknown: { type, key: undefined }, tape };
    else {
      const from = tape.position();
      tape.skipString();
      const key = { database, from, to: tape.position() };
      const layout = VALUES.get(type);
      if (type === MODULE) filters.push(...passModule(tape, key, name));
      else if (layout !== undefined) passOver(tape, layout);
      else return { filters, unknown: { type, key }, tape };
    }
  }
}

/** Skips a value of a module. Returns it if it is a filter. */
function passModule(tape: Tape, key: StoredKey, name: string): FilterKey[] {
  const id = tape.whole();
  const from = tape.position();
  passFields(tape, name);
  const kind = KINDS.get(id >> VERSION_BITS);
  const version = Number(id & ((1n << VERSION_BITS) - 1n));
  return kind === undefined ? [] : [{ ...key, kind, version, values: { from, to: tape.position() } }];
}

function passFields(tape: Tape, name: string): void {
  for (let type = tape.length(); type !== 0; type = tape.length()) {
    const layout = FIELDS.get(type);
    if (layout === undefined) throw damaged(name, `a value of a module has a field of the unknown type ${type}`);
    passOver(tape, layout);
  }
}
