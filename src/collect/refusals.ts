import type { Intake } from '../engine/engine.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { addOutage, type Outage } from '../store/server/outages.ts';

/**
 * While hits are refused, an outage runs: from the first hit that cannot be stored until the next hit that is stored.
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
      // The outage continues, because this write failed although a hit was stored just before.
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
    /** Refuses a hit without trying to store it. */
    refuse: (error: Error): Promise<never> => Promise.reject(error).catch(refused),
    watched:
      (append: Intake['append']): Intake['append'] =>
      (batch) =>
        append(batch).then(stored, refused),
  };
}
