/**
 * Makes a queue for the long work of an engine, such as sealing and recounts. Sealing and recounts change the rows of
 * sealed days, so the queue never runs two of them at the same time.
 */
export function takeTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
    async settle(): Promise<void> {
      await last;
    },
  };
}

export type Turns = {
  /** Runs work when all earlier work has ended, even if earlier work failed. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  settle(): Promise<void>;
};
