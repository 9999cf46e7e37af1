import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { addOutage, type Outage } from '../store/server/outages.ts';

/** Makes an outage of the time in which hits are refused: from the first that cannot be stored to the next that is. */
export function watchRefusals(db: Db, clock: Clock) {
  let since: number | undefined;

  const running = (): Outage | undefined =>
    since === undefined ? undefined : { from: since, to: seconds(clock), reason: 'refused' };

  function end(): void {
    const outage = running();
    since = undefined;
    try {
      if (outage) addOutage(db, outage);
    } catch {
      // The outage goes on: this write failed although a hit was just stored.
      since = outage?.from;
    }
  }

  function stored(): void {
    if (since !== undefined) end();
  }

  function refused(error: unknown): never {
    since ??= seconds(clock);
    throw error;
  }

  return {
    /** Gives the current outage, if there is one. */
    running,
    /** Refuses a hit without trying to store it. */
    refuse: (error: Error): Promise<never> => Promise.reject(error).catch(refused),
    watched:
      (append: Intake['append']): Intake['append'] =>
      (batch) =>
        append(batch).then(stored, refused),
  };
}
