import { expect, test } from 'vitest';
import { createAnswers } from '../../../src/engine/tasks/answers.ts';
import { ANY_OF_THEM } from '../../../src/engine/tasks/task.ts';
import { usedKernel } from '../../kernel/kernels.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { filterOf } from '../alone.ts';

const SHAPE = { segments: 1, segmentBits: 512, bits: 512, k: 3 };

test('keys are hashed once for all filters of the same rules', async () => {
  const seeded = { ...PLAIN_RULES, seed: 2n };
  const ranges = (keys: string) => ({
    separators: new Uint8Array(Buffer.from(keys)),
    bounds: Uint32Array.of(0, keys.length),
    parts: new BigUint64Array(4),
    isBehind: false,
    order: 'bytes' as const,
  });
  const [ranged, same, other] = ['m', 'm', 'n'].map((keys) => ({ ...PLAIN_RULES, ranges: ranges(keys) }));
  const rules = [PLAIN_RULES, seeded, { ...PLAIN_RULES, encoding: undefined }, ranged, seeded, same, other];
  const spec = {
    type: 'test',
    selection: WHOLE,
    filters: rules.map((rules = PLAIN_RULES) => ({ filter: filterOf(SHAPE), rules })),
    combination: ANY_OF_THEM,
    print: undefined,
    lineBuffered: false,
    bySource: false,
    stopAt: undefined,
  } as const;
  const answers = await createAnswers({ kernel: usedKernel(), threadIndex: 0 }, spec);
  expect(answers.rules).toEqual([PLAIN_RULES, seeded, ranged, other]);
});
