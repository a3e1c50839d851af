// The kinds of filters beside the standard one, in one process and one thread. A build is from the file of keys to the filter in
// memory. The queries are for lines of which half are members.

import { join } from 'node:path';
import { WHOLE_LINES } from '../../src/engine/input/key-selection.ts';
import type { SharedSegments } from '../../src/engine/store/shared-segments.ts';
import { oneFilter } from '../../src/engine/tasks/task.ts';
import { runPass } from '../../src/engine/threads/pass.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import { KINDS } from '../../src/filters/registry.ts';
import { fileBytes } from '../../src/formats/bloomery/header.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { buildWithShape } from '../engine/building.ts';
import { writeLines } from './lines.ts';
import { median } from './runs.ts';
import { RULES, timed } from './stages.ts';

const TARGET = 0.01;

interface Result {
  readonly build: number[];
  readonly count: number[];
  shape?: Shape;
  falsePositives: number;
}

const observer = {
  onUnreadable(error: Error) {
    throw error;
  },
};

/** The shape of a filter for this many keys. A filter that grows does not know their number. */
function shapeFor(kind: FilterKind, items: number): Shape {
  const plan = kind.plan(
    kind.growing === undefined ? { items, fpr: TARGET } : { bits: kind.growing.firstBits, fpr: TARGET },
  );
  if (plan === undefined) throw new Error('n and p suffice');
  const geometry = kind.geometry(plan.bits, plan.k);
  return { ...geometry, k: plan.k, chain: kind.growing?.chain(plan, geometry.segments, {}) };
}

async function round(kind: FilterKind, shape: Shape, members: string, mixed: string, lines: number, into: Result) {
  const context = { kernel: loadKernel(), threadIndex: 0 };
  const request = {
    context,
    pool: createWorkerPool(1),
    kind,
    inputs: [members],
    selection: WHOLE_LINES,
    rules: RULES,
    observer,
  };
  let filter: SharedSegments | undefined;
  into.build.push(
    await timed(async () => {
      const built = await buildWithShape(request, shape);
      filter = built.filter;
      into.shape = built.shape;
    }),
  );
  if (filter === undefined) return;
  const spec = {
    ...({ type: 'test', selection: WHOLE_LINES, ...oneFilter(filter, RULES), print: undefined } as const),
    ...{ lineBuffered: false, bySource: false, stopAt: undefined },
  };
  into.count.push(
    await timed(async () => {
      const [share] = await runPass({
        ...request,
        context: { kernel: loadKernel(), threadIndex: 0 },
        spec,
        inputs: [mixed],
      });
      into.falsePositives = (share?.positives ?? 0) - lines / 2;
    }),
  );
}

/** Prints a table for filters sized for the lines, and one for filters ten times as large. */
export async function printKinds(folder: string, lines: number, rounds: number): Promise<void> {
  const [members, mixed] = [join(folder, 'members'), join(folder, 'mixed')];
  writeLines(members, lines, () => 'key');
  writeLines(mixed, lines, (line) => (line % 2 === 0 ? 'key' : 'not'));
  for (const capacity of [lines, 10 * lines]) {
    const results = new Map(KINDS.map((kind) => [kind, { build: [], count: [], falsePositives: 0 } as Result]));
    for (let i = 0; i < rounds; i++) {
      for (const [kind, result] of results) {
        await round(kind, shapeFor(kind, capacity), members, mixed, lines, result);
      }
    }
    console.log(`\n${lines} keys, sized for ${capacity}`);
    console.log('  kind      bits/key   build ns/key  ratio   count ns/key  ratio   measured rate');
    const first = results.get(KINDS[0]);
    for (const [{ name }, { build, count, shape, falsePositives }] of results) {
      const cost = (times: readonly number[] = []) => (median(times) * 1e6) / lines;
      const cells = [
        `  ${name}`.padEnd(10),
        (shape === undefined
          ? ''
          : ((8 * fileBytes(shape)) / (shape.chain === undefined ? capacity : lines)).toFixed(2)
        ).padStart(10),
        cost(build).toFixed(1).padStart(15),
        (median(build) / median(first?.build ?? [])).toFixed(2).padStart(7),
        cost(count).toFixed(1).padStart(15),
        (median(count) / median(first?.count ?? [])).toFixed(2).padStart(7),
        `${((100 * falsePositives) / (lines / 2)).toFixed(3)} %`.padStart(16),
      ];
      console.log(cells.join(''));
    }
  }
}
