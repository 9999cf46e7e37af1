import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listKnownServers } from '../../src/store/servers.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { emptyApp, folder, startApp } from '../helpers.ts';
import { date } from '../stats/days.ts';
import { ownServers } from './asking.ts';

const YESTERDAY = TODAY - 1;

/** An application with visitors of yesterday, which is sealed, and of today. */
async function stage(t: TestContext) {
  const app = await startApp(t);
  const { owner, siteId } = app;
  const come = (day: number, count: number) =>
    appendTo(
      app.engine,
      Array.from({ length: count }, (_, visitor) => pageview({ siteId, day, visitor })),
    );
  await come(YESTERDAY, 20);
  await app.seal();
  await app.engine.keep();
  await come(TODAY, 12);
  return Object.assign(app, {
    ...ownServers(app),
    copy() {
      const path = join(folder(t), 'copy.db');
      app.db.run('VACUUM INTO ?', path);
      return path;
    },
    /** Another application over the same cluster, with a copy of a file. */
    startFrom: (from: string) => emptyApp(t, { engine: app.config.engine ?? '' }, { from }),
    come,
    /** The visitors of both days. */
    visitors: async () => {
      const path = `/sites/${siteId}/stats/timeseries?range=${date(YESTERDAY)}~${date(TODAY)}`;
      const { status, body } = await owner.ask('GET', path);
      return status === 200 ? body.data.points.map((one: { visitors: number }) => one.visitors) : body.error.code;
    },
    states: () => listKnownServers(app.db).map(({ state, reason }) => `${state} ${reason}`.trim()),
  });
}

const COMPLETE = ['complete', 'complete', 'complete', 'complete'];

test('rows of a site that the file never had stay, and those of a deleted site go', async (t) => {
  const app = await stage(t);
  await app.run(
    `INSERT INTO activity (site, day, seq, visitor, page) SELECT 999, ${TODAY}, 1, number, '/' FROM numbers(5)`,
  );
  const rowsOf = (site: number) => app.sum(`SELECT count() FROM activity WHERE site = ${site}`);
  await app.engine.seal();
  assert.equal(await rowsOf(999), 4 * 5);
  app.db.write(() => app.db.run('DELETE FROM site WHERE id = ?', app.siteId));
  await app.engine.sweep();
  assert.deepEqual([await rowsOf(999), await rowsOf(app.siteId)], [4 * 5, 0]);
});

test('a cluster is refused to the file of another installation, and loses nothing by that', async (t) => {
  const app = await stage(t);
  const count = () => app.sum('SELECT (SELECT count() FROM activity) + (SELECT count() FROM visit)');
  const before = await count();
  const { engine = '' } = app.config;
  await assert.rejects(emptyApp(t, { engine }), /has the hits of another daybook\.db; name that file with --db/);
  // Where it was made before there were marks, too.
  await app.run('TRUNCATE TABLE mark');
  await assert.rejects(emptyApp(t, { engine }), /has the hits of another daybook\.db/);
  assert.equal(await count(), before);
});

test('a cluster is refused to an older copy of its file, which does not know its sites or days', async (t) => {
  const app = await stage(t);
  const older = app.copy();
  await app.startFrom(older);
  app.site(app.owner, 'third.example');
  await app.engine.keep();
  await assert.rejects(
    app.startFrom(older),
    /has sites or sealed days that this daybook\.db does not know: it is an older copy/,
  );
});

test('a server that was emptied is left out, and the answers stay whole', async (t) => {
  const app = await stage(t);
  assert.deepEqual([app.states(), await app.visitors()], [COMPLETE, [20, 12]]);
  const [first, second] = app.hosts;
  await app.askAt(first ?? '', `DROP DATABASE ${app.database} SYNC`, 'default');
  await app.restart();
  assert.deepEqual(
    [app.states(), await app.visitors()],
    [
      ['lacking empty', ...COMPLETE.slice(1)],
      [20, 12],
    ],
  );
  await app.come(TODAY, 12);
  assert.deepEqual(await app.visitors(), [20, 12]);
  // While it runs: the last one that has the hits of the shard is never answered for by nobody.
  await app.askAt(second ?? '', 'TRUNCATE TABLE mark');
  await app.engine.keep();
  assert.deepEqual(app.states(), ['lacking empty', 'lacking empty', ...COMPLETE.slice(2)]);
  assert.equal(await app.visitors(), 'unavailable');
  await assert.rejects(
    app.startFrom(app.copy()),
    /no server of shard 1 has all its hits: .* has a new disk, or was emptied, /,
  );
});

test('a server with an older disk is left out', async (t) => {
  const app = await stage(t);
  const [first = ''] = app.hosts;
  await app.askAt(first, 'CREATE TABLE older AS mark');
  await app.askAt(first, 'INSERT INTO older SELECT * FROM mark ORDER BY beat DESC LIMIT 1');
  await app.engine.keep();
  await app.askAt(first, 'EXCHANGE TABLES older AND mark');
  await app.engine.keep();
  assert.deepEqual(
    [app.states(), await app.visitors()],
    [
      ['lacking restored', ...COMPLETE.slice(1)],
      [20, 12],
    ],
  );
});
