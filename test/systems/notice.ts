import { test } from 'vitest';
import { type DriverName, isBuilt } from './drivers.ts';

const missing = new Set<DriverName>();

/** Tests that need what asks a system: where that is not built they are skipped, and it is said how to build it. */
export function testedBy(driver: DriverName) {
  if (!isBuilt(driver) && !missing.has(driver)) {
    missing.add(driver);
    console.warn(`skipped: nothing asks ${driver}, which npm run systems builds`);
  }
  return test.skipIf(!isBuilt(driver));
}
