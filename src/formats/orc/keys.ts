import type { KeyTypes } from '../key-types.ts';

export const TEXT_HASH = 'orc-murmur3';
const NUMBER_HASH = 'orc-wang';

/** Key types. Whole numbers of any width are hashed as longs, and floats as the bits of doubles. */
export const ORC_KEYS = {
  text: { hash: TEXT_HASH },
  hex: { encoding: 'hex', hash: TEXT_HASH },
  int8: { encoding: 'int8-in-64le', hash: NUMBER_HASH },
  int16: { encoding: 'int16-in-64le', hash: NUMBER_HASH },
  int32: { encoding: 'int32-in-64le', hash: NUMBER_HASH },
  int64: { encoding: 'int64le', hash: NUMBER_HASH },
  float: { encoding: 'float32-in-64le', hash: NUMBER_HASH },
  double: { encoding: 'float64le', hash: NUMBER_HASH },
  date: { encoding: 'date64le', hash: NUMBER_HASH },
  timestamp: { encoding: 'timestamp-ms', hash: NUMBER_HASH },
  decimal: { encoding: 'decimal-text', hash: TEXT_HASH },
} as const satisfies KeyTypes;
