import type { Conversion } from '../../io/conversion.ts';

/** The polynomial of Jones with its bits reversed. */
const POLYNOMIAL = 0x95ac9329ac4bc9b5n;

/** For each byte, the lower and the upper 32 bits of its effect. */
interface Tables {
  readonly low: Int32Array;
  readonly high: Int32Array;
}

let made: Tables | undefined;

/** The tables are made on first use. That takes longer than to load the rest of this format. */
function tables(): Tables {
  if (made !== undefined) return made;
  const [low, high] = [new Int32Array(256), new Int32Array(256)];
  for (let byte = 0; byte < 256; byte++) {
    let rest = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) rest = (rest >> 1n) ^ (rest & 1n ? POLYNOMIAL : 0n);
    low[byte] = Number(BigInt.asIntN(32, rest));
    high[byte] = Number(BigInt.asIntN(32, rest >> 32n));
  }
  made = { low, high };
  return made;
}

/** CRC-64 of Redis: Jones, reflected. It begins with 0, or with the CRC of the bytes before. */
export function crc64(bytes: Uint8Array, before = 0n): bigint {
  const table = tables();
  let low = Number(BigInt.asIntN(32, before));
  let high = Number(BigInt.asIntN(32, before >> 32n));
  for (let i = 0; i < bytes.length; i++) {
    const index = (low ^ (bytes[i] ?? 0)) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (table.low[index] ?? 0);
    high = (high >>> 8) ^ (table.high[index] ?? 0);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

export const CRC64_BYTES = 8;

/** Bytes followed by their CRC-64. */
export const withCrc64: Conversion = (append) => {
  let crc = 0n;
  return {
    async append(bytes) {
      crc = crc64(bytes, crc);
      await append(bytes);
    },
    async end() {
      const last = new DataView(new ArrayBuffer(CRC64_BYTES));
      last.setBigUint64(0, crc, true);
      await append(new Uint8Array(last.buffer));
    },
  };
};
