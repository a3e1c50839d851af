/** The first error of some work that many do at once: it ends what all of them do. */
export interface Failure {
  hasFailed(): boolean;
  fail(error: unknown): void;
  /** Waits for work, or for the error: when one has failed others may wait for it for ever. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** `onFailure` is called at the first error. */
export function createFailure(onFailure: () => void): Failure {
  let hasFailed = false;
  let reject: (error: unknown) => void = () => {};
  const failing = new Promise<never>((_, rejectWith) => {
    reject = rejectWith;
  });
  // It may fail when nobody waits.
  failing.catch(() => {});
  return {
    hasFailed: () => hasFailed,
    fail(error) {
      hasFailed = true;
      onFailure();
      reject(error);
    },
    during: (work) => Promise.race([work, failing]),
  };
}
