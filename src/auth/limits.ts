import type { Clock } from '../lib/time.ts';

export type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowLimit = ReturnType<typeof windowLimit>;

/**
 * A limit for each key, such as an address: so many in a fixed window that begins with the first. Refused ones do not prolong
 * the window. Counts are kept in memory, at most maxKeys of them; beyond that the window that began first is forgotten.
 */
export function windowLimit(limit: number, windowSeconds: number, clock: Clock, maxKeys = 50_000) {
  const windows = new Map<string | number, { start: number; count: number }>();
  const length = windowSeconds * 1000;

  function forgetOld(now: number): void {
    // A Map keeps the order of insertion, so that the oldest windows come first.
    for (const [key, { start }] of windows) {
      if (now - start < length && windows.size < maxKeys) return;
      windows.delete(key);
    }
  }

  return {
    limit,
    windowSeconds,
    take(key: string | number): Taken {
      const now = clock.tick();
      let window = windows.get(key);
      if (!window || now - window.start >= length) {
        windows.delete(key);
        forgetOld(now);
        window = { start: now, count: 0 };
        windows.set(key, window);
      }
      const allowed = window.count < limit;
      if (allowed) window.count++;
      return {
        allowed,
        remaining: limit - window.count,
        resetSeconds: Math.ceil((length - (now - window.start)) / 1000),
      };
    },
  };
}
