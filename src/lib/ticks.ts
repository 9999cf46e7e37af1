import { createHook } from 'node:async_hooks';

const held: object[] = [];

/**
 * Keeps one tick (an object of process.nextTick) as long as the process lives. If a garbage collection finds no tick,
 * V8 loses its optimization for ticks. Then each of the six ticks of a request takes eight times as long
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
