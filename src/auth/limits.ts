// Limits in memory: how often an IP address, a token or a user may do something.
//
// A window begins with the first request of a key and lasts a fixed time. With 60 requests a minute, the 61st is
// refused until the minute is over. Refused requests do not prolong the window.
//
// Memory is bounded: 50,000 windows that are not used up, and 50,000 that are. Of the first kind the oldest is
// forgotten for a new one. A window that is used up is never forgotten early. So an attacker with many addresses
// cannot win a new window. `quotas.ts` has all limits.

import type { Clock } from '../lib/time.ts';

type Key = string | number;

export type LimitState = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowLimit = ReturnType<typeof makeWindowLimit>;

/**
 * Makes a limit: so many requests of a key in a window of fixed length. If `maxKeys` windows are used up, new keys
 * are refused until one ends.
 */
export function makeWindowLimit(limit: number, windowSeconds: number, clock: Clock, maxKeys = 50_000) {
  const length = windowSeconds * 1000;
  const windows = makeMemory<{ start: number; count: number }>(maxKeys, ({ start }, now) => now - start >= length);
  const countSeconds = (start: number, now: number): number => Math.ceil((length - (now - start)) / 1000);

  return {
    limit,
    windowSeconds,
    take(key: Key): LimitState {
      const now = clock.tick();
      const found = windows.find(key, now);
      const obstacle = found ? undefined : windows.findObstacle(now);
      if (obstacle) return { allowed: false, remaining: 0, resetSeconds: countSeconds(obstacle.start, now) };
      const window = found ?? { start: now, count: 0 };
      const allowed = window.count < limit;
      if (allowed) window.count++;
      const isUsedUp = window.count >= limit;
      if (!found || (allowed && isUsedUp)) windows.add(key, window, isUsedUp, now);
      return { allowed, remaining: limit - window.count, resetSeconds: countSeconds(window.start, now) };
    },
  };
}

/**
 * Remembers a value for each key until it is over. Values are loose or pinned, at most `most` of each. A new loose
 * value pushes out the oldest loose one. Nothing pushes out a pinned one. Held by test/auth/limits.test.ts.
 */
export function makeMemory<Value>(most: number, isOver: (value: Value, now: number) => boolean) {
  const loose = new Map<Key, Value>();
  const pinned = new Map<Key, Value>();

  function forgetOver(values: Map<Key, Value>, now: number): void {
    // A Map keeps the order of insertion. A value behind one that is not over waits for it.
    for (const [key, value] of values) {
      if (!isOver(value, now)) return;
      values.delete(key);
    }
  }

  return {
    find(key: Key, now: number): Value | undefined {
      const value = pinned.get(key) ?? loose.get(key);
      return value === undefined || isOver(value, now) ? undefined : value;
    },
    /** Finds the pinned value that must be over before another key fits; undefined if there is room. */
    findObstacle(now: number): Value | undefined {
      forgetOver(pinned, now);
      return pinned.size < most ? undefined : pinned.values().next().value;
    },
    add(key: Key, value: Value, isPinned: boolean, now: number): void {
      this.remove(key);
      const values = isPinned ? pinned : loose;
      forgetOver(values, now);
      if (!isPinned && loose.size >= most) loose.delete(loose.keys().next().value as Key);
      values.set(key, value);
    },
    remove(key: Key): void {
      if (!pinned.delete(key)) loose.delete(key);
    },
  };
}
