import { expect, test } from 'vitest';
import { mutantsOf } from './mutants.ts';
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

test('a mutant says where it is', () => {
  expect(mutantsOf('src/x.ts', '@inline\nfunction f() {\n  return 1;\n}\n')).toMatchObject([
    { file: 'src/x.ts', line: 3, before: 'return 1;', after: ';' },
    { file: 'src/x.ts', line: 3, before: 'return 1;', after: 'return 2;' },
    { file: 'src/x.ts', line: 3, before: 'return 1;', after: 'return 0;' },
  ]);
});

test('the tests of a file are asked first, then those of its folder, then all others; the quicker ones first', () => {
  const seconds = {
    'test/cli/size.test.ts': 5,
    'test/cli/add.test.ts': 2,
    'test/cli/merge.test.ts': 1,
    'test/sizing/rate.test.ts': 1,
    'test/architecture.test.ts': 3,
  };
  expect(nearestFirst('src/commands/size.ts', new Map(Object.entries(seconds)))).toEqual([
    'test/cli/size.test.ts',
    'test/cli/merge.test.ts',
    'test/cli/add.test.ts',
    'test/sizing/rate.test.ts',
    'test/architecture.test.ts',
  ]);
});
