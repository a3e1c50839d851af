import { test } from 'vitest';
import { type DriverName, isBuilt } from './drivers.ts';
import type { EngineName } from './engines.ts';

const missing = new Set<string>();

/** Tests that need a driver or an engine. If it is not built, the tests are skipped, and a message says how to build it. */
export function testedBy(name: DriverName | EngineName) {
  if (!isBuilt(name) && !missing.has(name)) {
    missing.add(name);
    console.warn(`skipped: there is no ${name}, which npm run systems builds`);
  }
  return test.skipIf(!isBuilt(name));
}
