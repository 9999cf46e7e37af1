import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import type { Cluster } from '../../../src/api/cluster.ts';
import { checkServers } from '../../../src/doctor/servers.ts';
import { DAY, seconds } from '../../../src/lib/time.ts';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { findUndecided, listDivisions } from '../../../src/store/cluster/divisions.ts';
import { findTrustedDay } from '../../../src/store/server/clock-trust.ts';
import { begin, hereOn } from '../../cli/here.ts';
import { TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { emptyApp, folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { nameOf, stageGrowth, stageUndecided, startServers } from '../growing.ts';
import type { Server } from '../servers.ts';

test('add-shard: a cluster grows from one shard to three while hits come in, and answers as a file on each day', async (t) => {
  const app = await stageGrowth(t, { spares: 2 });
  const [, second, third] = [app.own[0], ...app.spares];
  assert.ok(second && third);
  const start = app.today();
  await app.come(start, 20);
  // The first time zone is in the next day already. So the division begins a day later.
  const grown = await app.comeWhile(() => app.command('add-shard', nameOf(second)));
  const said = (day: number, shards: number) =>
    `from ${date(day)} on, visitors are divided among ${shards} shards. Earlier days stay where they are`;
  assert.deepEqual(grown.printed, [said(start + 2, 2)]);
  assert.deepEqual(app.states(), ['1 complete', '2 complete']);
  const listed = (await hereOn(app, 'cluster')).printed.map((line) => line.replace(/^\S+ +/, ''));
  assert.deepEqual(listed, [
    '1      complete  complete',
    `2      complete  complete. It gets hits of days from ${date(start + 2)} on`,
  ]);
  await app.assertEqual();
  for (const [day, onSecond] of [
    [start + 1, 0],
    [start + 2, 20],
  ] as const) {
    app.pass(DAY);
    await app.come(day, 20);
    assert.equal(await app.count(second, 'activity', `day = ${day}`), onSecond);
    await app.assertEqual();
    await app.sealBoth();
    await app.assertEqual();
  }
  const again = await app.command('add-shard', nameOf(third));
  assert.deepEqual(again.printed, [said(start + 4, 3)]);
  // Late hits of former days go where the others of these days are.
  for (const day of [start + 1, start + 2]) await app.come(day, 10, 15);
  assert.deepEqual(
    await Promise.all(app.spares.map((one) => app.count(one, 'activity', `day <= ${start + 1}`))),
    [0, 0],
  );
  for (let n = 0; n < 2; n++) {
    app.pass(DAY);
    await app.come(app.today(), 30);
    await app.assertEqual();
    await app.sealBoth();
    await app.assertEqual();
  }
  assert.equal(await app.count(third, 'activity', `day = ${start + 4} AND visitor % 3 = 2`), 20);
  assert.deepEqual(listDivisions(app.db), [
    { day: 0, shards: 1 },
    { day: start + 2, shards: 2 },
    { day: start + 4, shards: 3 },
  ]);
  // The option --engine names only the first server.
  await app.restart();
  await app.come(app.today(), 10, 40);
  await app.assertEqual();
  const repeated = await app.command('add-shard', nameOf(third));
  assert.deepEqual(repeated.printed, again.printed);
});

test('add-shard: a collector that is away keeps the division back, and no visitor is on two shards', async (t) => {
  const { own, spares, address, count } = await startServers(t);
  const app = await stage(t, { engine: address });
  const [present, away] = [await app.collector('present', { ack: 'disk' }), await app.collector('away')];
  const looks = async (...some: { look(): Promise<void> }[]) => {
    for (const one of [...some, ...some]) {
      // The primary reads its settings again after half a second.
      app.clock.pass(1);
      await one.look();
    }
  };
  const [first, second] = [own[0], spares[0]];
  assert.ok(first && second);
  await looks(present, away);
  await away.view('/early');
  mock.timers.setTime(app.clock.now());
  const { done, explained } = begin(app, 'cluster', 'add-shard', nameOf(second));
  await until('the primary knows the server', () => listServers(app.db).length === 2);
  await looks(present);
  await until('the collector is named', () =>
    explained.some((line) => line === 'waiting for collectors to confirm: away'),
  );
  const proposed = findUndecided(app.db)?.day ?? 0;
  assert.equal(proposed, TODAY + 2);
  const examine = async () =>
    (await checkServers(app.db, app.engine.upkeep, seconds(app.clock))).says.map(({ code }) => code);
  assert.deepEqual(await examine(), ['division_waits']);
  mock.timers.tick(11_000);
  await until('the operator is told what to do', () =>
    explained.some((line) => line.includes('No contact with: away. Start each of these. If the disk')),
  );
  const { body } = await app.owner.ask('GET', '/cluster');
  assert.deepEqual(
    (body.data as Cluster).servers.map(({ finding }) => finding.says),
    ['complete', 'complete. It gets hits once all collectors know it'],
  );
  app.clock.pass(2 * DAY);
  // The one does not know of the division, and the other has promised to hold its hits.
  await away.view('/divided');
  await present.view('/held');
  const pageviews = async () => (await app.figures(proposed)).pageviews;
  assert.equal(await pageviews(), 1);
  await looks(away, present);
  assert.deepEqual((await done).printed, [
    `from ${date(proposed + 2)} on, visitors are divided among 2 shards. Earlier days stay where they are`,
  ]);
  assert.ok(!(await examine()).includes('division_waits'));
  await looks(present, away);
  await until('held hits are there', async () => (await pageviews()) === 2);
  assert.equal(await count(second), 0, 'a day that one collector has divided already stays where it is');
  app.clock.pass(2 * DAY);
  await looks(present, away);
  await away.view('/one');
  await present.view('/two');
  await until('both count', async () => (await app.figures(proposed + 2)).pageviews === 2);
  assert.equal((await app.figures(proposed + 2)).visitors, 1);
  const rows = await Promise.all([first, second].map((one) => count(one, 'activity', `day = ${proposed + 2}`)));
  assert.deepEqual(rows.toSorted(), [0, 2]);
});

test('add-shard: refuses servers that have data or do not respond, and changes nothing', async (t) => {
  const app = await stageGrowth(t, { spares: 2 });
  const [stranger, empty] = app.spares;
  assert.ok(stranger && empty && app.own[0]);
  await startApp(t, { engine: app.address.replace(nameOf(app.own[0]), nameOf(stranger)) });
  const refused = async (pattern: RegExp, ...words: string[]) => await assert.rejects(app.command(...words), pattern);
  const add = 'add-shard';
  await refused(/has data in the database own\. Name an empty server/, add, nameOf(stranger));
  await refused(/has data in the database own/, add, `${nameOf(empty)},${nameOf(stranger)}`);
  await refused(/Start ClickHouse there, and run the command again/, add, '127.0.0.1:2');
  await refused(/is in shard 1 of the cluster already/, add, nameOf(app.own[0]));
  await refused(/"a b" is not a host with a port/, add, 'a b');
  assert.deepEqual([app.states(), findUndecided(app.db)], [['1 complete'], undefined]);
  const { printed } = await app.command(add, nameOf(empty));
  assert.equal(printed.length, 1);
});

test('add-shard: an older copy of the file, which does not know the shard, is refused', async (t) => {
  const app = await stageGrowth(t);
  await app.come(app.today(), 5);
  const older = join(folder(t), 'older.db');
  app.db.run('VACUUM INTO ?', older);
  await app.command('add-shard', nameOf(app.spares[0] as Server));
  await assert.rejects(
    emptyApp(t, { engine: app.address }, { from: older }),
    /belongs to a cluster of 2 shards, but this daybook\.db knows 1\. The file is an old backup/,
  );
});

test('add-shard: a shard whose division is not decided yet can be taken back, and a later one cannot', async (t) => {
  const { app, collector, adding, first, spare } = await stageUndecided(t);
  await assert.rejects(hereOn(app, 'cluster', 'add-shard', '127.0.0.1:2'), /does not answer|Start ClickHouse there/);
  const { printed } = await hereOn(app, 'cluster', 'remove', nameOf(spare));
  assert.deepEqual(printed, [`http://${nameOf(spare)}/ is removed. You can turn it off`]);
  await assert.rejects(adding.done, /shard 2 was removed. Run the command again to add it/);
  app.clock.pass(1);
  await collector.view('/a');
  assert.deepEqual([(await app.figures()).pageviews, listServers(app.db).length], [1, 1]);
  await assert.rejects(
    hereOn(app, 'cluster', 'remove', nameOf(first)),
    /is the only server of shard 1. A shard that has/,
  );
});

test('add-shard: a collector whose clock was far ahead keeps the division back, and the operator is told', async (t) => {
  const { app, collector, adding } = await stageUndecided(t);
  const day = findUndecided(app.db)?.day ?? 0;
  const hold = JSON.stringify({ day, from: day + 40 });
  app.db.write(() => app.db.run("UPDATE collector SET status = json_set(status, '$.hold', json(?))", hold));
  await until('the operator is told what to do', () =>
    adding.explained.some((line) => /ahead on: one\. Run daybook collectors retire NAME for each/.test(line)),
  );
  assert.ok(!adding.explained.some((line) => line.includes('No contact')));
  for (let i = 0; i < 2; i++) {
    // The primary reads its settings again after half a second.
    app.clock.pass(1);
    await collector.look();
  }
  assert.equal((await adding.done).printed.length, 1);
});

test('add-shard: a clock that is years ahead is refused, because a decided day cannot be taken back', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  const leap = () => mock.timers.setTime(app.clock.now() + 40 * 365 * DAY * 1000);
  leap();
  await assert.rejects(
    hereOn(app, 'cluster', 'add-shard', nameOf(spare)),
    /this machine says it is 2066-02-28, but the last day seen is 2026-03-10\. Set the clock.* run daybook seal --trust-clock/,
  );
  await app.command('add-shard', nameOf(spare));
  assert.deepEqual(app.states(), ['1 complete', '2 complete']);
  leap();
  const { printed } = await hereOn(app, 'seal', '--trust-clock');
  assert.deepEqual(printed, ['the clock is trusted. The running server seals the past days']);
  assert.equal(findTrustedDay(app.db), Math.floor(Date.now() / (DAY * 1000)));
});

test('add-shard: imports of days before and after the division count as in a file', async (t) => {
  const app = await stageGrowth(t);
  const [second] = app.spares;
  assert.ok(second);
  const start = app.today();
  await app.command('add-shard', nameOf(second));
  app.pass(3 * DAY);
  const days = [start, start + 1, start + 2];
  const lines = [...days, app.today()].flatMap((day) =>
    Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({
        at: `${date(day)}T09:00:${10 + n}Z`,
        url: `https://example.com/${n % 3}`,
        visitor: `v${n % 20}`,
      }),
    ),
  );
  const file = join(folder(t), 'hits.ndjson');
  writeFileSync(file, lines.join('\n'));
  mock.timers.setTime(app.clock.now());
  for (const one of [app, app.twin]) await hereOn(one, 'import', 'example.com', file, '--format', 'ndjson');
  await app.come(app.today(), 10);
  await app.assertEqual();
  const visits = (day: number) => app.count(second, 'visit', `day = ${day}`);
  assert.deepEqual([await visits(start), await visits(start + 1)], [0, 0]);
  assert.ok(((await visits(start + 2)) ?? 0) > 0, 'days after the division are divided');
  app.pass(DAY);
  await app.sealBoth();
  await app.assertEqual();
});

test('add-shard: both replicas of a new shard get its hits, and one answers when the other is down', async (t) => {
  const app = await stageGrowth(t, { spares: 2 });
  const [one, two] = app.spares;
  assert.ok(one && two);
  await app.command('add-shard', `${nameOf(one)},${nameOf(two)}`);
  app.pass(2 * DAY);
  await app.come(app.today(), 20);
  assert.deepEqual(await Promise.all([one, two].map((server) => app.count(server))), [20, 20]);
  await one.kill();
  await app.come(app.today(), 10, 20);
  await app.assertEqual();
  assert.deepEqual(app.states(), ['1 complete', '2 complete', '2 complete']);
});
