import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { writeFile } from '../../../src/formats/bloomery/writer.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { replaceCalls } from '../../replaced-calls.ts';
import { HEADER, placed } from './files.ts';

replaceCalls(() => ({
  write: (...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done === 'function') done(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }), 0);
  },
}));

test('a write that fails while the next segment is still prepared ends the work in order', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const kernel = loadKernel();
  const address = kernel.reserve(HEADER.segmentBits / 8);
  const supply = async () => {
    await turn();
    await turn();
    return { kernel, address, fill: { ones: 0 } };
  };
  const output = { name: placed(new Uint8Array(), 'full.bloom'), replace: true };
  await expect(writeFile(output, kernel, HEADER, supply)).rejects.toMatchObject({
    code: 'output',
    message: expect.stringContaining('no space left'),
  });
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
