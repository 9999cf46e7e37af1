import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberVisitors } from '../../src/collect/active-visitors.ts';
import type { Reason } from '../../src/collect/outcome.ts';
import { MIDNIGHT, stage, visitorsOf } from './collecting.ts';
import { AMERICAN, IPHONE, pageview, storedDrops } from './stage.ts';

test('engagement counts for as long as the visit is running: 1,800 seconds and not one more', async (t) => {
  const { take, engage, pass, hits, db } = stage(t);
  assert.equal(await engage(1), 'no-visit');
  await take();
  pass(1_800);
  assert.equal(await engage(5), undefined);
  pass(1_800);
  assert.equal(await engage(5), undefined, 'it counts as activity itself');
  pass(1_801);
  assert.equal(await engage(5), 'no-visit');
  assert.equal(await engage(5), 'no-visit', 'and what is dropped does not');
  await take();
  pass(1);
  assert.equal(await engage(1), undefined);
  assert.deepEqual(
    hits().map(({ engaged, second }) => [engaged, second - 43_200]),
    [
      [null, 0],
      [5, 1_800],
      [5, 3_600],
      [null, 5_401],
      [1, 5_402],
    ],
  );
  await take();
  assert.deepEqual(storedDrops(db(), 1), { 'no-visit': 3 });
});

test('engagement is kept with its visitor and page, and has nothing else of a hit', async (t) => {
  const { take, engage, pass, hits, last } = stage(t);
  await take({ url: 'https://site1.example/a?utm_source=x', referrer: 'https://x.org/' });
  pass(60);
  assert.equal(await engage(30.4, { url: 'https://www.site1.example/a/?utm_source=x#b' }), undefined);
  assert.deepEqual(last(), pageview({ second: 43_260, visitor: hits()[0]?.visitor ?? 0, engaged: 30, page: '/a' }));
});

test('nobody has looked for longer than since the visitor was last active', async (t) => {
  const { take, engage, pass, last } = stage(t);
  await take();
  const kept = async (passed: number, claimed: number): Promise<number | null> => {
    pass(passed);
    assert.equal(await engage(claimed), undefined);
    return last().engaged;
  };
  assert.equal(await kept(60, 60), 60);
  assert.equal(await kept(60, 0), 0);
  assert.equal(await kept(60, 0.4), 0);
  // One second more, because the times of both are cut to seconds.
  for (const claimed of [61, 62, 1_000, 1e9, 1e300]) assert.equal(await kept(60, claimed), 61);
  assert.equal(await kept(0, 1e9), 1);
  assert.equal(await kept(1_800, 1e9), 1_801);
});

test('engagement belongs to the visitor of the site, and ends at midnight', async (t) => {
  const { take, engage, pass, hits } = stage(t);
  const second = { site: 'site2.example', url: 'https://site2.example/' };
  pass(MIDNIGHT - 10);
  await take();
  assert.equal(await engage(1, second), 'no-visit');
  assert.equal(await engage(1, {}, { address: AMERICAN }), 'no-visit');
  assert.equal(await engage(1, {}, { agent: IPHONE }), 'no-visit');
  assert.equal(await engage(1, { url: 'https://site2.example/' }), 'foreign-host');
  assert.equal(await engage(1, { site: 'site3.example' }), 'unknown-site');
  pass(9);
  assert.equal(await engage(1), undefined);
  pass(1);
  assert.equal(await engage(1), 'no-visit');
  assert.equal(hits().length, 2);
});

test('a restart knows the visits that are running, and those that are not', async (t) => {
  const { take, engage, pass, restart } = stage(t);
  await take({}, { address: AMERICAN });
  pass(1_000);
  await take();
  pass(801);
  restart();
  assert.equal(await engage(1, {}, { address: AMERICAN }), 'no-visit');
  assert.equal(await engage(1), undefined);
  pass(1_800);
  restart();
  assert.equal(await engage(1), undefined, 'engagement was the last sign of life');
  pass(1_801);
  restart();
  assert.equal(await engage(1), 'no-visit');
});

test('a hit that a server passes on belongs to the visit that is running', async (t) => {
  const staged = stage(t);
  const { take, takePassed, engage, pass } = staged;
  await takePassed(1_790);
  assert.equal(await engage(1), undefined);
  pass(1_800);
  assert.equal(await engage(1), undefined);
  await take();
  assert.deepEqual(new Set(visitorsOf(staged)), new Set([0]));
  await takePassed(1_801, { address: AMERICAN });
  assert.equal(await engage(1, {}, { address: AMERICAN }), 'no-visit');
});

test('a hit of earlier in the day that comes late does not end the visit that is running', async (t) => {
  const { take, takePassed, engage, pass } = stage(t);
  await take();
  await takePassed(7_200);
  pass(10);
  assert.equal(await engage(5), undefined);
});

test('a hit of earlier in the day that comes first after a restart lets no running visit be forgotten', async (t) => {
  const { take, takePassed, engage, pass, restart } = stage(t);
  await take();
  restart();
  await takePassed(3 * 3_600, { address: AMERICAN });
  pass(10);
  assert.equal(await engage(5), undefined);
});

test('visits that begin one after the other all run for as long as they should', async (t) => {
  const { take, engage, pass, hits } = stage(t);
  // One begins every 300 s, and each shows a sign of life after 1,500 s, 1,800 s later, and too late after that.
  const outcomes: Record<number, Reason | undefined> = { 1500: undefined, 3300: undefined, 5400: 'no-visit' };
  for (let now = 0; now <= 9_000; now += 300) {
    await take({}, { address: `192.0.2.${now / 300}` });
    for (const [after, outcome] of Object.entries(outcomes)) {
      const begun = now - Number(after);
      if (begun < 0) continue;
      assert.equal(await engage(1, {}, { address: `192.0.2.${begun / 300}` }), outcome, `${begun} at ${now}`);
    }
    pass(300);
  }
  assert.equal(hits().filter(({ engaged }) => engaged !== null).length, 26 + 20);
});

test('where several machines take hits, a start asks for no visitors, and nobody is remembered', () => {
  const asked = () => assert.fail('two million recent visitors would be 783 MB');
  const clock = { now: () => 0, tick: () => 0 };
  const active = rememberVisitors({ listActive: asked, isShared: true }, clock);
  active.touch(1, 100);
  for (const visitor of [1, 2]) {
    assert.deepEqual(active.engaged(visitor, 110, 5), { engaged: 5, isClaimed: true });
    assert.deepEqual(active.engaged(visitor, 110, 1e9), { engaged: 1_800, isClaimed: true });
  }
});
