import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { DAY } from '../../../src/lib/time.ts';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { findInstallation } from '../../../src/store/cluster/installation.ts';
import { begin, hereOn } from '../../cli/here.ts';
import { until } from '../../support/program.ts';
import { differences } from '../books.ts';
import { DATABASE, nameOf, stageGrowth } from '../growing.ts';
import { rowsOn, type Server } from '../servers.ts';

type Stage = Awaited<ReturnType<typeof stageGrowth>>;

/** A sealed day, an open one, and all of its servers. */
async function stage(t: Parameters<typeof stageGrowth>[0], size: Parameters<typeof stageGrowth>[1]) {
  const app = await stageGrowth(t, size);
  await app.come(app.today(), 20);
  app.pass(DAY);
  await app.sealBoth();
  await app.come(app.today(), 10);
  return app;
}

const places = ({ db }: Stage) => listServers(db).map(({ url, shard, replica }) => `${url} ${shard}/${replica}`);

/** A server has what the others of its shard have. */
const assertAlike = async (...some: Server[]) =>
  assert.deepEqual(
    await differences(
      some.map((one) => ({ ...one, shard: 0 })),
      DATABASE,
    ),
    [],
  );

test('add-replica: an empty server gets everything while hits come in, and answers when the other is down', async (t) => {
  const app = await stage(t, { spares: 1 });
  const [first, spare] = [app.own[0], app.spares[0]];
  assert.ok(first && spare);
  const { printed } = await app.comeWhile(() => app.command('add-replica', nameOf(spare), '--shard', '1'));
  assert.deepEqual(printed, [`http://${nameOf(spare)}/ has everything`]);
  assert.deepEqual(app.states(), ['1 complete', '1 complete']);
  await app.come(app.today(), 5, 50);
  await assertAlike(first, spare);
  await app.assertEqual();
  await first.kill();
  await app.come(app.today(), 5, 60);
  await app.assertEqual();
  // The option --engine names only the server that is down.
  await app.restart();
  await app.come(app.today(), 5, 70);
  await app.assertEqual();
  const repeated = await app.command('add-replica', nameOf(spare), '--shard', '1');
  assert.deepEqual(repeated.printed, printed);
});

test('add-replica: what was stopped in the middle goes on when it is repeated', async (t) => {
  const app = await stage(t, { spares: 1 });
  const [first, spare] = [app.own[0], app.spares[0]];
  assert.ok(first && spare);
  const words = ['cluster', 'add-replica', nameOf(spare), '--shard', '1'];
  const own = begin(app, ...words);
  await until('the server is noted', () => app.states().length === 2);
  own.stop();
  await own.done;
  await app.restart();
  const { printed } = await app.comeWhile(() => begin(app, ...words).done);
  assert.deepEqual(printed, [`http://${nameOf(spare)}/ has everything`]);
  await assertAlike(first, spare);
  await app.assertEqual();
});

test('add-replica: a shard that is not there is refused', async (t) => {
  const app = await stageGrowth(t, { spares: 1 });
  const name = nameOf(app.spares[0] as Server);
  for (const shard of ['0', '2', 'x', '1.5'])
    await assert.rejects(app.command('add-replica', name, '--shard', shard), /--shard takes a number from 1 to 1/);
  assert.equal(app.states().length, 1);
});

test('commands of a cluster: what is missing or not needed is said', async (t) => {
  const app = await stageGrowth(t, { spares: 0 });
  const name = nameOf(app.own[0] as Server);
  const withoutEngine = { config: { ...app.config, engine: undefined } };
  await assert.rejects(hereOn(withoutEngine, 'cluster', 'remove', name), /name the cluster with --engine or/);
  await assert.rejects(app.command('accept', name), /is complete\. There is nothing to accept/);
  await assert.rejects(
    app.command('add-replica', 'nowhere.invalid', '--shard', '1'),
    /Write the HTTP port too, such as nowhere\.invalid:8123/,
  );
  assert.deepEqual((await app.command('unknown')).printed, ['the file knows all rows on the cluster']);
});

