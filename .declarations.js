// The type declarations of an index in one file: of the library, or of the reader for browsers. Each module that the index names
// has only public declarations.

import { readFileSync } from 'node:fs';
import { isolatedDeclarationSync } from 'rolldown/experimental';

/** The declarations of all modules that `src/ROOM/index.ts` names, with their comments. */
export function declarationsOfRoom(room) {
  const index = new URL(`src/${room}/index.ts`, import.meta.url);
  const modules = [...readFileSync(index, 'utf8').matchAll(/ from '(.+)';/g)].map(
    ([, module]) => new URL(module, index),
  );
  return modules.map(declarationsOf).join('\n');
}

function declarationsOf(module) {
  const { code, errors } = isolatedDeclarationSync(module.pathname, readFileSync(module, 'utf8'), {});
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  // All declarations are in the same file.
  return code.replace(/^import .*\n/gm, '');
}
