import { contentOfIndex } from '../engine/index/index-content.ts';
import { openIndex } from '../engine/index/open-index.ts';
import { BloomError } from '../errors.ts';
import { displayName } from '../io/look.ts';
import type { ServerFile } from '../io/remote/open-remote.ts';
import { loadKernel } from '../kernel/kernel.ts';
import type { Inspection } from './inspect.ts';
import type { Pictures } from './pictures.ts';
import type { IndexReport } from './report/index-report.ts';

/** Inspects an index of files, which is opened already if it is on a server. Throws a `usage` error for flags that apply only to filters. */
export async function inspectIndex(
  file: string,
  opened: ServerFile | undefined,
  { absent, present, verify, opening }: Inspection,
  { pictures, shows }: { readonly pictures: Pictures | undefined; readonly shows: 'text' | 'JSON' | 'Prometheus' },
): Promise<IndexReport> {
  const flags: Readonly<Record<string, boolean>> = {
    '--absent': absent !== undefined,
    '--present': present !== undefined,
    '--format': opening.format !== undefined,
    '--column': opening.column !== undefined,
    '--plot and --svg': pictures !== undefined,
    '--prometheus': shows === 'Prometheus',
  };
  const other = Object.keys(flags).find((flag) => flags[flag]);
  if (other !== undefined)
    throw new BloomError(
      'usage',
      `${displayName(file)} is an index of files, and ${other} is for filters`,
      'leave it out',
    );
  const index = await openIndex(file, loadKernel(), opened);
  try {
    const content = await contentOfIndex(index);
    if (verify) await index.verify();
    return { content, verified: verify };
  } finally {
    index.close();
  }
}
