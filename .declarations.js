// The type declarations of an entry in one file: of the library, or of the reader for browsers. Each module that the entry names
// has only public declarations.

import { readFileSync } from 'node:fs';
import { isolatedDeclarationSync } from 'rolldown/experimental';

/** The declarations of all modules that a file of `src` names, or of the file itself if it names none, with their comments. */
export function declarationsOfEntry(file) {
  const entry = new URL(`src/${file}`, import.meta.url);
  const modules = [...readFileSync(entry, 'utf8').matchAll(/^export .* from '(.+)';|^} from '(.+)';/gm)].map(
    ([, line, last]) => new URL(line ?? last, entry),
  );
  return (modules.length > 0 ? modules : [entry]).map(declarationsOf).join('\n');
}

function declarationsOf(module) {
  const { code, errors } = isolatedDeclarationSync(module.pathname, readFileSync(module, 'utf8'), {});
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  // All declarations are in the same file.
  return code.replace(/^import .*\n/gm, '');
}
