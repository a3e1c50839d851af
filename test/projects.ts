import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';

/** Files that replace modules: no other file may see the replacement. A test restores everything else that it changes. */
const changesModules = (file: string) => /\bvi\.mock\(/.test(readFileSync(join('test', file), 'utf8'));

const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
const include = (isAlone: boolean) =>
  files.filter((file) => changesModules(file) === isAlone).map((file) => `test/${file}`);

/** Documents that the program prints, in the form of the bundle. */
export const documents = {
  name: 'documents',
  load: (file: string) =>
    file.endsWith('.md') ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))}` : undefined,
};

/** Most test files share their modules, as loading them again takes a quarter of a second per file. The other files must not share. */
export const PROJECTS: TestProjectInlineConfiguration[] = [
  { extends: true, test: { name: 'shared', isolate: false, include: include(false) } },
  { extends: true, test: { name: 'alone', include: include(true) } },
];
