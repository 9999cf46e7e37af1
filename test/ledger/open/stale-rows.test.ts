import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyRows } from '../../../src/engine/import-content.ts';
import { append } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { startApp } from '../../support/helpers.ts';
import { crowd, YESTERDAY } from '../stage.ts';

test('rows of a day that was sealed, replaced by an import and emptied do not count again with a late hit', async (t) => {
  const { db, engine, owner, siteId, seal } = await startApp(t);
  const range = `${date(YESTERDAY)}~${date(YESTERDAY)}`;
  const count = async () =>
    (await owner.ask('GET', `/sites/${siteId}/stats/overview?range=${range}`)).body.data.pageviews;
  await append(db, crowd(3, { siteId }));
  assert.equal(await count(), 3);
  await seal();
  const readRows = () => Object.assign(emptyRows(1), { count: 1, engaged: Int32Array.of(-1) });
  const file = { today: YESTERDAY + 1, texts: [''], days: [YESTERDAY], readRows };
  await engine.imports.remove(siteId, await engine.imports.add(siteId, file, { replace: true }));
  await append(db, crowd(2, { siteId }));
  assert.equal(await count(), 2);
});
