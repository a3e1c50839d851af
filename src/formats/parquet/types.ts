import type { EncodingName } from '../../hashes/encodings.ts';
import type { KeyType, KeyTypes } from '../key-types.ts';
import { PARQUET_KEYS } from './keys.ts';
import type { LeafType, Logical, Physical } from './schema.ts';

/** The name of the type of a column, and how its records are written. */
export interface ColumnType {
  readonly type: string;
  /** The type of the records. Undefined if no record can be such a value. */
  readonly keyType: KeyType | undefined;
  /** Types that `--key-type` may state. */
  readonly accepts: readonly KeyType[];
  readonly encoding: EncodingName | undefined;
  readonly encodingParameters?: readonly bigint[] | undefined;
  /** What a report says about the filters. */
  readonly remarks?: readonly string[];
}

/** A writer that hashes all values as JavaScript prints them. */
const PARQUET_JS = /parquet\.?js/i;

const AS_TEXT = 'parquetjs hashed its values as text, so other programs find few of them';

/** The type of a column in a file of this writer, and which records are its values. */
export function typeOf(leaf: LeafType, createdBy: string): ColumnType {
  const { physical, logical, length } = leaf;
  if (PARQUET_JS.test(createdBy) && physical !== 'byte array')
    return { type: nameOf(leaf), keyType: 'text', accepts: ['text'], encoding: undefined, remarks: [AS_TEXT] };
  if (logical?.name === 'decimal' && physical !== undefined) {
    const parameters = decimalIn(physical, length, logical.scale);
    const keyType = parameters && 'decimal';
    const accepts = accepted(keyType);
    return { type: nameOf(leaf), keyType, accepts, encoding: keyType, encodingParameters: parameters };
  }
  const timestamp = timestampIn(leaf);
  if (timestamp !== undefined) {
    const accepts = accepted('timestamp', physical === 'int64' ? ['int64'] : []);
    return { type: nameOf(leaf), keyType: 'timestamp', accepts, encoding: timestamp };
  }
  const keyType = keyTypeOf(leaf);
  const rules: KeyTypes = PARQUET_KEYS;
  const accepts = accepted(keyType, keyType && WIDER[keyType]);
  return { type: nameOf(leaf), keyType, accepts, encoding: keyType && rules[keyType]?.encoding };
}

/**
 * For each type, the types that write all of its values in the same bytes and therefore give the same hash. They have
 * more values of the same stored width.
 */
const WIDER: Readonly<Partial<Record<KeyType, readonly KeyType[]>>> = {
  int8: ['int16', 'int32'],
  int16: ['int32'],
  uint8: ['uint16', 'uint32', 'int16', 'int32'],
  uint16: ['uint32', 'int32'],
  date: ['int32'],
  hex: ['text'],
};

/** A type and the types that hash alike. Hexadecimal bytes are always accepted. */
function accepted(keyType: KeyType | undefined, others: readonly KeyType[] = []): readonly KeyType[] {
  const own = keyType === undefined || keyType === 'hex' ? [] : [keyType];
  return [...own, 'hex', ...others];
}

function keyTypeOf({ physical, logical, length }: LeafType): keyof typeof PARQUET_KEYS | undefined {
  if (physical === 'float' || physical === 'double') return physical;
  if (physical === 'byte array') return logical === undefined || logical.name === 'string' ? 'text' : undefined;
  if (physical === 'fixed') {
    if (logical?.name === 'uuid' && length === 16) return 'uuid';
    return logical === undefined ? 'hex' : undefined;
  }
  if (physical !== 'int32' && physical !== 'int64') return undefined;
  if (logical?.name === 'date') return physical === 'int32' ? 'date' : undefined;
  return integerOf(physical, logical);
}

/** The largest number of bytes of a decimal. */
const DECIMAL_LIMIT = 64;

/** How decimals are stored, as parameters of their encoding. */
function decimalIn(physical: Physical, length: number, scale = 0): readonly bigint[] | undefined {
  const forms: Partial<Record<Physical, readonly [bytes: number, isBigEndian: number]>> = {
    int32: [4, 0],
    int64: [8, 0],
    'byte array': [0, 1],
    fixed: [length, 1],
  };
  const form = forms[physical];
  const isLong = physical === 'fixed' && (length <= 0 || length > DECIMAL_LIMIT);
  const isPossible = scale >= 0 && scale <= DECIMAL_LIMIT && !isLong;
  return form !== undefined && isPossible ? [...form, scale].map(BigInt) : undefined;
}

/** How times are stored. Undefined for other types. */
function timestampIn({ physical, logical }: LeafType): EncodingName | undefined {
  if (physical === 'int96') return 'timestamp-96';
  const { name, unit } = logical ?? {};
  return physical === 'int64' && name === 'timestamp' && unit !== undefined ? `timestamp-${unit}` : undefined;
}

/** A whole number, which may have fewer bits than its storage, or a number of units of a time. */
function integerOf(physical: 'int32' | 'int64', { bits = 64, isSigned = true }: Partial<Logical> = {}) {
  if (physical === 'int64') return isSigned ? 'int64' : 'uint64';
  const width = bits === 8 || bits === 16 ? bits : 32;
  return isSigned ? (`int${width}` as const) : (`uint${width}` as const);
}

function nameOf({ physical = 'byte array', logical, length }: LeafType): string {
  if (logical === undefined) return physical === 'fixed' ? `fixed(${length})` : physical;
  const { name, unit, scale = 0 } = logical;
  if (name === 'other') return physical;
  if (name === 'integer' && (physical === 'int32' || physical === 'int64')) return integerOf(physical, logical);
  if (name === 'decimal') return `decimal of scale ${scale} in ${physical}`;
  return unit === undefined ? name : `${name} in ${unit}`;
}
