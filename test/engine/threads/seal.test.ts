// The threads that filled drafts also turn them into segments, not the main thread alone.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VISIT_BYTES } from '../../../src/engine/input/digests.ts';
import { draftScratchBytes } from '../../../src/filters/drafts.ts';
import { CALL_BYTES } from '../../../src/filters/parameters.ts';
import { KINDS } from '../../../src/filters/registry.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { keysNamed, linesOf } from '../../filters/filling.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { filterOf, strict } from '../alone.ts';
import { buildWithShape } from '../building.ts';
import { eager, withPoolOf } from './worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-seal-'));
const input = join(folder, 'keys');
beforeAll(() => writeFileSync(input, linesOf(keysNamed('key', 2000))));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(KINDS.filter(({ drafts }) => drafts !== undefined).map((kind) => [kind.name, kind] as const))(
  'those of a %s filter',
  async (_, kind) => {
    const plan = kind.plan({ items: 1000, fpr: 0.01 });
    const { segmentBits } = kind.geometry(plan?.bits ?? 0, plan?.k ?? 1);
    const shape = { segments: 5, segmentBits, bits: 5 * segmentBits, k: plan?.k ?? 1 };
    const filter = filterOf(shape, undefined, 3, undefined, kind);
    await withPoolOf(2, eager(4000), (pool) =>
      buildWithShape(
        {
          context: { kernel: loadKernel(), threadIndex: 0 },
          pool,
          kind,
          inputs: [input],
          selection: WHOLE,
          rules: PLAIN_RULES,
          observer: strict,
        },
        shape,
        filter,
      ),
    );
    const { memories, scratches } = filter.payload;
    const workedIn = scratches.map((scratch) => {
      const at = scratch + VISIT_BYTES + CALL_BYTES;
      return memories.some((memory) =>
        new Uint8Array(memory.buffer, at, draftScratchBytes(shape, kind.drafts)).some((byte) => byte !== 0),
      );
    });
    expect(workedIn[0]).toBe(false);
    expect(workedIn).toContain(true);
  },
);
