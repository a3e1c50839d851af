import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';

/** Files that put something in the place of a module: no other file may see that. What a test changes else it restores. */
const changesModules = (file: string) => /\bvi\.mock\(/.test(readFileSync(join('test', file), 'utf8'));

const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
const include = (isAlone: boolean) =>
  files.filter((file) => changesModules(file) === isAlone).map((file) => `test/${file}`);

/** Documents that the program prints, as the bundle has them. */
export const documents = {
  name: 'documents',
  load: (file: string) =>
    file.endsWith('.md') ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))}` : undefined,
};

/** Files that share their modules, which to load anew for each takes a quarter of a second, and files that must not. */
export const PROJECTS: TestProjectInlineConfiguration[] = [
  { extends: true, test: { name: 'shared', isolate: false, include: include(false) } },
  { extends: true, test: { name: 'alone', include: include(true) } },
];
