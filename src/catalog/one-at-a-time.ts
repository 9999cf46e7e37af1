/**
 * Makes the turns in which an engine does its long work: sealing, sweeping and recounting read and write one set of
 * days.
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
  /** Runs work after all earlier work has ended, even if some of it failed. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all work has ended. */
  settle(): Promise<void>;
};
