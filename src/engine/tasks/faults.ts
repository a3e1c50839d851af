import { BloomError, type ErrorCode, OutdatedCopy } from '../../errors.ts';
import type { OpenStore } from '../store/store-access.ts';

/** Why a filter, given by its number, could not be queried. Threads pass this to each other as a message. */
export interface Fault {
  readonly filter: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Isolates the errors of one filter from the others. */
export interface Faults {
  /** A test that reports every key as absent once the filter cannot be read. The first error of the filter is kept. */
  guarded(filter: number, test: OpenStore['test']): OpenStore['test'];
  found(): readonly Fault[];
}

/** Errors of a filter's file. Other errors are bugs, or concern the whole query. */
const OF_FILTERS: readonly ErrorCode[] = ['input', 'format'];

export function createFaults(): Faults {
  const faults = new Map<number, Fault>();
  return {
    guarded: (filter, test) => (column, digests, hits) => {
      try {
        return test(column, digests, hits);
      } catch (error) {
        if (!(error instanceof BloomError) || error instanceof OutdatedCopy) throw error;
        const { code, message, hint } = error;
        if (!OF_FILTERS.includes(code)) throw error;
        if (!faults.has(filter)) faults.set(filter, { filter, code, message, hint });
        return 0;
      }
    },
    found: () => [...faults.values()],
  };
}
