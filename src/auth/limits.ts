import type { Clock } from '../lib/time.ts';

type Key = string | number;

/**
 * What is remembered of each key until it is over: at most so many that others may push out, the oldest first, and as many that
 * are held, which nothing pushes out. Held by test/auth/limits.test.ts.
 */
export function memory<Value>(most: number, isOver: (value: Value, now: number) => boolean) {
  const loose = new Map<Key, Value>();
  const held = new Map<Key, Value>();

  function forgetOver(values: Map<Key, Value>, now: number): void {
    // A Map keeps the order of insertion. A later one may be over before an earlier one, and then waits for it.
    for (const [key, value] of values) {
      if (!isOver(value, now)) return;
      values.delete(key);
    }
  }

  return {
    find(key: Key, now: number): Value | undefined {
      const value = held.get(key) ?? loose.get(key);
      return value === undefined || isOver(value, now) ? undefined : value;
    },
    /** The held one that has to be over before another key can be added; undefined where there is room. */
    findObstacle(now: number): Value | undefined {
      forgetOver(held, now);
      return held.size < most ? undefined : held.values().next().value;
    },
    add(key: Key, value: Value, isHeld: boolean, now: number): void {
      this.remove(key);
      const values = isHeld ? held : loose;
      forgetOver(values, now);
      if (!isHeld && loose.size >= most) loose.delete(loose.keys().next().value as Key);
      values.set(key, value);
    },
    remove(key: Key): void {
      if (!held.delete(key)) loose.delete(key);
    },
  };
}

export type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

export type WindowLimit = ReturnType<typeof windowLimit>;

/**
 * A limit for each key, such as an address: so many in a fixed window that begins with the first. Refused ones do not prolong
 * the window. Counts are kept in memory, so that beyond maxKeys of them the window that began first is forgotten, but never one
 * that is used up: where there are maxKeys of these, a new key is refused until one has ended.
 */
export function windowLimit(limit: number, windowSeconds: number, clock: Clock, maxKeys = 50_000) {
  const length = windowSeconds * 1000;
  const windows = memory<{ start: number; count: number }>(maxKeys, ({ start }, now) => now - start >= length);
  const secondsOf = (start: number, now: number): number => Math.ceil((length - (now - start)) / 1000);

  return {
    limit,
    windowSeconds,
    take(key: Key): Taken {
      const now = clock.tick();
      const found = windows.find(key, now);
      const obstacle = found ? undefined : windows.findObstacle(now);
      if (obstacle) return { allowed: false, remaining: 0, resetSeconds: secondsOf(obstacle.start, now) };
      const window = found ?? { start: now, count: 0 };
      const allowed = window.count < limit;
      if (allowed) window.count++;
      const isUsedUp = window.count >= limit;
      if (!found || (allowed && isUsedUp)) windows.add(key, window, isUsedUp, now);
      return { allowed, remaining: limit - window.count, resetSeconds: secondsOf(window.start, now) };
    },
  };
}
