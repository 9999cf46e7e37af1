import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { hereOn } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { freshFile } from '../../support/fresh-file.ts';
import { folder } from '../../support/helpers.ts';
import { stageServers } from '../asking.ts';

test('after an older copy took a cluster over, days that it does not know are in no answer beside newer ones', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  app.clock.pass(DAY);
  await app.seal();
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  await app.engine.upkeep.checkServers();
  const config = { ...app.config, db: older };
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const restored = await app.startFrom(older);
  restored.clock.pass(2 * DAY);
  await appendTo(restored.engine, [pageview({ day: TODAY + 1, page: '/later' })]);
  await restored.engine.upkeep.seal();
  const range = { from: TODAY - 1, to: TODAY + 2 };
  const pages = { report: 'breakdown', breakdown: 'pages', offset: 0, limit: 10 } as const;
  const { rows } = await restored.engine.queries.measure({ ...pages, siteId: app.siteId, range, filters: {} });
  assert.deepEqual(
    rows.map(({ value, visitors }) => [value, visitors]),
    [
      ['/', 20],
      ['/later', 1],
    ],
  );
});

test('an adoption leaves out a server that lacked something, and one that was emptied, though the file that knew so is lost', async (t) => {
  const app = await stageServers(t);
  const [first = '', , third = ''] = app.hosts;
  app.db.run("UPDATE cluster_server SET state = 'lacking', reason = 'restored' WHERE url = ?", `http://${third}/`);
  await app.engine.upkeep.checkServers();
  await app.askAt(first, `DROP DATABASE ${app.database} SYNC`, 'default');
  const config = { ...app.config, db: join(folder(t), 'new.db') };
  freshFile(config.db);
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const file = openStore(config.db);
  t.after(() => file.close());
  assert.deepEqual(
    listKnownServers(file.db).map(({ state, reason }) => `${state} ${reason}`.trim()),
    ['lacking empty', 'complete', 'lacking missed', 'complete'],
  );
});
