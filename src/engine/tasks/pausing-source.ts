import type { ByteSource } from '../../io/source.ts';

/** What is to be done between two reads, when all that was read before has been answered. */
export interface Pauses {
  isDue(): boolean;
  /** Milliseconds until it will be though nothing comes; undefined if it will not. */
  patience(): number | undefined;
  /** Does what is due. */
  pause(): Promise<void>;
}

/** A source that seems to have nothing to read for the moment when something else is due, which is done then. */
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

/** Whether something comes before so many milliseconds have passed. */
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

/** Milliseconds that a timer takes at most. */
const LONGEST_TIMER = 2 ** 31 - 1;
