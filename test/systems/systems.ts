// npm run systems
//
// Builds what the tests beside this file ask real systems by, in node_modules/.cache/systems. What a toolchain or a package is
// missing for is left out, with a notice, and its tests are skipped.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isCompiled } from '../toolchains.ts';
import { BUILT, DRIVERS, type DriverName, markOf } from './drivers.ts';

async function build(name: DriverName): Promise<void> {
  rmSync(markOf(name), { force: true });
  if (await isCompiled(name, DRIVERS[name])) writeFileSync(markOf(name), '');
}

mkdirSync(BUILT, { recursive: true });
await Promise.all((Object.keys(DRIVERS) as DriverName[]).map(build));
