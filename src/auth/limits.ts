import type { Clock } from '../lib/time.ts';

export type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowLimit = ReturnType<typeof windowLimit>;

/**
 * So many in a fixed window that begins with the first; what is refused does not prolong it. Counts live in memory,
 * at most maxKeys of them: beyond that the window that began first is forgotten.
 */
export function windowLimit(limit: number, windowSeconds: number, clock: Clock, maxKeys = 50_000) {
  const windows = new Map<string | number, { start: number; count: number }>();
  const length = windowSeconds * 1000;

  function forgetOld(now: number): void {
    // A Map keeps its order and a window is put at its end when it begins, so the oldest are in front.
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
