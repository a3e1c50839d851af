import type { ByteSource } from '../../io/source.ts';

/** Work between two reads, after all records before were answered. */
export interface Pauses {
  isDue(): boolean;
  /** Milliseconds until work is due even if no input arrives; undefined if none will be due. */
  patience(): number | undefined;
  /** Does the work. */
  pause(): Promise<void>;
}

/** A source that reports no input when work is due. The reader then waits, and the work is done first. */
export function pausingFor(pauses: Pauses, source: ByteSource): ByteSource {
  const pauseIfDue = async () => {
    if (pauses.isDue()) await pauses.pause();
  };
  return {
    ...source,
    read: (into) => (pauses.isDue() ? undefined : source.read(into)),
    async wait(into) {
      await pauseIfDue();
      const there = source.read(into);
      if (there !== undefined) return there;
      const bytes = source.wait(into);
      while (!(await comes(bytes, pauses.patience()))) await pauseIfDue();
      await pauseIfDue();
      return bytes;
    },
  };
}

/** Whether the promise settles within `patience` milliseconds. */
async function comes(something: Promise<unknown>, patience: number | undefined): Promise<boolean> {
  if (patience === undefined) {
    await something;
    return true;
  }
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(patience, LONGEST_TIMER));
  });
  try {
    return await Promise.race([something.then(() => true), passed]);
  } finally {
    clearTimeout(timer);
  }
}

/** The longest delay of a timer in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
