import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ImportContent } from '../../../src/engine/import-content.ts';
import { DAY } from '../../../src/lib/time.ts';
import { addExclusion } from '../../../src/store/sites/exclusions.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { date } from '../../stats/days.ts';
import { folder } from '../../support/helpers.ts';
import { makesToday, stageGates } from '../asking.ts';
import { stage as stageCollectors } from '../collecting.ts';

/* Copies of open days, from which the primary answers in place of ClickHouse. */

/** A code of a visitor whose six bytes are found in a file. */
const CODE = 0x12_34_56_78_9a_bc;
const BYTES = Buffer.from('123456789abc', 'hex');

/** An application on the tests' cluster, and how it answers about today. */
async function stage(t: TestContext) {
  const app = await stageGates(t);
  const { owner, siteId, engine, config } = app;
  const file = `${config.db}.open-days`;
  let made = 0;
  app.watch((sql, when) => {
    if (when === 'before' && makesToday(sql)) made++;
    return false;
  });
  return {
    ...app,
    file,
    async visitors(day = TODAY) {
      const { body } = await owner.ask('GET', `/sites/${siteId}/stats/overview?range=${date(day)}~${date(day)}`);
      return body.data.visitors as number;
    },
    /** How often ClickHouse made visits meanwhile. */
    async madeBy(work: () => Promise<unknown>): Promise<number> {
      made = 0;
      await work();
      return made;
    },
    comeWith: (visitor: number, day = TODAY) => appendTo(engine, [pageview({ siteId, day, visitor })]),
    hasCode: () => [file, `${file}-wal`].some((path) => existsSync(path) && readFileSync(path).includes(BYTES)),
    async tidy() {
      app.clock.pass(120);
      await engine.upkeep.sweep();
    },
  };
}

const content = (day: number, count: number): ImportContent => ({
  today: TODAY,
  texts: ['', '/imported'],
  days: [day],
  readRows: () => rowsOf(count, { page: 1 }),
});

test('copies of open days: today is answered from its copy, with the hits, exclusions and losses that come', async (t) => {
  const { visitors, madeBy, comeWith, db, siteId, clock, run } = await stage(t);
  assert.equal(await visitors(), 12);
  const made = await madeBy(async () => {
    for (let more = 1; more <= 3; more++) {
      await comeWith(1000 + more);
      assert.equal(await visitors(), 12 + more);
    }
    const none = { note: '', applied: {}, to: null };
    const filters = { pageviews: { is: [1] } };
    db.write(() => addExclusion(db, siteId, { ...none, from: TODAY, filters }, Math.floor(clock.now() / 1000)));
    assert.equal(await visitors(), 0);
    db.write(() => db.run('DELETE FROM exclusion'));
    assert.equal(await visitors(), 15);
  });
  assert.equal(made, 0);
  await run('ALTER TABLE activity DELETE WHERE visitor = 3 SETTINGS mutations_sync = 1');
  assert.equal(await visitors(), 14);
  assert.equal(await visitors(), 14);
});

test('copies of open days: imports into today, and hits that come late, count once', async (t) => {
  const { visitors, comeWith, engine, siteId, seal, owner, clock } = await stage(t);
  assert.equal(await visitors(), 12);
  const id = await engine.imports.add(siteId, content(TODAY, 3), { replace: false });
  assert.equal(await visitors(), 15);
  await engine.imports.add(siteId, content(TODAY, 2), { replace: true });
  assert.equal(await visitors(), 2);
  clock.pass(1);
  await comeWith(5001);
  assert.equal(await visitors(), 3);
  for (const one of await engine.imports.list(siteId)) await engine.imports.remove(siteId, one.id);
  assert.ok(id > 0);
  assert.equal(await visitors(), 13);
  await comeWith(CODE, TODAY - 1);
  const both = `/sites/${siteId}/stats/timeseries?range=${date(TODAY - 1)}~${date(TODAY)}`;
  const points = async () =>
    (await owner.ask('GET', both)).body.data.points.map((one: { visitors: number }) => one.visitors);
  assert.deepEqual(await points(), [21, 13]);
  await seal();
  assert.deepEqual(await points(), [21, 13]);
});

test('copies of open days: no code of a visitor is left once its day is sealed, or its site removed', async (t) => {
  const { visitors, comeWith, clock, seal, hasCode, tidy, owner, siteId } = await stage(t);
  await comeWith(CODE);
  assert.equal(await visitors(), 13);
  assert.equal(await visitors(), 13);
  assert.ok(hasCode());
  clock.pass(DAY);
  await seal();
  assert.equal(await visitors(), 13);
  await tidy();
  assert.ok(!hasCode());
  assert.equal(await visitors(), 13);
  await comeWith(CODE, TODAY + 1);
  assert.equal(await visitors(TODAY + 1), 1);
  assert.ok(hasCode());
  assert.equal((await owner.ask('DELETE', `/sites/${siteId}`)).status, 204);
  await tidy();
  assert.ok(!hasCode());
});

test('copies of open days: a damaged file changes no answer, and no file outlives the server', async (t) => {
  const { visitors, comeWith, file, clock, madeBy, log, restart } = await stage(t);
  await visitors();
  assert.equal(await visitors(), 12);
  writeFileSync(file, Buffer.alloc(100_000, 7));
  writeFileSync(`${file}-wal`, '');
  await comeWith(5001);
  assert.equal(await visitors(), 13);
  assert.ok(log.some((line) => line.includes('the copy of open days does not work')));
  clock.pass(61);
  assert.equal(await visitors(), 13);
  assert.equal(await madeBy(() => visitors()), 0);
  assert.ok(existsSync(file));
  await restart();
  assert.ok(!existsSync(file));
});

test('copies of open days: a file that is deleted or replaced while the server runs changes no answer, and is named', async (t) => {
  const { visitors, comeWith, file, clock, madeBy, log } = await stage(t);
  const told = () => log.filter((line) => line.includes('another program deleted or replaced the file')).length;
  const older = join(folder(t), 'older');
  assert.equal(await visitors(), 12);
  copyFileSync(file, older);
  const troubles = [() => rmSync(file), () => rmSync(`${file}-wal`), () => renameSync(older, file)];
  for (const [i, begin] of troubles.entries()) {
    begin();
    await comeWith(5001 + i);
    assert.equal(await visitors(), 13 + i);
    assert.equal(told(), i + 1);
    assert.ok(!existsSync(file));
    clock.pass(61);
    assert.equal(await visitors(), 13 + i);
    assert.equal(await madeBy(() => visitors()), 0);
  }
});

test('copies of open days: while a collector does not report, ClickHouse answers', async (t) => {
  const { collector, figures, clock } = await stageCollectors(t);
  const [one, two] = [await collector('one'), await collector('two')];
  await one.view('/a');
  await two.view('/b');
  await two.engage('/a', 7);
  assert.equal((await figures()).pageviews, 2);
  await two.stop();
  clock.pass(60);
  await one.view('/c');
  assert.equal((await figures()).pageviews, 3);
  assert.equal((await figures()).pageviews, 3);
});
