import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { recount } from '../src/ledger/recount.ts';
import { finish } from '../src/lib/steps.ts';
import { backup } from '../src/store/backup.ts';
import { RELEASED } from '../src/store/migrations.ts';
import { openStore } from '../src/store/open.ts';
import { restore } from '../src/store/restore.ts';
import { TODAY } from '../test/collect/stage.ts';
import { ANN, furnish } from '../test/furnish.ts';
import { folder } from '../test/helpers.ts';
import { kill, run as runKilled } from '../test/kill.ts';
import { DAYBOOK, type Program, program, type Server } from '../test/program.ts';
import { chance } from '../test/random.ts';
import { rowsOf } from '../test/store/stage.ts';
import { clientOf, crowd, pageview } from './clients.ts';
import { bearer, fill, isWhole, look, past, removeFile } from './furnish.ts';
import { scaled } from './scale.ts';

const ROUNDS = scaled(2, 20);
const SITES = ['example.com', 'other.example'];

const assertSound = (path: string): void =>
  look(path, (db) => {
    assert.ok(isWhole(db));
    for (const { day, faults } of recount(db)) assert.deepEqual(faults, [], `day ${day}`);
  });

const ROWS = scaled(30_000, 60_000);
const fillTable = (table: string): string => `
  CREATE TABLE ${table} (n INTEGER, text TEXT) STRICT;
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
  INSERT INTO ${table} SELECT n, 'row ' || n FROM numbers;`;

test('D2 killed at any moment of an update, the file is before or after a step, and the next start goes on', async (t) => {
  const path = join(folder(t), 'daybook.db');
  await furnish(path, SITES);
  await fill(path, past(1, TODAY, 2_000));
  const before = rowsOf(path);
  const migrations = [...RELEASED, fillTable('one'), fillTable('two')];
  const version = RELEASED.length + 1;
  const open = new URL('../src/store/open.ts', import.meta.url).href;
  const argsOf = (left: string): string[] => {
    const options = JSON.stringify({ serve: true, migrations });
    const code = `import { openStore } from ${JSON.stringify(open)}; openStore(${JSON.stringify(left)}, ${options}).close();`;
    return ['--input-type=module', '--eval', code];
  };
  await kill(t, {
    template: path,
    rounds: ROUNDS,
    early: true,
    argsOf,
    look(left) {
      const { one: _1, two: _2, ...rows } = rowsOf(left);
      assert.deepEqual(rows, before);
      const copy = `${left}.before-v${version + 1}`;
      const reached = look(left, (db) => {
        const steps = (db.one<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0) - version;
        const made = ['one', 'two'].filter((name) => db.one('SELECT 1 FROM sqlite_schema WHERE name = ?', name));
        assert.deepEqual(made, ['one', 'two'].slice(0, steps));
        for (const name of made) assert.deepEqual(db.one(`SELECT count(*) AS n FROM ${name}`), { n: ROWS });
        return steps;
      });
      if (reached > 0 || existsSync(copy)) assert.deepEqual(rowsOf(copy), before);
      const { db, close } = openStore(left, { serve: true, migrations });
      assert.deepEqual(db.one('SELECT (SELECT count(*) FROM one) + (SELECT count(*) FROM two) AS n'), { n: 2 * ROWS });
      close();
      assertSound(left);
      rmSync(copy);
      return reached < 2;
    },
  });
});

/** A file with sealed days, and one of today. */
async function book(t: TestContext, hits = 3_000): Promise<Program & { token: string }> {
  const daybook = program(t);
  const token = await furnish(daybook.db, SITES);
  const days = Array.from({ length: 5 }, (_, n) => TODAY - 1 - n);
  await fill(
    daybook.db,
    [1, 2].flatMap((site) => days.flatMap((day) => past(site, day, hits))),
  );
  await daybook.print(['seal']);
  await fill(daybook.db, [...past(1, TODAY, hits), ...past(2, TODAY, hits)]);
  return { ...daybook, token };
}

