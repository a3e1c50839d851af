import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mutantsOf } from './mutants.ts';
import { probeAll, probed, reachIn, testsReaching } from './reach.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloomery-reach-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `const limit = 10;
function outer(a: number) {
  return (b: number) => ({ sum: a + b });
}
const never = () => { throw limit; };
const result = outer(1)(2).sum;
`;

test('a probe records which functions run, and changes nothing', () => {
  const hits: string[] = [];
  const reach = { marksOf: () => ({}), hit: (name: string) => hits.push(name.replace(/\d+/, '')) };
  const source = probed('x.ts', SOURCE).replaceAll(': number', '');
  const body = source.replaceAll('globalThis.reach', 'reach').replace('reach ??=', 'void');
  expect(new Function('reach', `${body}; return result;`)(reach)).toBe(3);
  expect(hits).toEqual(['x.ts:', 'x.ts:']);
});

test('a mutant is reached by the tests that run its innermost function', () => {
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'records'));
  writeFileSync(join(folder, 'src', 'x.ts'), SOURCE);
  writeFileSync(join(folder, 'src', 'y.ts'), "import { limit } from './x.ts';\nexport const f = () => limit;\n");
  const [outer, inner] = ['function outer', '(b: number)'].map((text) => `src/x.ts:${SOURCE.indexOf(text)}`);
  const user = `src/y.ts:${"import { limit } from './x.ts';\nexport const f = ".length}`;
  writeFileSync(join(folder, 'records', 'test%2Fa.test.ts'), `within ${outer}\nwithin ${inner}\nbuilt ${outer}\n`);
  writeFileSync(join(folder, 'records', 'test%2Fb.test.ts'), `within ${outer}\n`);
  writeFileSync(join(folder, 'records', 'test%2Fc.test.ts'), `built ${user}\n`);
  const reach = reachIn(join(folder, 'records'));
  const found = mutantsOf('src/x.ts', SOURCE).map((mutant) => [mutant.after, testsReaching(folder, mutant, reach)]);
  const [a, b, c] = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'];
  expect(found).toEqual([
    // Code that runs when the module is loaded.
    ['const limit = 11;', { within: [a, b], built: [a, c] }],
    ['const limit = 9;', { within: [a, b], built: [a, c] }],
    [';', { within: [a, b], built: [a] }],
    ['return (b: number) => ({ sum: a - b });', { within: [a], built: [] }],
    ['const never = () => { ; };', { within: [], built: [] }],
    ['const result = outer(2)(2).sum;', { within: [a, b], built: [a, c] }],
    ['const result = outer(0)(2).sum;', { within: [a, b], built: [a, c] }],
    ['const result = outer(1)(3).sum;', { within: [a, b], built: [a, c] }],
    ['const result = outer(1)(1).sum;', { within: [a, b], built: [a, c] }],
  ]);
});

test('functions of the kernel have probes too, which the loader of the kernel answers', () => {
  const copy = join(folder, 'copy');
  const loader = join('src', 'kernel', 'instance.ts');
  const source = join('src', 'kernel', 'assembly', 'bits.ts');
  for (const file of [loader, source]) cpSync(file, join(copy, file));
  probeAll(copy);
  const text = readFileSync(join(copy, source), 'utf8');
  const last = Number(text.match(/.*reached\((\d+)\)/s)?.[1]);
  expect(text.match(/{if \(seen\d+ != epoch\)/g)).toHaveLength(last + 1);
  expect(text).toContain('declare function reached(name: i32): void;');
  const names = JSON.parse(readFileSync(join(copy, loader), 'utf8').match(/kernelNames = (.*);/)?.[1] ?? '');
  const original = readFileSync(source, 'utf8');
  expect(names).toHaveLength(last + 1);
  for (const name of names) expect(original.slice(Number(name.split(':')[1]))).toMatch(/^(export )?function /);
});
