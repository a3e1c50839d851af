import { test } from 'vitest';
import { type DriverName, isBuilt } from './drivers.ts';

/** Tests that need what asks a system: where that is not built they are skipped, and it is said how to build it. */
export function testedBy(driver: DriverName) {
  if (!isBuilt(driver)) console.warn(`not compared with what asks ${driver}: npm run systems builds it`);
  return test.skipIf(!isBuilt(driver));
}
