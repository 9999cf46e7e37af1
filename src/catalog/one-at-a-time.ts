export type Turns = {
  /** Starts a work when all that were asked for before it have ended. One that fails keeps none of the next from it. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the last of them has ended. */
  settle(): Promise<void>;
};

/** Runs the long works of an engine one at a time: sealing, sweeping and recounting read and write the same days. */
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
