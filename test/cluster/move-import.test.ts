import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addImport } from '../../src/catalog/imports.ts';
import { showImport } from '../../src/catalog/show-import.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';
import { gatesOf } from './gates.ts';
import { CLUSTER } from './servers.ts';

/** A file with two hits, a cluster for it behind gates, and an import of two more days. */
async function stage(t: TestContext) {
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  const gates = await gatesOf(
    t,
    hosts.map((host) => ({ http: Number(host.split(':')[1]) })),
  );
  const name = `moved_${randomBytes(8).toString('hex')}`;
  const engine = `clickhouse://${gates.hosts}/${name}?cluster=${CLUSTER}`;
  const drop = (host: string) => fetch(`http://${host}/`, { method: 'POST', body: `DROP DATABASE ${name} SYNC` });
  t.after(() => Promise.all(hosts.map(drop)));
  const daybook = program(t);
  await furnish(daybook.db, ['example.com']);
  const { db, close } = openStore(daybook.db);
  t.after(close);
  await append(db, [pageview({ day: TODAY - 1 }), pageview()]);
  await daybook.print(['seal']);
  const file = join(daybook.folder, 'file.ndjson');
  const lines = [9, 8].map((back) =>
    JSON.stringify({ at: `${date(TODAY - back)}T09:00:00Z`, url: 'https://example.com/2', visitor: 'v' }),
  );
  writeFileSync(file, lines.join('\n'));
  return {
    ...daybook,
    store: db,
    watch: gates.watch,
    engine,
    importing: ['import', 'example.com', file, '--format', 'ndjson'],
  };
}

test('a move does not switch to the cluster if an import ends meanwhile, and moves its hits when it is run again', async (t) => {
  const { run, print, engine, watch, importing } = await stage(t);
  let imported: Promise<string> | undefined;
  watch(async (sql, when) => {
    if (when === 'before' && sql.startsWith('INSERT INTO activity')) {
      imported ??= print(importing);
      await imported;
    }
    return false;
  });
  const { code, stderr } = await run(['move', '--to', engine]);
  assert.equal(code, 1);
  assert.match(stderr, /another command changed the hits during the move\. Nothing was switched\. Run this again/);
  assert.match((await imported) ?? '', /imported/);
  assert.match(await print(['move', '--to', engine]), /3 sealed days and 1 hit of open days moved/);
  const exported = await print(['export', 'example.com', '--format', 'ndjson', '--engine', engine]);
  assert.equal(exported.trim().split('\n').length, 4);
});

test('an import into the file that still runs when its hits were moved to a cluster is not shown', async (t) => {
  const { print, engine, store } = await stage(t);
  const importId = addImport(store, 1, { now: Math.floor(Date.now() / 1000), today: TODAY });
  await print(['move', '--to', engine]);
  const staged = { siteId: 1, importId, staged: 0, openDay: TODAY, now: 0 };
  const showing = { replace: false, listTaken: () => [], listOpen: () => [], findNewestRow: () => 0 };
  assert.throws(() => showImport(store, staged, showing), /the hits were moved/);
});
