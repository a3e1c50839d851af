import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { EQUIVALENT, isOf } from './equivalent.ts';
import { allMutants, mutantsOf } from './mutants.ts';
import { nearestFirst } from './nearest.ts';

const becomes = (line: string) => mutantsOf('src/x.ts', line).map(({ after }) => after);

test.each([
  ['const a = b < c;', ['const a = b <= c;', 'const a = b >= c;']],
  ['a ||= b && !c;', ['a ||= b || !c;', 'a ||= b && c;', ';']],
  ['const a = b ?? 7;', ['const a = (b);', 'const a = (7);', 'const a = b ?? 8;', 'const a = b ?? 6;']],
  ['if (a) b(true);', ['if (!(a)) b(true);', 'if (a) ;', 'if (a) b(false);']],
  ['for (; a; i++) break;', ['for (; a; i--) break;', 'for (; a; i++) ;']],
  ['const a = Math.ceil(0x10 as 16);', ['const a = Math.floor(0x10 as 16);', '17', '15']],
  ['const a = 0xffffffffffffffff;', ['18446744073709551616', '18446744073709551614']],
  ['type A = 1 | 2;', []],
  ["import a from 'b';", []],
])('%s', (line, expected) => {
  const found = becomes(line).sort();
  const whole = expected.map((text) => (/^\d+$/.test(text) ? line.replace(/0x[0-9a-f]+/, text) : text));
  expect(found).toEqual(whole.sort());
});

test.each([
  ['1e3', ['1001', '999']],
  ['1E3', ['1001', '999']],
  ['1e16', ['15000000000000000', '6666666666666667']],
  ['2e300', ['3e+300', '1.3333333333333334e+300']],
  ['3e-9', ['4.5e-9', '2e-9']],
  ['.5', ['0.75', '0.3333333333333333']],
  ['1_000', ['1001', '999']],
  ['9_007_199_254_740_993', ['9007199254740994', '9007199254740992']],
  ['0x1e16', ['7703', '7701']],
  ['0x9e37_79b9_7f4a_7c15', ['11400714819323198486', '11400714819323198484']],
  ['0XFFFF_FFFF_FFFF_FFFF', ['18446744073709551616', '18446744073709551614']],
  ['0b1_0', ['3', '1']],
  ['0o17', ['16', '14']],
  ['0', ['1', '(-1)']],
  ['0n', ['1n', '(-1n)']],
  ['0xffn', ['256n', '254n']],
  ['1_000n', ['1001n', '999n']],
  ['9_007_199_254_740_993n', ['9007199254740994n', '9007199254740992n']],
  ["'1e16'", []],
  ['/1e16/', []],
  ['null', []],
])('the literal %s becomes its neighbours', (literal, expected) => {
  expect(becomes(`const a = ${literal};`)).toEqual(expected.map((text) => `const a = ${text};`));
});

// By default only the mutants of one folder, which has numbers of every form.
test('mutants of every source can be made, and differ from it', () => {
  const mutants = allMutants('.', inLongRuns('src', join('src', 'options')));
  expect(new Set(mutants.map(({ file }) => file)).size).toBeGreaterThan(inLongRuns(100, 10));
  expect(mutants.filter(({ before, after }) => before === after)).toEqual([]);
});

test('a mutant states its position', () => {
  expect(mutantsOf('src/x.ts', '@inline\nfunction f() {\n  return 1;\n}\n')).toMatchObject([
    { file: 'src/x.ts', line: 3, before: 'return 1;', after: ';' },
    { file: 'src/x.ts', line: 3, before: 'return 1;', after: 'return 2;' },
    { file: 'src/x.ts', line: 3, before: 'return 1;', after: 'return 0;' },
  ]);
});

test.each(EQUIVALENT)('$file still has an equivalent mutant of: $before', (known) => {
  const mutants = mutantsOf(known.file, readFileSync(known.file, 'utf8'));
  expect(mutants.filter((mutant) => isOf(mutant, known))).not.toEqual([]);
});

test('quick test files run first, and among equally quick ones those near the source', () => {
  const seconds = {
    'test/cli/size.test.ts': 5,
    'test/cli/add.test.ts': 4,
    'test/cli/merge.test.ts': 3.5,
    'test/sizing/rate.test.ts': 0.8,
    'test/architecture.test.ts': 3,
  };
  expect(nearestFirst('src/commands/size.ts', new Map(Object.entries(seconds)))).toEqual([
    'test/cli/size.test.ts',
    'test/cli/merge.test.ts',
    'test/sizing/rate.test.ts',
    'test/cli/add.test.ts',
    'test/architecture.test.ts',
  ]);
});
