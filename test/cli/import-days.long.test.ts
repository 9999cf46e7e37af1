import assert from 'node:assert/strict';
import { test } from 'node:test';
import { started, visitors } from './importing.ts';

test('while a file is brought in the server answers and takes hits as ever', async (t) => {
  const { bring, serve } = await started(t);
  const { days, view, get } = await serve();
  await view();
  const counts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [n + 1, 1_500]));
  let over = false;
  const importing = bring(visitors(counts)).finally(() => {
    over = true;
  });
  const statuses: number[] = [];
  let taken = 1;
  let during = 0;
  while (!over) {
    const [hit, answer] = await Promise.all([view(`/${taken}`), get('stats/overview?range=30d')]);
    statuses.push(hit.status, answer.status);
    taken++;
    const { data } = (await answer.json()) as { data: { pageviews: number } };
    // All of it or nothing, at any moment.
    const live = data.pageviews < 30_000 ? data.pageviews : data.pageviews - 30_000;
    assert.ok(live <= taken, `${data.pageviews} pageviews`);
    during++;
  }
  assert.deepEqual((await importing).stderr, '');
  t.diagnostic(`asked ${during} times`);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 202]);
  assert.deepEqual(await days(), { 0: 1, ...counts });
  const { data } = (await (await get('stats/overview?range=today')).json()) as { data: { pageviews: number } };
  assert.equal(data.pageviews, taken);
});
