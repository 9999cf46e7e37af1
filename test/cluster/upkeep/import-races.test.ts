import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ImportContent } from '../../../src/engine/import-content.ts';
import { DAY, HOUR } from '../../../src/lib/time.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { date } from '../../stats/days.ts';
import { stageGates } from '../asking.ts';
import { stage } from '../collecting.ts';

/** More rows than numbers of a second, as a fast import sends them. */
const MANY = 20_000;

const content = (count: number): ImportContent => ({
  today: TODAY,
  texts: ['', '/imported'],
  days: [TODAY],
  readRows: () => rowsOf(count),
});

test('an import of many hits that replaces those of today leaves what collectors take after it', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/before');
  app.clock.pass(1);
  await app.engine.imports.add(app.siteId, content(MANY), { replace: true });
  assert.equal((await app.figures()).visitors, MANY);
  app.clock.pass(1);
  await one.view('/after');
  assert.equal((await app.figures()).visitors, MANY + 1);
});

test('an import of many hits that ends after midnight keeps all of them when its day is sealed', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/before');
  app.clock.pass(12 * HOUR + 60);
  await app.engine.imports.add(app.siteId, content(MANY), { replace: false });
  app.clock.pass(1);
  await one.look();
  assert.equal(await app.seal(), 1);
  assert.equal((await app.figures()).visitors, MANY + 1);
});

test('an import whose rows would get numbers that were sealed already is refused, and counts a moment later', async (t) => {
  const app = await stage(t);
  // A day with only heartbeats is sealed without visits.
  await appendTo(app.engine, [pageview({ siteId: app.siteId, engaged: 5 })]);
  app.clock.pass(12 * HOUR + 60);
  assert.equal(await app.seal(), 0);
  app.clock.pass(1);
  const add = (today: number) => app.engine.imports.add(app.siteId, { ...content(MANY), today }, { replace: false });
  await assert.rejects(add(TODAY), /was sealed just now\. Nothing was imported\. Import the file again/);
  // The file is read again after midnight.
  await add(TODAY + 1);
  assert.equal((await app.figures()).visitors, MANY);
  app.clock.pass(2 * 60);
  await app.engine.upkeep.sweep();
  assert.equal((await app.figures()).visitors, MANY);
});

async function stageSealing(t: TestContext) {
  const app = await stageGates(t);
  return {
    ...app,
    /** Seals while something else happens between the choice of the rows and their visits. */
    async sealDuring(happen: () => Promise<unknown>) {
      let happened: Promise<unknown> | undefined;
      app.watch(async (sql, when) => {
        if (when === 'before' && sql.startsWith('INSERT INTO visit')) {
          happened ??= happen();
          await happened;
        }
        return false;
      });
      assert.equal(await app.seal(), 1);
      app.watch(undefined);
      assert.ok(happened);
    },
    visitorsToday: async () => {
      const { body } = await app.owner.ask(
        'GET',
        `/sites/${app.siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`,
      );
      return body.data.visitors;
    },
  };
}

test('an import that is shown while its day is being sealed counts, then and after the next night', async (t) => {
  const app = await stageSealing(t);
  app.clock.pass(DAY);
  await app.sealDuring(() => app.engine.imports.add(app.siteId, content(7), { replace: false }));
  assert.equal(await app.visitorsToday(), 19);
  assert.equal(await app.seal(), 0);
  assert.equal(await app.visitorsToday(), 19);
});

test('an import that begins and ends while its day is being sealed counts, and leaves no row', async (t) => {
  const app = await stageSealing(t);
  // The file was read before midnight.
  app.clock.pass(12 * HOUR + 60);
  await app.sealDuring(async () => {
    app.clock.pass(1);
    await app.engine.imports.add(app.siteId, content(7), { replace: false });
  });
  assert.equal(await app.visitorsToday(), 19);
  app.clock.pass(2 * 60);
  await app.engine.upkeep.sweep();
  assert.equal(await app.visitorsToday(), 19);
  assert.equal(await app.sum('SELECT count() FROM activity'), 0);
});

test('removing an import says that its hits of a day that was sealed since stay', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/before');
  await app.engine.imports.add(app.siteId, content(5), { replace: true });
  const id = await app.engine.imports.add(app.siteId, content(7), { replace: true });
  app.clock.pass(DAY);
  await one.look();
  assert.equal(await app.seal(), 1);
  assert.equal((await app.figures()).visitors, 7);
  app.clock.pass(2 * 60);
  await app.engine.upkeep.sweep();
  await appendTo(app.engine, [pageview({ siteId: app.siteId })]);
  assert.equal((await app.figures()).visitors, 8);
  assert.equal(await app.engine.imports.remove(app.siteId, id), TODAY);
  assert.equal((await app.figures()).visitors, 8);
  app.clock.pass(DAY);
  await one.look();
  assert.equal(await app.seal(), 1);
  assert.equal((await app.figures()).visitors, 8);
});

test('an import that is removed while its day is being sealed counts no more', async (t) => {
  const app = await stageSealing(t);
  const id = await app.engine.imports.add(app.siteId, content(7), { replace: false });
  app.clock.pass(DAY);
  await app.sealDuring(() => app.engine.imports.remove(app.siteId, id));
  assert.equal(await app.visitorsToday(), 12);
  assert.equal(await app.seal(), 0);
  assert.equal(await app.visitorsToday(), 12);
});
