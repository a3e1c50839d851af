import { UnreadableInput } from '../../errors.ts';
import { type Sink, sinkFor } from '../../io/sink.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { RecordSource } from '../input/header.ts';
import { terminatorOf } from '../input/key-selection.ts';
import { looksUpSeveral } from '../input/key-variants.ts';
import { createScanner } from '../input/scanner.ts';
import type { SharedStore } from '../store/store.ts';
import { createAnswers, type RecordAnswers } from './answers.ts';
import { openOutput } from './output.ts';
import { minus, selectedIn, type Tally } from './tally.ts';
import type { Task, TestSpec } from './task.ts';
import type { Replacement, ThreadContext } from './thread-context.ts';

/** Looks up the records of sources in filters, and prints them or only counts the answers. */
export async function openTest(context: ThreadContext, spec: TestSpec, sink: Sink = sinkFor(spec.into)): Promise<Task> {
  const { kernel, replacement } = context;
  const { selection, stopAt } = spec;
  const keepRecords = spec.print !== undefined;
  const answers = await answersOf(context, spec);
  const { rules, recordLimit, keys, lastKeys } = answers;
  const output = openOutput(context, spec, sink, await openKeyPrinter(kernel, spec, answers, sink));
  let records = 0;
  const answer = () => {
    scanner.endBatch();
    output.flush();
  };
  const scanner = createScanner(
    kernel,
    {
      selection,
      rules,
      recordLimit,
      keepRecords,
      countsKeyed: spec.countsKeys === true || looksUpSeveral(rules),
      looksUp: true,
      answered: answers.answered,
    },
    {
      keys,
      lastKeys,
      records(batch) {
        records += batch.count;
        answers.conclude(batch, output.print);
      },
      idle: answer,
    },
  );
  const tally = (): Tally => ({ ...scanner.tally(), records, ...answers.counts(), ...output.accepted() });
  return {
    async scan(source, part, onRead) {
      const before = tally();
      const isEnough = () => {
        if (stopAt === undefined) return false;
        const now = stopAt.ofEach ? minus(tally(), before) : tally();
        return selectedIn(now, stopAt.selected) >= stopAt.records;
      };
      output.start(part);
      answers.beginInput?.();
      const conclude = (isCutOff: boolean) => {
        if (spec.bySource || keepRecords || stopAt !== undefined) answer();
        output.end(isCutOff);
      };
      try {
        await scanner.scan(endingWhen(isEnough, turningAt(replacement, answers.turn, source)), (bytes) => {
          if (spec.lineBuffered) answer();
          return onRead?.(bytes);
        });
      } catch (error) {
        // The records before a failed read were looked up, and are answered. After any other failure, such as a failure of the filter, the
        // answers are unknown.
        if (error instanceof UnreadableInput) conclude(true);
        throw error;
      }
      conclude(false);
      if (!isEnough()) answers.endInput?.();
      return minus(tally(), before);
    },
    finish() {
      scanner.endBatch();
      return { type: 'tally', ...tally(), faults: answers.faults() };
    },
  };
}

async function answersOf(context: ThreadContext, spec: TestSpec): Promise<RecordAnswers> {
  if (spec.known === undefined) return createAnswers(context, spec);
  const { createKnownAnswers } = await import('./known-answers.ts');
  return createKnownAnswers(context, { ...spec, known: spec.known });
}

/** The printer for keys, alone or in colour; undefined if keys are not printed so. */
async function openKeyPrinter(kernel: Kernel, { print, selection }: TestSpec, { ofKeys }: RecordAnswers, sink: Sink) {
  if (print === undefined || ofKeys === undefined) return undefined;
  const { colours } = print;
  if (colours !== undefined) {
    const { createColouredPrinter } = await import('./coloured-printer.ts');
    return createColouredPrinter(kernel, { ...print, colours }, terminatorOf(selection), ofKeys, sink);
  }
  const { createKeyPrinter } = await import('./key-printer.ts');
  return createKeyPrinter(kernel, print, terminatorOf(selection), ofKeys, sink);
}

/** A source that ends as soon as enough records were selected. */
function endingWhen(isEnough: () => boolean, source: RecordSource): RecordSource {
  return {
    name: source.name,
    size: source.size,
    fields: source.fields,
    read: (into) => (isEnough() ? 0 : source.read(into)),
    wait: async (into) => (isEnough() ? 0 : source.wait(into)),
    close: () => source.close(),
  };
}

/** A source that hands out bytes only after the filters are as new as the bytes. All records that were read before are answered by then. */
export function turningAt(
  replacement: Replacement | undefined,
  turn: (filters: readonly SharedStore[]) => Promise<void>,
  source: RecordSource,
): RecordSource {
  if (replacement === undefined) return source;
  const { isDue, take } = replacement;
  let held: Uint8Array | undefined;
  return {
    ...source,
    read(into) {
      const bytes = source.read(into);
      if (!isDue()) return bytes;
      if (bytes !== undefined) held = into.slice(0, bytes);
      return undefined;
    },
    async wait(into) {
      const bytes = held?.length ?? (await source.wait(into));
      const newer = isDue() ? await take() : undefined;
      if (newer !== undefined) await turn(newer);
      if (held !== undefined) into.set(held);
      held = undefined;
      return bytes;
    },
  };
}
