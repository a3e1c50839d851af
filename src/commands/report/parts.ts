// The filters of a file with many filters. `stats` lists them one by one.

import type { LoadedFilter } from '../../engine/store/loaded.ts';
import type { Content } from '../../engine/survey.ts';
import { contentInFile } from '../../engine/survey.ts';
import { printable } from '../../errors.ts';
import { rangedShape } from '../../filters/key-ranges.ts';
import type { Fill, Shape } from '../../filters/kind.ts';
import { linkedShape } from '../../filters/linked.ts';
import type { FilteredPart } from '../../formats/format.ts';
import { bytes, count, rate, withNoun } from '../../quantities.ts';
import type { Palette } from '../../terminal/colour.ts';
import { type Column, table } from '../../terminal/table.ts';
import { describeDistinct, type Facts, type ReportedPart } from './content.ts';

/** The facts about each filter, from how full it is. */
export function partsOf({ name, description, parts }: LoadedFilter, fills: readonly Fill[]): ReportedPart[] {
  const { shape: whole } = description;
  return parts.map((part, i) => {
    const shape = shapeOfPart(whole, i);
    const content = contentInFile({ ...description, shape }, fills.slice(i, i + 1), `${name}: ${part.label}`);
    return { ...part, shape, content, ...remarkOn(part, shape, content, description) };
  });
}

function shapeOfPart(whole: Shape, index: number): Shape {
  const [link, ranged] = [whole.links?.[index], whole.parts?.[index]];
  if (ranged !== undefined) return rangedShape([ranged]);
  return link === undefined ? whole : linkedShape([link]);
}

/** The rate of an optimally full filter with k = 1. A higher rate is useless for every purpose. */
const WORST_RATE = 1 / 2;

/** Standard errors that an estimate exceeds in one of 10^9 filters. */
const SURE = 6;

/**
 * The largest ratio of a filter's bits to the bits that its keys need. Sizes are powers of two, and numbers of keys
 * are guesses.
 */
const GENEROUS = 16;

/** Filters up to this number of bits are never called too large. */
const SMALL = 8192;

/** The rate of that comparison. */
const USUAL_RATE = 0.01;

function remarkOn(
  { values }: FilteredPart,
  { bits }: Shape,
  { distinct, predictedFpr }: Content,
  { kind }: LoadedFilter['description'],
): Pick<ReportedPart, 'remark' | 'isBad'> {
  const keys = withNoun(describeDistinct(distinct), 'key');
  if (predictedFpr > WORST_RATE)
    return { remark: `overfull, it accepts ${predictedFpr === 1 ? 'every key' : rate(predictedFpr)}`, isBad: true };
  if (values !== undefined && distinct.count - SURE * distinct.error > values)
    return { remark: `its bits show ${keys}, but there are ${count(values)} values`, isBad: true };
  if (distinct.count === 0) return { remark: values === 0 ? undefined : 'it has no keys', isBad: false };
  const enough = kind.plan?.({ items: Math.ceil(distinct.count), fpr: USUAL_RATE })?.bits ?? bits;
  const isGenerous = bits > Math.max(SMALL, GENEROUS * enough);
  const remark = `${bytes(bits / 8)} for ${keys}; ${bytes(Math.ceil(enough / 8))} are enough for ${rate(USUAL_RATE)}`;
  return { remark: isGenerous ? remark : undefined, isBad: false };
}

/** The parts in JSON. */
export function partsJson({ parts, unfiltered }: Pick<Facts, 'parts' | 'unfiltered'>) {
  const [first] = parts;
  return {
    column: first?.column ?? null,
    type: first?.type ?? null,
    filters: parts.map(({ label, column, type, values, shape, content, remark }) => ({
      label,
      column: column ?? null,
      type: type ?? null,
      bits: shape.bits,
      hashes: shape.k,
      fillRatio: content.fillRatio,
      predictedFpr: content.predictedFpr,
      estimatedItems: Math.round(content.distinct.count),
      values: values ?? null,
      remark: remark ?? null,
    })),
    unfiltered,
  };
}

const COLUMNS: readonly Column[] = [
  { title: 'filter', align: 'left' },
  { title: 'bits' },
  { title: 'k', spare: 3 },
  { title: 'fill', spare: 2 },
  { title: 'rate' },
  { title: 'keys' },
  { title: 'values', spare: 1 },
];

/** A table of the parts, and what is wrong with them. */
export async function partsText({ parts }: Facts, colours: Palette, width?: number): Promise<string> {
  if (parts.length === 0) return '';
  const rows = parts.map(({ label, values, shape, content }) => [
    printable(label),
    count(shape.bits),
    String(shape.k),
    rate(content.fillRatio),
    rate(content.predictedFpr),
    describeDistinct(content.distinct),
    values === undefined ? '' : count(values),
  ]);
  const remarks = parts.flatMap(({ label, remark }) =>
    remark === undefined ? [] : [`${printable(label)}: ${remark}\n`],
  );
  return `\n${await table(COLUMNS, rows, colours, width)}${remarks.join('')}`;
}
