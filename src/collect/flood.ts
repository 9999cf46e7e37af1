import { addressKey } from '../lib/address.ts';
import type { Clock } from '../lib/time.ts';

/** How many times the rate may come at once. */
const BURST = 3;
const MOST_KEYS = 50_000;

/** So many a second and address, in the long run; 0 means no limit. Kept in memory only, like everything about addresses. */
export function flood(rate: number, clock: Clock) {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    /** Whether there is room for one more, which is then taken. */
    take(address: string): boolean {
      if (rate === 0) return true;
      const now = clock.tick();
      const key = addressKey(address);
      const bucket = buckets.get(key);
      // In thousandths of a hit, so that whole milliseconds are never rounded.
      const level = bucket ? Math.max(0, bucket.level - (now - bucket.at) * rate) : 0;
      if (level + 1_000 > rate * BURST * 1_000) return false;
      // Put at the end, so that the first is the one that has been silent longest.
      buckets.delete(key);
      buckets.set(key, { level: level + 1_000, at: now });
      if (buckets.size > MOST_KEYS) for (const oldest of buckets.keys()) return buckets.delete(oldest);
      return true;
    },
  };
}
