import type { KeyTypes } from '../key-types.ts';

/** Key types. Values are hashed as they are stored, numbers little-endian. */
export const PARQUET_KEYS = {
  text: {},
  hex: { encoding: 'hex' },
  int8: { encoding: 'int8-in-32le' },
  int16: { encoding: 'int16-in-32le' },
  int32: { encoding: 'int32le' },
  int64: { encoding: 'int64le' },
  uint8: { encoding: 'uint8-in-32le' },
  uint16: { encoding: 'uint16-in-32le' },
  uint32: { encoding: 'uint32le' },
  uint64: { encoding: 'uint64le' },
  float: { encoding: 'float32le' },
  double: { encoding: 'float64le' },
  date: { encoding: 'date32le' },
  uuid: { encoding: 'uuid' },
} as const satisfies KeyTypes;
