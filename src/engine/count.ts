import type { Estimate } from '../sizing/cardinality.ts';
import { estimateOf, type Sketch, sketchOfCoupons, sketchUnion } from '../sketches/sketch.ts';
import type { Found } from './input/scanning.ts';
import { countsOf } from './reading.ts';
import { countTogether, couponsIn } from './tasks/distinct-keys.ts';
import type { CountSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** The distinct keys of some inputs. */
export interface CountedKeys extends Found {
  readonly distinct: Estimate;
  readonly sketch: Sketch;
}

/** The default number of registers is 2^16: the standard error is 0.41 %. */
const LOG_REGISTERS = 16;

/** Counts the distinct keys of all inputs and of an earlier sketch. Without an earlier sketch, few keys are counted exactly. */
export async function countDistinct(
  { spec, ...pass }: Omit<Pass, 'spec'> & { readonly spec: Omit<CountSpec, 'type' | 'logRegisters'> },
  earlier?: Sketch,
): Promise<CountedKeys> {
  const logRegisters = earlier?.logRegisters ?? LOG_REGISTERS;
  const results = await runPass({ ...pass, spec: { ...spec, type: 'count', logRegisters } });
  const counted = results.flatMap((result) => (result.type === 'count' ? [result] : []));
  const sketches = counted.map((result) => sketchOf(result, logRegisters));
  const sketch = sketches.reduce(sketchUnion, earlier ?? sketchOfCoupons(logRegisters, new Uint32Array()));
  const exact =
    earlier === undefined
      ? countTogether(
          pass.context.kernel,
          counted.map(({ distinct }) => distinct),
        )
      : undefined;
  const distinct = exact === undefined ? estimateOf(sketch) : { count: exact, error: 0 };
  return { ...countsOf(results), distinct, sketch };
}

/** The sketch of the keys that one thread has counted. */
function sketchOf(
  { distinct, registers }: Extract<TaskResult, { readonly type: 'count' }>,
  logRegisters: number,
): Sketch {
  if (registers !== undefined) return { logRegisters, registers };
  return sketchOfCoupons(logRegisters, distinct === undefined ? new Uint32Array() : couponsIn(distinct));
}
