import { Problem } from '../lib/errors.ts';
import type { Closing } from '../store/cluster/collectors.ts';

/**
 * The reasons for which a collector (a machine that only takes hits) refuses hits, with their messages for the log. If
 * several reasons apply, the first of this list is named.
 */
export const REASONS: Record<Closing, string> = {
  refused: 'the primary does not know this collector; no hits are taken, and nothing is sent',
  retiring: 'this collector is to be retired; no hits are taken, and what it has is sent',
  disk: 'the disk of the outbox is full or cannot be written; no hits are taken, and what waits is sent from the reserve',
  clock: 'the time is not known; no hits are taken until the primary is heard',
};

const ORDER = Object.keys(REASONS) as Closing[];

export type Gate = ReturnType<typeof buildGate>;

/**
 * Decides whether a collector, a machine that only takes hits, accepts them now. `isTimeKnown` is called for each hit,
 * because the time can become unknown at any moment. All other reasons for refusing hits are set with `shut` and
 * removed with `open`.
 */
export function buildGate(isTimeKnown: () => boolean) {
  const shut = new Set<Closing>();
  const closed = (): Closing | null => ORDER.find((one) => (one === 'clock' ? !isTimeKnown() : shut.has(one))) ?? null;
  return {
    closed,
    isShut: (why: Closing): boolean => shut.has(why),
    /** Adds a reason for refusing hits. Gives a message for the log only if the reason is new, so it is logged once. */
    shut(why: Exclude<Closing, 'clock'>): string | undefined {
      const isNew = !shut.has(why);
      shut.add(why);
      return isNew ? REASONS[why] : undefined;
    },
    open: (why: Exclude<Closing, 'clock'>): boolean => shut.delete(why),
    /** Gives the error (status 503) with which a hit must be refused now. Undefined if hits are accepted. */
    refusal: (): Problem | undefined => (closed() === null ? undefined : new Problem('unavailable')),
  };
}
