// The pages of an index: any content is divided as INDEX.md says, however it is written, and any range of it is read.

import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPageReader, createPageWriter, pagedBytes } from '../../src/formats/index-file/pages.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { below, createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { placed } from './bloomery/files.ts';

const CONTENT = 4088;
const HEADER = 2n ** 64n - 2n;

/** Content in pages, each with its checksum. */
function divided(content: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < content.length; at += CONTENT) {
    const inside = content.subarray(at, at + CONTENT);
    const sum = Buffer.alloc(8);
    sum.writeBigUInt64LE(xxh64(inside, BigInt.asUintN(64, HEADER + BigInt(pages.length))));
    pages.push(Buffer.concat([inside, sum]));
  }
  return Buffer.concat(pages);
}

test.each([0, 1, 2, CONTENT - 1, CONTENT, CONTENT + 1, 64 * CONTENT, 64 * CONTENT + 1, 200 * CONTENT + 5])(
  '%d bytes of content',
  async (bytes) => {
    const random = createRandom(bytes);
    const content = Buffer.from(Array.from({ length: bytes }, () => below(random, 256)));
    const pieces: Uint8Array[] = [];
    const writer = createPageWriter(loadKernel(), HEADER, async (piece) => void pieces.push(piece.slice()));
    for (let at = 0; at < bytes; ) {
      const end = Math.min(bytes, at + 1 + below(random, 3 * CONTENT));
      await writer.write(content.subarray(at, end));
      at = end;
    }
    await writer.end();
    const written = Buffer.concat(pieces);
    expect(written.length).toBe(pagedBytes(bytes));
    expect(written.equals(divided(content))).toBe(true);

    const name = placed(Buffer.concat([Buffer.alloc(100), written]));
    const handle = openSync(name, 'r');
    const file = { name, content: 'filter', handle, size: 100 + written.length } as const;
    const reader = createPageReader(loadKernel(), { file, begin: 100, content: bytes, header: HEADER });
    for (let round = 0; round < 50; round++) {
      const from = below(random, bytes + 1);
      const to = from + below(random, Math.min(bytes - from, 3 * CONTENT) + 1);
      expect(Buffer.from(reader.read(from, to)).equals(content.subarray(from, to)), `${from} to ${to}`).toBe(true);
    }
    expect(() => reader.read(0, bytes + 1)).toThrow('it refers to bytes after its end');
    closeSync(handle);
  },
);
