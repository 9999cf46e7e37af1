// Limits in memory: how often an IP address, a token or a user may do something. Each of these is a key. The window of
// a key begins with its first request, and lasts a fixed time.
//
// Invariant: a limit has at most 100,000 windows. If 50,000 windows still allow requests, a new window replaces the
// oldest of these. If 50,000 windows are used up, new keys are refused. A used-up window is never forgotten before its
// end. So an attacker with many IP addresses cannot get a new window early.
//
// Example: if 60 requests a minute are allowed, the 61st is refused until the minute is over. Refused requests do not
// prolong the window. `quotas.ts` has most limits.

import type { Clock } from '../lib/time.ts';

type Key = string | number;

export type LimitState = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowLimit = ReturnType<typeof makeWindowLimit>;

/**
 * Makes a limit: a key, such as an IP address, may make `limit` requests in each window of `windowSeconds`. If
 * `maxKeys` windows are used up, new keys are refused until one of these windows ends. So the memory stays limited.
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
 * Remembers a value for each key until `isOver` returns true for the value. A value is loose or pinned. For example, a
 * window that is used up is pinned. If there are `most` loose values, a new loose value replaces the oldest. Pinned
 * values are never replaced, and `add` does not limit their number. So the caller must refuse new keys while
 * `findObstacle` returns a value. Tested by test/auth/limits.test.ts.
 */
export function makeMemory<Value>(most: number, isOver: (value: Value, now: number) => boolean) {
  const loose = new Map<Key, Value>();
  const pinned = new Map<Key, Value>();

  function forgetOver(values: Map<Key, Value>, now: number): void {
    // A Map keeps the order of insertion, and older values are usually over first. So the loop ends at the first value
    // that is not over. If a later value is over already, a later call deletes it.
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
    /**
     * Returns the oldest pinned value if there are `most` pinned values or more. Then no new key may be added until
     * this oldest value is over.
     */
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
