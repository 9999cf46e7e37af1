import { iso } from '../lib/time.ts';
import { listCollectors } from '../store/collectors.ts';
import type { Db } from '../store/statements.ts';
import type { Shipped } from './outbox.ts';

/** `reason` is in words which collector is furthest behind; undefined where that is nobody but the server itself. */
export type LeastShipped = Shipped & { reason?: string };

/** Up to where all senders have sent what they took. One that was never started has taken nothing. */
export function leastShipped(db: Db, own: Shipped): LeastShipped {
  const all = listCollectors(db).flatMap(({ name, seenAt, status }): LeastShipped[] => {
    if (!status) return [];
    const { next, until } = status;
    const reason = `the collector ${name} said at ${iso(seenAt)} that it has sent what it took until ${iso(until)}; start it, or give it up with daybook collectors retire ${name} --lost`;
    return [{ next, until, reason }];
  });
  const least = all.toSorted((one, other) => one.until - other.until)[0];
  if (!least) return own;
  const next = Math.min(own.next, ...all.map((one) => one.next));
  return least.until < own.until ? { ...least, next } : { ...own, next };
}
