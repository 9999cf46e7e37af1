import { createHook } from 'node:async_hooks';

const held: object[] = [];

/**
 * Keeps one tick (what process.nextTick queues) for as long as the process lives. V8 forgets the shape of ticks in a garbage
 * collection that finds none, and does not learn it again: each then takes eight times as long, and a request has six
 * (test/lib/ticks.test.ts).
 */
export function holdTick(): void {
  const hook = createHook({
    init(_, type, __, resource) {
      if (type === 'TickObject') held.push(resource);
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
}
