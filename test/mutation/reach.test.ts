import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mutantsOf } from './mutants.ts';
import { probeAll, probed, reachIn, testsReaching, unreached } from './reach.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloomery-reach-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `const limit = 10;
function outer(a: number) {
  if (a > limit) return () => ({ sum: a });
  return (b: number) => ({ sum: a + b });
}
const never = () => { throw limit; };
const result = outer(1)(2).sum || 0;
`;

/** The name of the stretch whose code begins with the text. */
const stretch = (text: string) => `src/x.ts:${SOURCE.indexOf(text)}`;

test('a probe records which stretches run, and changes nothing', () => {
  const hits: string[] = [];
  const reach = { marksOf: () => ({}), hit: (name: string) => hits.push(name) };
  const source = probed('src/x.ts', SOURCE).replaceAll(': number', '');
  const body = source.replaceAll('globalThis.reach', 'reach').replace('reach ??=', 'void');
  expect(new Function('reach', `${body}; return result;`)(reach)).toBe(3);
  expect(hits).toEqual(['\n  if', 'return (b', '{ sum: a + b }'].map(stretch));
});

test('a mutant is reached by the tests that run its innermost stretch', () => {
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'records'));
  writeFileSync(join(folder, 'src', 'x.ts'), SOURCE);
  writeFileSync(join(folder, 'src', 'y.ts'), "import { limit } from './x.ts';\nexport const f = () => limit;\n");
  const [outer, after, inner] = ['\n  if', 'return (b', '{ sum: a + b }'].map(stretch);
  const user = `src/y.ts:${"import { limit } from './x.ts';\nexport const f = () => ".length}`;
  writeFileSync(
    join(folder, 'records', 'test%2Fa.test.ts'),
    `within ${outer}\nwithin ${after}\nwithin ${inner}\nbuilt ${outer}\n`,
  );
  writeFileSync(join(folder, 'records', 'test%2Fb.test.ts'), `within ${outer}\n`);
  writeFileSync(join(folder, 'records', 'test%2Fc.test.ts'), `built ${user}\n`);
  const reach = reachIn(join(folder, 'records'));
  const found = mutantsOf('src/x.ts', SOURCE).map((mutant) => [mutant.after, testsReaching(folder, mutant, reach)]);
  const [a, b, c] = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'];
  expect(found).toEqual([
    // Code that runs when the module is loaded.
    ['const limit = 11;', { within: [a, b], built: [a, c] }],
    ['const limit = 9;', { within: [a, b], built: [a, c] }],
    ['if (!(a > limit)) return () => ({ sum: a });', { within: [a, b], built: [a] }],
    ['if (a >= limit) return () => ({ sum: a });', { within: [a, b], built: [a] }],
    ['if (a <= limit) return () => ({ sum: a });', { within: [a, b], built: [a] }],
    ['if (a > limit) ;', { within: [], built: [] }],
    [';', { within: [a], built: [] }],
    ['return (b: number) => ({ sum: a - b });', { within: [a], built: [] }],
    ['const never = () => { ; };', { within: [], built: [] }],
    ['const result = outer(1)(2).sum && 0;', { within: [a, b], built: [a, c] }],
    ['const result = outer(2)(2).sum || 0;', { within: [a, b], built: [a, c] }],
    ['const result = outer(0)(2).sum || 0;', { within: [a, b], built: [a, c] }],
    ['const result = outer(1)(3).sum || 0;', { within: [a, b], built: [a, c] }],
    ['const result = outer(1)(1).sum || 0;', { within: [a, b], built: [a, c] }],
    ['const result = outer(1)(2).sum || 1;', { within: [], built: [] }],
    ['const result = outer(1)(2).sum || (-1);', { within: [], built: [] }],
  ]);
  expect(unreached(folder, reach)).toEqual([
    'src/x.ts:3\treturn () => ({ sum: a });',
    'src/x.ts:3\t{ sum: a }',
    'src/x.ts:6\tthrow limit; }',
    'src/x.ts:7\t0',
  ]);
});

test('stretches of the kernel have probes too, which the loader of the kernel answers', () => {
  const copy = join(folder, 'copy');
  const loader = join('src', 'kernel', 'instance.ts');
  const source = join('src', 'kernel', 'assembly', 'bits.ts');
  for (const file of [loader, source]) cpSync(file, join(copy, file));
  probeAll(copy);
  const text = readFileSync(join(copy, source), 'utf8');
  const last = Number(text.match(/.*reached\((\d+)\)/s)?.[1]);
  expect(text.match(/if \(seen\d+ != epoch\)/g)).toHaveLength(last + 1);
  expect(text).toContain('declare function reached(name: i32): void;');
  const names = JSON.parse(readFileSync(join(copy, loader), 'utf8').match(/kernelNames = (.*);/)?.[1] ?? '');
  const original = readFileSync(source, 'utf8');
  expect(names).toHaveLength(last + 1);
  for (const name of names) expect(original.slice(0, Number(name.split(':')[1]))).toMatch(/[{)};]\s*$/);
});
