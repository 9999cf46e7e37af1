import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLater } from '../../src/api/audit.ts';
import { addChangeOfAll, findLastChange, listChanges } from '../../src/store/sites/changes.ts';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { NOON, startApp } from '../support/helpers.ts';

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

test('changes: work that takes long is told of on its own site only', async (t) => {
  const app = await startApp(t);
  const { db, owner, siteId, strangerSiteId } = app;
  const last = findLastChange(db);
  const record = recordLater(
    {
      ...{ api: { clock: app.clock }, db, site: { id: siteId, account_id: owner.accountId, domain: 'example.com' } },
      caller: { by: 'guest', email: owner.email, accountId: owner.accountId },
    } as unknown as Parameters<typeof recordLater>[0],
    { action: 'add', noun: 'imports', name: 'hits.csv' },
  );
  for (const id of [siteId, strangerSiteId])
    db.write(() => addChangeOfAll(db, { siteId: id, now: NOON / 1000, reason: 'import_added', name: 'hits.csv' }));
  record(last);
  const who = (id: number) =>
    listChanges(db, id, { from: 0, to: TODAY, after: last, limit: 9 }).map(({ by }) => by?.email);
  assert.deepEqual([who(siteId), who(strangerSiteId)], [[owner.email], [undefined]]);
});
