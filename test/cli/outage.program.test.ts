import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { program, until } from '../support/program.ts';

const TEN_MINUTES = 600;

test('a server that was killed and comes back ten minutes later says when it did not count', async (t) => {
  const { serve, db: path } = program(t);
  const token = await furnish(path);
  async function inFile<Result>(work: (db: Db) => Result | Promise<Result>): Promise<Result> {
    const { db, close } = openStore(path);
    const result = await work(db);
    close();
    return result;
  }
  await inFile((db) => append(db, [pageview({ day: TODAY - 1 })]));
  const ask = async (url: string, report: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/v1/sites/example.com/stats/${report}?range=7d`, { headers });
    assert.equal(answer.status, 200);
    const { data } = (await answer.json()) as { data: Record<string, unknown> };
    return data as { outages: { from: string; to: string; reason: string }[]; complete?: boolean };
  };

  const before = await serve();
  assert.deepEqual(await ask(before.url, 'outages'), { outages: [] });
  await until('it is marked that it runs', () => inFile((db) => findUpkeep(db, 'running') !== undefined));
  before.kill('SIGKILL');
  await before.ended;
  // In place of waiting: its last mark was ten minutes ago.
  await inFile((db) => db.write(() => db.run("UPDATE upkeep SET at = at - ? WHERE name = 'running'", TEN_MINUTES)));

  const { url } = await serve();
  const { outages } = await ask(url, 'outages');
  assert.equal(outages.length, 1);
  const [{ from, to, reason } = { from: '', to: '', reason: '' }] = outages;
  assert.equal(reason, 'down');
  assert.ok(Date.parse(to) - Date.parse(from) >= TEN_MINUTES * 1000, `${from} to ${to}`);
  assert.equal((await ask(url, 'overview')).complete, false);
});
