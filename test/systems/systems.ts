// npm run systems
//
// Builds the drivers with which the tests beside this file query real systems, and installs engines that run the command, in
// node_modules/.cache/systems. If a toolchain or a package is missing, what needs it is left out with a notice, and its tests are
// skipped.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isCompiled } from '../toolchains.ts';
import { BUILT, DRIVERS, markOf } from './drivers.ts';
import { ENGINES } from './engines.ts';

const PARTS = { ...DRIVERS, ...ENGINES };

async function build(name: keyof typeof PARTS): Promise<void> {
  rmSync(markOf(name), { force: true });
  if (await isCompiled(name, PARTS[name])) writeFileSync(markOf(name), '');
}

mkdirSync(BUILT, { recursive: true });
await Promise.all((Object.keys(PARTS) as (keyof typeof PARTS)[]).map(build));
