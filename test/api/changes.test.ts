import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { startApp } from '../support/helpers.ts';

const CHANGES = 60;
const [BEFORE, AFTER] = [3, 1].map((times) => ({
  ...{ visitors: 10 * times, visits: 20 * times, pageviews: 40 * times, events: times },
}));

test('changes: a long list is added up exactly, and other requests get a turn meanwhile', async (t) => {
  const { db, siteId, viewer } = await startApp(t);
  const first = TODAY - 30;
  db.write(() => {
    for (let i = 0; i < CHANGES; i++) {
      const sql = `INSERT INTO change (site_id, at, reason, name, from_day, to_day, state)
        VALUES (?, 1, 'exclusion_added', 'bots', ?, ?, 'counted')`;
      const { id } = db.run(sql, siteId, first, TODAY);
      for (let day = first; day < TODAY; day++) {
        const figures = [BEFORE, AFTER].map((own) => JSON.stringify(own));
        db.run('INSERT INTO change_day (change_id, day, before, after) VALUES (?, ?, ?, ?)', id, day, ...figures);
      }
    }
  });
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  const range = `${date(TODAY - 10)}~${date(TODAY - 1)}`;
  const { body } = await viewer.ask('GET', `/sites/${siteId}/changes?range=${range}&limit=200`);
  isOver = true;
  assert.ok(turns >= CHANGES, `${turns} turns`);
  assert.equal(body.data.changes.length, CHANGES);
  for (const { days, before, after } of body.data.changes) {
    assert.equal(days, 10);
    assert.deepEqual(before, { visitors: 300, visits: 600, pageviews: 1_200, events: 30 });
    assert.deepEqual(after, { visitors: 100, visits: 200, pageviews: 400, events: 10 });
  }
});
