import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { addOutage, type Outage } from '../store/server/outages.ts';

/**
 * Records an outage while hits cannot be stored, for example on a full disk. The outage begins with the first refused
 * hit, and ends with the next stored hit. Reports then say that hits are missing.
 */
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
      // The outage could not be stored. It stays in memory, and is written after the next stored hit.
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
    running,
    /** Refuses a hit without trying to store it. If no outage is running, an outage begins. */
    refuse: (error: Error): Promise<never> => Promise.reject(error).catch(refused),
    watched:
      (append: Intake['append']): Intake['append'] =>
      (batch) =>
        append(batch).then(stored, refused),
  };
}
