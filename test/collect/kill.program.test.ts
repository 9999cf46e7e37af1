import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { program, until } from '../support/program.ts';
import { chance } from '../support/random.ts';
import { BROWSER, storedPages } from './stage.ts';

const ROUNDS = 5;
const CLIENTS = 40;
/** Together share pages than a day of a site keeps apart. */
const MOST = 240;
/** How many are acknowledged at most before the kill, which then comes a moment later. */
const MOST_BEFORE = 200;
const MOMENT_MS = 20;

const siteOf = (round: number): string => `round${round}.example`;

/** The status that a message is answered with; undefined when the connection breaks before. */
const post = (agent: Agent, port: number, message: object): Promise<number | undefined> =>
  new Promise((resolve) => {
    const sending = request({ agent, port, method: 'POST', path: '/day', headers: BROWSER }, (answer) => {
      answer.on('error', () => resolve(undefined));
      answer.on('end', () => resolve(answer.statusCode)).resume();
    });
    sending.on('error', () => resolve(undefined));
    sending.end(JSON.stringify(message));
  });

/** Sends pageviews one after the other over one connection until it breaks. */
async function browse(
  port: number,
  site: string,
  name: string,
  sent: Set<string>,
  acknowledged: Set<string>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; n < MOST; n++) {
    const page = `/${name}/${n}`;
    sent.add(page);
    const status = await post(agent, port, { site, url: `https://${site}${page}` });
    if (status === undefined) break;
    assert.equal(status, 202);
    acknowledged.add(page);
  }
  agent.destroy();
}

const hitsBySite = (db: Db) => db.all('SELECT site_id, count(*) AS n FROM hit GROUP BY site_id ORDER BY site_id');

test(`after a kill at any moment what was acknowledged is in the file, once, and the next start is like any other`, async (t) => {
  const random = chance(t);
  const { serve, db: path, folder } = program(t);
  const store = openStore(path);
  store.db.write(() => {
    const { accountId } = addUser(store.db, { email: 'ann@example.com', password: null, now: 0 });
    for (let round = 1; round <= ROUNDS; round++) addSite(store.db, { accountId, domain: siteOf(round), now: 0 });
  });
  store.close();

  let total = 0;
  let unsure = 0;
  let before: unknown[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const server = await serve(['--flood', '0']);
    const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
    const clients = Array.from({ length: CLIENTS }, (_, n) =>
      browse(server.port, siteOf(round), `client${n}`, sent, acknowledged),
    );
    const enough = random() * MOST_BEFORE;
    await until('enough are acknowledged', () => acknowledged.size >= enough);
    await pause(random() * MOMENT_MS);
    server.kill('SIGKILL');
    assert.equal(await server.ended, null);
    await Promise.all(clients);
    assert.deepEqual(server.stderr, []);

    // A copy, so that the next start finds what the kill left.
    const copy = join(folder, `round${round}.db`);
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const { db, close } = openStore(copy);
    assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    const stored = storedPages(db, round);
    for (const page of acknowledged) assert.equal(stored.get(page), 1, `${page} of round ${round} was acknowledged`);
    for (const [page, n] of stored)
      assert.ok(sent.has(page) && n === 1, `${page} of round ${round} is there ${n} times`);
    const bySite = hitsBySite(db);
    assert.deepEqual(bySite.slice(0, before.length), before, 'what was there before is there still');
    assert.deepEqual(db.one('SELECT coalesce((SELECT events FROM usage), 0) = (SELECT count(*) FROM hit) AS same'), {
      same: 1,
    });
    close();
    before = bySite;
    total += acknowledged.size;
    unsure += stored.size - acknowledged.size;
  }
  t.diagnostic(`${total} hits were acknowledged, ${unsure} more were stored when nobody could be told any more`);

  const last = await serve();
  assert.equal(await last.stop(), 0);
  const { db, close } = openStore(path);
  assert.deepEqual(hitsBySite(db), before);
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  close();
});
