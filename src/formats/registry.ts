import { bears, mayBear } from '../io/signature.ts';
import { bitsAndBlooms } from './bits-and-blooms.ts';
import { bloomery } from './bloomery/bloomery.ts';
import { cassandra } from './cassandra.ts';
import { datasketches } from './datasketches.ts';
import { dcso } from './dcso.ts';
import { filterPassword } from './filter-password.ts';
import type { Format, FormatMark } from './format.ts';
import { guava } from './guava.ts';
import { java } from './java.ts';
import { poppy } from './poppy.ts';
import { redisBloom } from './redisbloom/redisbloom.ts';
import { spark } from './spark.ts';

/** Every format that is told from others, and before those that its files may seem to be; the first is that of new filters. */
export const FORMATS: readonly [Format, ...(Format | FormatMark)[]] = [
  bloomery,
  redisBloom,
  datasketches,
  dcso,
  poppy,
  filterPassword,
  java,
  guava,
  spark,
  bitsAndBlooms,
  cassandra,
];

/** Bytes that are enough to tell a format without a signature. */
const FIELDS_BYTES = 73;

/**
 * The format of a file, by its first bytes and, where that is known, its length; undefined if it is no filter that can be told
 * from other files.
 */
export function formatOf(head: Uint8Array, size: number | undefined): Format | FormatMark | undefined {
  const fields = fieldsOf(head);
  return FORMATS.find((format) => isSigned(format, head) || (size !== undefined && format.fits?.(fields, size)));
}

/** The format of what is said to be a filter, and comes through a pipe or has not the length that it should. */
export function likelyFormat(head: Uint8Array, size: number | undefined): Format | FormatMark | undefined {
  const known = size === undefined ? undefined : formatOf(head, size);
  const fields = fieldsOf(head);
  return known ?? FORMATS.find((format) => isSigned(format, head) || format.fits?.(fields, undefined));
}

function isSigned({ signatures = [] }: FormatMark, head: Uint8Array): boolean {
  return signatures.some((signature) => bears(head, signature));
}

function fieldsOf(head: Uint8Array): DataView {
  const fields = new Uint8Array(FIELDS_BYTES);
  fields.set(head.subarray(0, FIELDS_BYTES));
  return new DataView(fields.buffer);
}

/** Whether it takes more bytes to tell. */
export function mayBeFilter(head: Uint8Array): boolean {
  return FORMATS.some(({ signatures = [] }) => signatures.some((signature) => mayBear(head, signature)));
}

/** Whether it takes more bytes to tell of what is said to be a filter. */
export function isUntoldFilter(head: Uint8Array): boolean {
  return head.length < FIELDS_BYTES || mayBeFilter(head);
}
