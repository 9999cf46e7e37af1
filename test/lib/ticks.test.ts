import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '../../src/lib/garbage.ts';
import { holdTick } from '../../src/lib/ticks.ts';

/** The first tick that something queues, without a hold on it. */
function tickOf(work: () => void): WeakRef<object> {
  const ticks: WeakRef<object>[] = [];
  const hook = createHook({
    init(_, type, __, resource) {
      if (type === 'TickObject') ticks.push(new WeakRef(resource));
    },
  }).enable();
  work();
  hook.disable();
  const [first] = ticks;
  assert.ok(first);
  return first;
}

test('one tick outlives garbage collections, so that V8 does not forget the shape of ticks', async () => {
  const held = tickOf(holdTick);
  const other = tickOf(() => process.nextTick(() => {}));
  for (let n = 0; n < 3; n++) {
    await turn();
    collectGarbage();
  }
  assert.equal(other.deref(), undefined);
  assert.ok(held.deref());
});