test('remove: a replica goes while hits come in, and its place is never given again', async (t) => {
  const app = await stage(t, { replicas: 2, spares: 1 });
  const [second, first] = app.own;
  const [spare] = app.spares;
  assert.ok(first && second && spare);
  const before = places(app);
  const { printed } = await app.comeWhile(() => app.command('remove', nameOf(first)));
  assert.deepEqual(printed, [`http://${nameOf(first)}/ is removed. You can turn it off`]);
  assert.deepEqual(places(app), before.slice(0, 1));
  await app.come(app.today(), 5, 50);
  await app.assertEqual();
  await assert.rejects(app.command('remove', nameOf(second)), /is the only server of shard 1/);
  assert.equal(await app.count(first, 'mark'), 0);
  // As if the first command had been killed before it deleted the mark. Then another installation takes the server.
  const { name = '' } = findInstallation(app.db) ?? {};
  for (const installation of [name, 'another'])
    await rowsOn(first, DATABASE, `INSERT INTO mark (installation, beat, place) SELECT '${installation}', 9, '0/1'`);
  const again = await app.command('remove', nameOf(first));
  assert.equal(await app.count(first, 'mark', "installation = 'another'"), 1);
  assert.equal(await app.count(first, 'mark'), 1);
  assert.deepEqual(again.printed, [`${nameOf(first)} was removed already`]);
  // The option --engine still names it, and so does the configuration of ClickHouse.
  await app.restart();
  assert.ok(app.log.some((line) => line.includes('names a server that was removed')));
  await app.come(app.today(), 5, 60);
  await app.assertEqual();
  await app.command('add-replica', nameOf(spare), '--shard', '1');
  assert.equal(places(app)[1], `http://${nameOf(spare)}/ 0/2`);
  await assertAlike(second, spare);
  await assert.rejects(app.command('add-replica', nameOf(first), '--shard', '1'), /has data in the database own/);
});

test('remove: a server that does not respond goes, and its hits wait no longer', async (t) => {
  const app = await stage(t, { replicas: 2, spares: 0 });
  const [first, second] = app.own;
  assert.ok(first && second);
  await first.kill();
  await app.come(app.today(), 5, 50);
  await assert.rejects(app.command('remove', nameOf(second)), /no other server of shard 1 has everything and responds/);
  await app.command('remove', nameOf(first));
  await app.come(app.today(), 5, 60);
  await app.assertEqual();
  const outbox = new Database(`${app.config.db}.outbox`, { readonly: true });
  t.after(() => outbox.close());
  const count = () => outbox.prepare('SELECT count(*) FROM piece').pluck().get();
  await until('no hit waits', () => count() === 0);
});

test('replace: a new server takes the place of an old one while hits come in', async (t) => {
  const app = await stage(t, { spares: 1 });
  const [old, fresh] = [app.own[0], app.spares[0]];
  assert.ok(old && fresh);
  const { printed } = await app.comeWhile(() => app.command('replace', nameOf(old), nameOf(fresh)));
  assert.deepEqual(printed, [
    `http://${nameOf(fresh)}/ has everything`,
    `http://${nameOf(old)}/ is removed. You can turn it off`,
  ]);
  await old.kill();
  await app.come(app.today(), 5, 50);
  await app.assertEqual();
  app.pass(DAY);
  await app.sealBoth();
  await app.assertEqual();
  await app.restart();
  await app.come(app.today(), 5, 60);
  await app.assertEqual();
  const again = await app.command('replace', nameOf(old), nameOf(fresh));
  assert.deepEqual(again.printed, [`${nameOf(old)} was replaced by ${nameOf(fresh)} already`]);
  await assert.rejects(app.command('replace', nameOf(fresh), nameOf(fresh)), /is in shard 1 of the cluster already/);
});
