import { Problem } from '../lib/errors.ts';
import type { Closing } from '../store/cluster/sender-status.ts';

/**
 * The reasons for which a collector refuses hits, with their messages for the log. If several reasons apply, the first
 * one of this list is named.
 */
export const REASONS: Record<Closing, string> = {
  refused: 'the primary does not know this collector. The collector takes no hits and sends nothing',
  retiring: 'this collector is being retired. The collector takes no hits and sends those that it has',
  disk: 'the disk of the outbox is full or cannot be written. The collector takes no hits and sends those that wait',
  clock: 'the time is not known. The collector takes no hits until the primary answers',
};

const ORDER = Object.keys(REASONS) as Closing[];

export type Gate = ReturnType<typeof buildGate>;

/**
 * Decides whether a collector accepts hits now. `isTimeKnown` is called for each hit, because the time can become
 * unknown at any moment. All other reasons for refusing hits are set with `shut` and removed with `open`.
 */
export function buildGate(isTimeKnown: () => boolean) {
  const shut = new Set<Closing>();
  const closed = (): Closing | null => ORDER.find((one) => (one === 'clock' ? !isTimeKnown() : shut.has(one))) ?? null;
  return {
    closed,
    isShut: (why: Closing): boolean => shut.has(why),
    /** Sets a reason. Returns a message for the log only if the reason is new, so each reason is logged once. */
    shut(why: Exclude<Closing, 'clock'>): string | undefined {
      const isNew = !shut.has(why);
      shut.add(why);
      return isNew ? REASONS[why] : undefined;
    },
    open: (why: Exclude<Closing, 'clock'>): boolean => shut.delete(why),
    /** Returns the error (status 503) with which a hit must be refused now. Returns undefined if hits are accepted. */
    refusal: (): Problem | undefined => (closed() === null ? undefined : new Problem('unavailable')),
  };
}
