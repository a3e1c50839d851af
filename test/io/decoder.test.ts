// What a decoder of a source tells about its progress.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodedBy } from '../../src/io/decoder.ts';
import { memorySource } from '../../src/io/source.ts';
import { zlibDecoder } from '../../src/io/zlib.ts';
import { createRandom } from '../reference/random.ts';

test('each compressed byte is counted once, and all of them at the end', async () => {
  const random = createRandom(1);
  const content = Buffer.from(Uint32Array.from({ length: 2 ** 17 }, random).buffer);
  const compressed = gzipSync(content);
  const encoded = { name: 'x', content: 'records', compression: 'gzip' } as const;
  const decoder = await zlibDecoder(encoded);
  if (decoder === undefined) throw new Error('Node decodes gzip');
  const source = decodedBy(decoder, memorySource('x', compressed));
  const into = new Uint8Array(2 ** 16);
  const found: Uint8Array[] = [];
  let consumed = 0;
  for (let bytes = await source.wait(into); bytes > 0; bytes = await source.wait(into)) {
    found.push(into.slice(0, bytes));
    consumed += source.consumed?.() ?? 0;
    expect(consumed).toBeLessThanOrEqual(compressed.length);
  }
  expect(Buffer.concat(found).equals(content)).toBe(true);
  expect(consumed).toBe(compressed.length);
  expect(source.consumed?.()).toBe(0);
  source.close();
});
