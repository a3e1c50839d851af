import { bears, mayBear, type Signature, signatureOf } from '../io/signature.ts';
import { MAGIC } from './bloomery/header.ts';

/** A kind of file that holds a filter, by signatures that no text has. */
interface Known {
  readonly name: string;
  readonly signatures: readonly Signature[];
}

const KNOWN: readonly Known[] = [
  { name: 'bloom', signatures: [[...MAGIC]] },
  {
    name: 'RedisBloom',
    signatures: ['*4\r\n$12\r\nBF.LOADCHUNK', '\x07\x81\x30\x16\xe5\xa2\x89\xbe'].map(signatureOf),
  },
  { name: 'Apache DataSketches', signatures: ['\x03\x01\x15', '\x04\x01\x15'].map(signatureOf) },
  { name: 'DCSO bloom', signatures: [signatureOf('\x01\0\0\0\0\0\0\0')] },
  { name: 'poppy', signatures: [0, 1, 2, 3].map((option) => [2, option, 0, 0, 0, 0, 0, 0]) },
  { name: 'FilterPassword', signatures: [signatureOf('\x87\xd6\x12\0\0\0\0\0')] },
  { name: 'Java', signatures: [signatureOf('\xac\xed\0\x05')] },
];

/** The formats that have no signature, but a length that their first bytes give: big-endian, in words of 8 bytes. */
const MEASURED: readonly { readonly name: string; fits(head: DataView, size: number): boolean }[] = [
  {
    name: 'Guava',
    fits: (head, size) => head.getUint8(0) < 2 && head.getUint8(1) > 0 && size === 6 + 8 * head.getUint32(2),
  },
  { name: 'Spark', fits: (head, size) => head.getUint32(0) === 1 && size === 12 + 8 * head.getUint32(8) },
  { name: 'Spark', fits: (head, size) => head.getUint32(0) === 2 && size === 16 + 8 * head.getUint32(12) },
  {
    name: 'Cassandra',
    fits: (head, size) => head.getUint32(0) > 0 && head.getUint32(0) <= 20 && size === 8 + 8 * head.getUint32(4),
  },
  {
    name: 'bits-and-blooms',
    fits: (head, size) =>
      size === 24 + 8 * Math.ceil(Number(head.getBigUint64(16)) / 64) &&
      head.getUint32(8) === 0 &&
      head.getUint32(12) > 0,
  },
];

const LONGEST = 24;

/**
 * Whose filter a file is, by its first bytes and, where that is known, its length; undefined if it is none that can be
 * told from other files.
 */
export function filterOf(head: Uint8Array, size: number | undefined): string | undefined {
  const known = KNOWN.find(({ signatures }) => signatures.some((signature) => bears(head, signature)));
  if (known !== undefined || size === undefined || size < LONGEST || head.length < LONGEST) return known?.name;
  const view = new DataView(head.buffer, head.byteOffset);
  return MEASURED.find(({ fits }) => fits(view, size))?.name;
}

/** Whether it takes more bytes to tell. */
export function mayBeFilter(head: Uint8Array): boolean {
  return KNOWN.some(({ signatures }) => signatures.some((signature) => mayBear(head, signature)));
}
