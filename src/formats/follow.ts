import { boundedSource } from '../io/bounded.ts';
import { buffered } from '../io/buffered.ts';
import { putBack, takeHead } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import { bears } from '../io/signature.ts';
import { type ByteSource, openSource, readFully } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { openOwn } from './bloomery/bloomery.ts';
import { fileBytes } from './description.ts';
import type { FilterFile, SegmentedFile } from './format.ts';
import { openFilterFile } from './open.ts';
import type { Opening } from './opening.ts';
import { FORMATS, isUndecidedFilter } from './registry.ts';

/**
 * Opens the filters that follow each other on the standard input, for a merge. Each filter is opened when the one
 * before was read to its end. Only filters of bloomery's own format can be followed by others, because their headers
 * state their length. Errors name the filter by its number and its offset.
 */
export async function* followingFilters(kernel: Kernel, opening: Opening): AsyncGenerator<FilterFile> {
  const input = openSource('-', 'filter');
  const head = await takeHead(input, isUndecidedFilter);
  const source = buffered(putBack(head, input));
  const [own] = FORMATS;
  const isOwn = own.signatures?.some((signature) => bears(head, signature)) === true;
  if (isOwn && (opening.format ?? own.name) === own.name)
    yield* ownFilters({ source, name: displayName('-'), from: 0 }, kernel);
  else yield await openFilterFile('-', 'merge', opening, kernel, () => source);
}

/**
 * Filters of bloomery's own format that follow each other to the end of a source. The source has been read up to
 * `from`.
 */
export interface OwnFilters {
  readonly source: ByteSource;
  /** The name of the file in messages. */
  readonly name: string;
  readonly from: number;
}

/** Opens each filter when the one before was read to its end, and closes the source at the end. */
export async function* ownFilters({ source, name, from }: OwnFilters, kernel: Kernel): AsyncGenerator<SegmentedFile> {
  try {
    const first = new Uint8Array(1);
    for (let number = 1, offset = from; (await readFully(source, first)) > 0; number++) {
      const next = boundedSource(`filter ${number} of ${name} (at byte ${offset})`, putBack(first.slice(), source));
      const file = await openOwn(next, kernel);
      const bytes = fileBytes(file.description);
      next.endAt(bytes);
      yield file;
      offset += bytes;
    }
  } finally {
    source.close();
  }
}
