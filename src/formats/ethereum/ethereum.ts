import type { Format } from '../format.ts';
import { BLOOM_BYTES, RAW } from './sizes.ts';

const START = /^(0x)?[0-9a-f]+$/i;
const END = /^[0-9a-f]+(\r?\n)?$/i;

/**
 * The `logsBloom` of Ethereum (yellow paper 4.3.1): 2,048 bits. Each address of 20 bytes that logged something sets
 * 3, and so does each topic of 32 bytes. A file has it in hexadecimal, as nodes print it, or as bytes.
 */
export const ethereum: Format = {
  name: 'ethereum',
  system: 'Ethereum',
  purpose: 'nodes of Ethereum and similar chains',
  ends(tail, size, head) {
    const [start, prefix = ''] = START.exec(latin1(head)) ?? [];
    const [end, lineEnd = ''] = END.exec(latin1(tail)) ?? [];
    const isText = start !== undefined && end !== undefined;
    return isText && size === prefix.length + 2 * BLOOM_BYTES + lineEnd.length;
  },
  abilities: ['query', 'report'],
  // Keys are not text. A record is an address or a topic, as nodes print it.
  keyTypes: { hex: { encoding: 'hex' }, text: {} },
  integrity: undefined,
  variants: [{ name: RAW, purpose: '256 bytes in binary', hasArbitraryStart: true }],
  open: async (source, _, { format }) => (await import('./file.ts')).open(source, ethereum, format),
};

const latin1 = (view: DataView) => Buffer.from(view.buffer, view.byteOffset, 64).toString('latin1');
