import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Ends what hangs, and nothing else: no test asserts how long anything takes, on whatever machine. */
const HANGS = 20 * 60_000;

/** Files that put something in the place of a module: no other file may see that. What a test changes else it restores. */
const changesModules = (file: string) => /\bvi\.mock\(/.test(readFileSync(join('test', file), 'utf8'));

const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
const include = (isAlone: boolean) =>
  files.filter((file) => changesModules(file) === isAlone).map((file) => `test/${file}`);

/** Documents that the program prints, as the bundle has them. */
const documents = {
  name: 'documents',
  load: (file: string) =>
    file.endsWith('.md') ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))}` : undefined,
};

// Vitest would leave a core idle: of two, half the machine. To load the modules anew for each file takes a quarter of a second.
export default defineConfig({
  plugins: [documents],
  test: {
    maxWorkers: '100%',
    testTimeout: HANGS,
    hookTimeout: HANGS,
    unstubEnvs: true,
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: include(false) } },
      { extends: true, test: { name: 'alone', include: include(true) } },
    ],
  },
});
