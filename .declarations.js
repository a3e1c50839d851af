// The type declarations of the library in one file. Each module that its index names has only public declarations.

import { readFileSync } from 'node:fs';
import { isolatedDeclarationSync } from 'rolldown/experimental';

const INDEX = new URL('src/library/index.ts', import.meta.url);

/** The declarations of all modules of the library, with their comments. */
export function libraryDeclarations() {
  const modules = [...readFileSync(INDEX, 'utf8').matchAll(/ from '(.+)';/g)].map(
    ([, module]) => new URL(module, INDEX),
  );
  return modules.map(declarationsOf).join('\n');
}

function declarationsOf(module) {
  const { code, errors } = isolatedDeclarationSync(module.pathname, readFileSync(module, 'utf8'), {});
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  // All declarations are in the same file.
  return code.replace(/^import .*\n/gm, '');
}
