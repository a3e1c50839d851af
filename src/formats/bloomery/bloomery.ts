import { kindWithId, requireShape } from '../../filters/registry.ts';
import { ownHashNamed } from '../../hashes/registry.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { OwnDescription } from '../description.ts';
import type { OwnFormat, SegmentedFile } from '../format.ts';
import { TEXT } from '../key-types.ts';
import { needsTags } from '../tags.ts';
import { fileBytes, type Header } from './header.ts';
import { openFile } from './reader.ts';
import { MAGIC } from './signature.ts';

/** Bloomery's own format, for every kind of filter. FORMAT.md describes it. */
export const bloomery: OwnFormat = {
  name: 'bloomery',
  system: 'bloom',
  purpose: 'this program',
  signatures: [[...MAGIC]],
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: TEXT,
  integrity: 'every checksum matches',
  fileBytes,
  open: openOwn,
  write: async (output, kernel, description, supply, onWritten) =>
    (await import('./writer.ts')).writeFile(output, kernel, headerOf(description), supply, onWritten),
};

/** Opens a file of bloomery's own format. Throws `input` and `format` errors. */
export function openOwn(source: ByteSource, kernel: Kernel | undefined): Promise<SegmentedFile> {
  return openFile(source, possibleFilter, kernel);
}

/** The description of a header. Throws a `format` error if no filter can have it. */
function possibleFilter(header: Header, name: string): OwnDescription {
  const description = descriptionOf(header, name);
  requireShape(description, name);
  return description;
}

/** The description of a header. Throws a `format` error for an unknown kind. */
export function descriptionOf(header: Header, name: string): OwnDescription {
  const {
    kind,
    hash,
    seed,
    ignoreCase,
    trim,
    encoding,
    lookup,
    lengths,
    marked,
    keyHash,
    capacity,
    targetFpr,
    inserted,
  } = header;
  const { bits, segments, segmentBits, k, chain, share, protectedKeys, note, origin, isTagged = false } = header;
  const shape = { bits, segments, segmentBits, k, chain, share, ...(protectedKeys && { protectedKeys }) };
  return {
    format: bloomery,
    kind: kindWithId(kind, name),
    shape,
    rules: {
      hash,
      seed,
      ignoreCase,
      trim,
      ...(encoding && { encoding, lookup }),
      ...(lengths !== undefined && { lengths }),
      ...(marked !== undefined && { marked }),
      ...(keyHash && { keyHash }),
    },
    ...((encoding === 'domain' || encoding === 'network') && { keyType: encoding }),
    target: { capacity, targetFpr },
    inserted,
    ...(note && { note }),
    ...(origin && { origin }),
    ...(isTagged !== needsTags(shape) && { isTagged }),
  };
}

/** The header of a filter. The description must be complete. */
export function headerOf({ kind, shape, rules, target, inserted, note, origin, ...stated }: OwnDescription): Header {
  if (target === undefined || inserted === undefined) throw new Error('the description has no target');
  const isTagged = (stated.isTagged ?? needsTags(shape)) || undefined;
  const hash = ownHashNamed(rules.hash).name;
  return { kind: kind.id, ...shape, ...rules, hash, ...target, inserted, note, origin, isTagged };
}
