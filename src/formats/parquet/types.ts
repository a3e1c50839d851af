import type { EncodingName } from '../../hashes/encodings.ts';
import type { KeyType, KeyTypes } from '../key-types.ts';
import { PARQUET_KEYS } from './keys.ts';
import type { LeafType, Logical, Physical } from './schema.ts';

/** What a column is called after its values, and how records are such. */
export interface ColumnType {
  readonly type: string;
  /** What records are; undefined where none can be such a value. */
  readonly keyType: KeyType | undefined;
  /** The types that records may be said to have. */
  readonly accepts: readonly KeyType[];
  readonly encoding: EncodingName | undefined;
  readonly encodingParameters?: readonly bigint[] | undefined;
  /** What else is to be known of its filters. */
  readonly remarks?: readonly string[];
}

/** A writer that hashes all values as JavaScript prints them. */
const PARQUET_JS = /parquet\.?js/i;

const AS_TEXT = 'parquetjs has hashed its values as text, where others that ask this file find few of them';

/** The type of a column of a file that was written by something, and which records are its values. */
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

/** Types that write each value of a type in the same bytes, and so are hashed alike: those of more values that are stored as widely. */
const WIDER: Readonly<Partial<Record<KeyType, readonly KeyType[]>>> = {
  int8: ['int16', 'int32'],
  int16: ['int32'],
  uint8: ['uint16', 'uint32', 'int16', 'int32'],
  uint16: ['uint32', 'int32'],
  date: ['int32'],
  hex: ['text'],
};

/** A type, what is hashed like it, and the bytes of a value, which are hashed as they are. */
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

/** Most bytes of a decimal. */
const DECIMAL_LIMIT = 64;

/** How decimals are stored: the parameters of their encoding. */
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

/** How times are stored, if these are some. */
function timestampIn({ physical, logical }: LeafType): EncodingName | undefined {
  if (physical === 'int96') return 'timestamp-96';
  const { name, unit } = logical ?? {};
  return physical === 'int64' && name === 'timestamp' && unit !== undefined ? `timestamp-${unit}` : undefined;
}

/** A whole number, which may have fewer bits than it is stored in; or so many units of a time. */
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
