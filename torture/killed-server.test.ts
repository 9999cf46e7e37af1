import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { TODAY } from '../test/collect/stage.ts';
import { ANN, furnish } from '../test/support/furnish.ts';
import { run as runKilled } from '../test/support/kill.ts';
import { DAYBOOK, type Program, program, type Server } from '../test/support/program.ts';
import { chance } from '../test/support/random.ts';
import { assertSound, book, ROUNDS, SITES } from './book.ts';
import { clientOf, crowd, pageview } from './clients.ts';
import { bearer, look, removeFile } from './furnish.ts';

type Trial = { server: Server; before(ms: number): Promise<void>; round: number; random(): number };

/** Starts the server again and again, and kills it at some moment of what it is then asked to do. */
async function killServer(t: TestContext, { serve }: Program, trial: (one: Trial) => Promise<void>) {
  const random = chance(t);
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(['--flood', '0', '--keep-backups', '0']);
    /** The kill comes at a moment before so many milliseconds have passed. */
    const before = async (ms: number) => {
      await pause(random() * ms);
      server.kill('SIGKILL');
      await server.ended;
    };
    await trial({ server, before, round, random });
  }
}

test('D2 killed while a site is deleted, it is there with all it has or gone for good, and others stay', async (t) => {
  const daybook = await book(t, 5_000);
  const { db: path, token, serve } = daybook;
  const template = `${path}.template`;
  copyFileSync(path, template);
  const rowsBySite = (siteId: number) =>
    look(path, (db) =>
      ['hit', 'term', 'sealed_day', 'day_term', 'drop_day', 'crawl_day'].map(
        (name) => db.one<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE site_id = ?`, siteId)?.n,
      ),
    );
  const [mine, others] = [rowsBySite(1), rowsBySite(2)];
  const ends = { there: 0, halfway: 0, gone: 0 };
  await killServer(t, daybook, async ({ server, before, round, random }) => {
    const client = clientOf(server.port);
    assert.equal((await client.ask('GET', '/api/v1/sites/1', { headers: bearer(token) })).status, 200);
    const deleted = client.ask('DELETE', '/api/v1/sites/1', { headers: bearer(token) });
    if (round % 2 === 1) await deleted;
    await before(round % 2 === 0 ? 4 : 20);
    const { status } = await deleted;
    client.close();
    const isThere = look(path, (db) => db.one('SELECT 1 FROM site WHERE id = 1') !== undefined);
    assert.ok(status === 0 || (status === 204 && !isThere), `${status}`);
    if (isThere) assert.deepEqual(rowsBySite(1), mine);
    // The next start sweeps what is left of it, and is killed too.
    const second = await serve(['--keep-backups', '0']);
    await pause(random() * 40);
    second.kill('SIGKILL');
    await second.ended;
    const left = rowsBySite(1);
    assert.deepEqual(rowsBySite(2), others);
    assertSound(path);
    if (isThere) assert.deepEqual(left, mine);
    ends[isThere ? 'there' : left.some((n) => n !== 0) ? 'halfway' : 'gone']++;

    const third = await serve(['--keep-backups', '0']);
    const swept = () => look(path, (db) => db.one('SELECT 1 FROM removed_site') === undefined);
    for (const end = Date.now() + 10_000; !swept() && Date.now() < end; ) await pause(5);
    assert.equal(await third.stop(), 0);
    assert.deepEqual(rowsBySite(1), isThere ? mine : mine.map(() => 0));
    assert.deepEqual(rowsBySite(2), others);
    removeFile(path);
    copyFileSync(template, path);
  });
  t.diagnostic(JSON.stringify(ends));
});

test('D2 killed while the salt changes, there is the old one or the new one, and visitors are known by it again', async (t) => {
  const daybook = program(t);
  const { db: path, folder, run, serve } = daybook;
  await furnish(path, SITES);
  const random = chance(t);
  const start = performance.now();
  assert.equal(await (await serve(['--keep-backups', '0'])).stop(), 0);
  const startMs = performance.now() - start;
  const ends = { old: 0, new: 0, seen: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const old = randomBytes(32);
    const file = new Database(path);
    file.pragma('journal_mode = WAL');
    file.pragma('secure_delete = ON');
    file.exec('DELETE FROM hit; DELETE FROM usage; DELETE FROM salt');
    file.prepare('INSERT INTO salt (site_id, day, bytes) VALUES (1, ?, ?)').run(TODAY - 1, old);
    file.close();
    // Before it begins to listen, and around its first visitors.
    if (round % 2 === 0) {
      await runKilled(
        [...DAYBOOK, 'serve', '--port', '0', '--db', path, '--keep-backups', '0'],
        (0.3 + 0.7 * random()) * startMs,
      );
    } else {
      const server = await serve(['--keep-backups', '0', '--flood', '0']);
      const { sheet, done } = crowd(server.port, { site: 'example.com', clients: 4, most: 200 });
      await pause(random() * 60);
      server.kill('SIGKILL');
      await server.ended;
      await done;
      if (sheet.acknowledged.size > 0) ends.seen++;
    }
    const salts = look(path, (db) => db.all<{ day: number; bytes: Buffer }>('SELECT day, bytes FROM salt'));
    // The day of the old one is over, so that it may be gone before somebody comes.
    assert.ok(salts.length <= 1);
    const [salt] = salts;
    const isOld = salt?.bytes.equals(old) === true;
    assert.equal(salt?.day ?? TODAY, isOld ? TODAY - 1 : TODAY);
    ends[isOld ? 'old' : 'new']++;
    const hits = look(path, (db) => db.all<{ visitor: number }>('SELECT DISTINCT visitor FROM hit'));
    assert.ok(hits.length <= 1 && !(isOld && hits.length > 0));

    const again = await serve(['--keep-backups', '0']);
    const client = clientOf(again.port);
    assert.equal((await pageview(client, 'example.com', '/again')).status, 202);
    client.close();
    assert.equal(await again.stop(), 0);
    assert.equal(
      look(path, (db) => db.one<{ n: number }>('SELECT count(DISTINCT visitor) AS n FROM hit')?.n),
      1,
    );
    const now = look(path, (db) => db.one<{ bytes: Buffer }>('SELECT bytes FROM salt'));
    if (salt && !isOld) assert.deepEqual(now?.bytes, salt.bytes);
    for (const name of readdirSync(folder)) assert.ok(!readFileSync(join(folder, name)).includes(old), name);
  }
  assert.equal((await run(['check'])).code, 0);
  t.diagnostic(JSON.stringify(ends));
});

test('D2 killed while a server is set up, it has an owner who can sign in, or none and a new link', async (t) => {
  const daybook = program(t);
  const { db: path, serve } = daybook;
  const ends = { none: 0, owner: 0, answered: 0 };
  await killServer(t, daybook, async ({ server, before, round }) => {
    const link = /\/setup\/\w+$/.exec(server.stdout[0] ?? '')?.[0] ?? assert.fail(server.stdout[0]);
    const client = clientOf(server.port);
    const headers = { 'content-type': 'application/json', origin: server.url, 'sec-fetch-site': 'same-origin' };
    const asked = client.ask('POST', link, { headers, body: JSON.stringify(ANN) });
    if (round % 4 === 3) await asked;
    await before(round % 2 === 0 ? 40 : 200);
    const { status } = await asked;
    client.close();
    assert.ok(status === 0 || status === 200, `${status}`);

    const again = await serve(['--keep-backups', '0']);
    const isOpen = again.stdout.some((line) => line.includes('/setup/'));
    const users = look(path, (db) => db.all('SELECT u.email FROM user u JOIN account a ON a.user_id = u.id'));
    assert.deepEqual(users, isOpen ? [] : [{ email: ANN.email }]);
    assert.ok(status === 0 || !isOpen);
    ends[status !== 0 ? 'answered' : isOpen ? 'none' : 'owner']++;
    if (!isOpen) {
      const other = clientOf(again.port);
      const signIn = { ...headers, origin: again.url };
      assert.equal((await other.ask('POST', '/sign-in', { headers: signIn, body: JSON.stringify(ANN) })).status, 200);
      other.close();
    }
    assert.equal(await again.stop(), 0);
    assertSound(path);
    removeFile(path);
  });
  t.diagnostic(JSON.stringify(ends));
});
