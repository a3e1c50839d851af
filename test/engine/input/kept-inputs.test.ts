// Inputs that can be read only once are kept, as far as they can be read. Files stay in place.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type Input, openInput } from '../../../src/engine/input/input.ts';
import { keptInputs } from '../../../src/engine/input/kept-inputs.ts';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { readWhole } from '../../../src/io/source.ts';
import { withPipes } from '../threads/worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-kept-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES = { nullTerminated: false, keys: WHOLE_RECORD };

function fileOf(name: string, bytes: Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function textOf(input: Input): Promise<string> {
  const source = await openInput(input, LINES);
  return Buffer.from(await readWhole(source).finally(() => source.close())).toString();
}

test('records of pipes can be read twice, decompressed, up to a read error', async () => {
  const text = Array.from({ length: 9000 }, (_, i) => `${i} of them\n`).join('');
  const compressed = gzipSync(text);
  const plain = fileOf('plain', Buffer.from(text));
  const whole = fileOf('whole.gz', compressed);
  const cut = fileOf('cut.gz', compressed.subarray(0, -100));
  const failures: [string, boolean][] = [];
  const observer = { onUnreadable: ({ message }: Error, isBegun: boolean) => failures.push([message, isBegun]) };
  await withPipes([plain, whole, cut], async (pipes) => {
    const { inputs, close } = await keptInputs([...pipes, plain], LINES, observer);
    for (const _ of [1, 2]) {
      const [first, second, third = '', file] = await Promise.all(inputs.map(textOf));
      expect([first === text, second === text, file === text]).toEqual([true, true, true]);
      expect(third.length).toBeGreaterThan(0);
      expect(text.startsWith(third)).toBe(true);
    }
    expect(inputs.at(-1)).toBe(plain);
    expect(failures).toEqual([[expect.stringMatching(/cut\.gz/), true]]);
    close();
    await expect(Promise.all(inputs.map(textOf))).rejects.toThrow(/^cannot read /);
  });
});
