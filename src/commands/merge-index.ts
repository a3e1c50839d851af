import { mergeIndexes } from '../engine/index/merge-indexes.ts';
import { type FileIndex, openIndex } from '../engine/index/open-index.ts';
import { BloomError } from '../errors.ts';
import { type Output, writeOutput } from '../io/atomic-file.ts';
import { displayName, isUrl } from '../io/look.ts';
import { print } from '../io/sink.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { count, duration } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode, secondsSince } from './command.ts';
import { isIndex } from './filter-files.ts';
import { displayOutput } from './outputs.ts';
import { describeIndex, indexJson } from './report/index-report.ts';
import { jsonLine } from './report/json-line.ts';

interface IndexesToMerge {
  readonly names: readonly string[];
  /** Undefined if nothing is written. */
  readonly output: Output | undefined;
  readonly json: boolean;
  /** The uptime of the process when the command began. */
  readonly start: number;
}

/** Merges indexes of files. */
export async function mergeIndexFiles(
  { names, output, json, start }: IndexesToMerge,
  say: Messenger,
): Promise<ExitCode> {
  const other = names.find((name) => !isIndex(name));
  if (other !== undefined && isUrl(other))
    throw new BloomError(
      'usage',
      `${displayName(other)} is on a server, and indexes are merged from files`,
      'download it first',
    );
  if (other !== undefined) {
    const index = displayName(names.find(isIndex) ?? '');
    throw new BloomError(
      'mismatch',
      `${index} is an index of files, and ${displayName(other)} is not`,
      'merge indexes with indexes, and filters with filters',
    );
  }
  const indexes: FileIndex[] = [];
  try {
    for (const name of names) indexes.push(await openIndex(name, loadKernel()));
    const merged = mergeIndexes(indexes);
    try {
      if (output !== undefined) await writeOutput(output, merged.write);
    } finally {
      merged.close();
    }
    const seconds = secondsSince(start);
    const from = names.length === 1 ? ' of 1 index' : ` of ${count(names.length)} indexes`;
    const [name, verb] = output === undefined ? ['the index', 'would hold'] : [displayOutput(output.name), 'holds'];
    say.note(`${name}: ${verb} ${describeIndex(merged, from)}; ${duration(seconds)}`);
    if (json) print(jsonLine({ ...indexJson(output?.name ?? null, merged), indexes: names.length, seconds }));
    return EXIT.success;
  } finally {
    for (const index of indexes) index.close();
  }
}
