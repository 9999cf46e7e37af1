import { addressKey } from '../lib/address.ts';
import type { Clock } from '../lib/time.ts';

/** How many seconds' worth of hits an address may send at once. */
const BURST = 3;
const MOST_KEYS = 50_000;

/** Limits each address to `rate` hits a second on average; 0 means no limit. Addresses are kept in memory only. */
export function flood(rate: number, clock: Clock) {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    /** Counts one more hit of the address, unless it is over the limit; then it returns false. */
    take(address: string): boolean {
      if (rate === 0) return true;
      const now = clock.tick();
      const key = addressKey(address);
      const bucket = buckets.get(key);
      // In thousandths of a hit, so that milliseconds times the rate need no rounding.
      const level = bucket ? Math.max(0, bucket.level - (now - bucket.at) * rate) : 0;
      if (level + 1_000 > rate * BURST * 1_000) return false;
      // Moved to the end, so that the first key is the address that was inactive longest.
      buckets.delete(key);
      buckets.set(key, { level: level + 1_000, at: now });
      if (buckets.size > MOST_KEYS) for (const oldest of buckets.keys()) return buckets.delete(oldest);
      return true;
    },
  };
}