test('D2 killed at any moment, backup leaves a whole copy or none under its name, and the file as it was', async (t) => {
  const { db } = await book(t);
  const before = rowsOf(db);
  const salt = randomBytes(32);
  const file = new Database(db);
  file.prepare('REPLACE INTO salt (one, day, bytes) VALUES (1, ?, ?)').run(TODAY, salt);
  file.close();
  await kill(t, {
    template: db,
    rounds: ROUNDS,
    argsOf: (left) => [...DAYBOOK, 'backup', `${left}.copy`, '--replace', '--db', left],
    look(left, ended) {
      const copy = `${left}.copy`;
      const { upkeep: _, ...rows } = rowsOf(left);
      const { upkeep: __, ...wanted } = before;
      assert.deepEqual(rows, wanted);
      for (const name of readdirSync(dirname(left)).filter((one) => one.startsWith(basename(copy)))) {
        assert.ok(!readFileSync(join(dirname(left), name)).includes(salt), name);
      }
      const isThere = existsSync(copy);
      assert.ok(isThere || !ended);
      if (isThere) assert.deepEqual({ ...rowsOf(copy), upkeep: [] }, { ...before, upkeep: [] });
      if (isThere) assertSound(copy);
      return !isThere;
    },
  });
});

test('D2 killed at any moment, restore leaves the file before or the copy, whole', async (t) => {
  const { db, folder } = await book(t);
  const copy = join(folder, 'the.copy');
  finish(backup(db, copy));
  const then = rowsOf(copy);
  await fill(db, past(1, TODAY, 500));
  const before = rowsOf(db);
  await kill(t, {
    template: db,
    rounds: ROUNDS,
    argsOf: (left) => [...DAYBOOK, 'restore', copy, '--replace', '--db', left],
    look(left, ended) {
      const isNew = JSON.stringify(rowsOf(left)) === JSON.stringify(then);
      if (!isNew) assert.deepEqual(rowsOf(left), before);
      assert.ok(isNew || !ended);
      assertSound(left);
      finish(restore(copy, left, { replace: true }));
      assert.deepEqual(rowsOf(left), then);
      return !isNew;
    },
  });
});

test('D2 killed while the WAL is moved into the file, nothing is lost', async (t) => {
  const { db: path, folder } = await book(t);
  const whole = join(folder, 'whole.db');
  // What a kill leaves: all that was written since is in the WAL only.
  const { db, close } = openStore(path);
  db.run('PRAGMA wal_autocheckpoint = 0');
  db.write(() => {
    db.run('CREATE TABLE filler (n INTEGER PRIMARY KEY, data BLOB) STRICT');
    db.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
       INSERT INTO filler SELECT n, zeroblob(9000) FROM numbers`,
    );
  });
  for (const tail of ['', '-wal']) copyFileSync(path + tail, whole + tail);
  close();
  const before = rowsOf(path);
  await kill(t, {
    template: whole,
    rounds: ROUNDS,
    argsOf: (left) => [...DAYBOOK, 'seal', '--db', left],
    look(left) {
      const halfway = existsSync(`${left}-wal`);
      assert.deepEqual(rowsOf(left), before);
      assertSound(left);
      return halfway;
    },
  });
});

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
      ['hit', 'term', 'sealed_day', 'day_word', 'drop_day', 'crawl_day'].map(
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
    file.exec('DELETE FROM hit; DELETE FROM usage');
    file.prepare('REPLACE INTO salt (one, day, bytes) VALUES (1, ?, ?)').run(TODAY - 1, old);
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
    assert.equal(salts.length, 1);
    const [salt] = salts;
    const isOld = salt?.bytes.equals(old);
    assert.equal(salt?.day, isOld ? TODAY - 1 : TODAY);
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
    if (!isOld) assert.deepEqual(now?.bytes, salt?.bytes);
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

test('D2 killed at any moment of its first start, the program makes the file the next time', async (t) => {
  const { serve, db: path } = program(t);
  const empty = join(folder(t), 'empty.db');
  copyFileSync('/dev/null', empty);
  await kill(t, {
    template: empty,
    rounds: ROUNDS,
    early: true,
    argsOf: (left) => [...DAYBOOK, 'user', 'add', ANN.email, '--db', left],
    look(left, ended) {
      const { db, close } = openStore(left);
      assert.ok(isWhole(db));
      const users = db.all('SELECT email FROM user');
      close();
      if (ended) assert.equal(users.length, 1);
      return users.length === 0;
    },
  });
  const server = await serve();
  assert.equal(await server.stop(), 0);
  assertSound(path);
});
