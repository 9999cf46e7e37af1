import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { Refusal } from '../../src/lib/errors.ts';
import { RELEASED } from '../../src/store/migrations.ts';
import { assertVersion, type Opened, openStore } from '../../src/store/open.ts';
import type { Db } from '../../src/store/statements.ts';
import { addUser } from '../../src/store/users.ts';
import { folder } from '../helpers.ts';

const PAGE = 4096;

const fileIn = (t: TestContext): string => join(realpathSync(folder(t)), 'daybook.db');

/** Opens a file for as long as the test lasts. */
function opened(t: TestContext, path: string, options: Parameters<typeof openStore>[1] = {}): Opened {
  const store = openStore(path, options);
  t.after(() => store.close());
  return store;
}

const add = (db: Db, email: string): number => db.write(() => addUser(db, { email, password: null, now: 0 }).id);
const emails = (db: Db): string[] =>
  db.all<{ email: string }>('SELECT email FROM user ORDER BY id').map(({ email }) => email);

/** A file of ours with some rows, closed. */
function makeFile(path: string, users = 10): void {
  const { db, close } = openStore(path);
  db.write(() => {
    for (let i = 0; i < users; i++) addUser(db, { email: `user${i}@example.com`, password: 'x'.repeat(500), now: 0 });
  });
  close();
}

/** Works on a file as other programs would. */
function change(path: string, sql: string): void {
  const file = new Database(path);
  file.exec(sql);
  file.close();
}

/** Every file of a folder with what is in it. */
const contents = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((name) => [name, createHash('sha256').update(readFileSync(name)).digest('hex')]),
  );

/** Every way in is refused in one line that names the file and says what to do; nothing in its folder changes. */
function assertRefused(
  path: string,
  says: RegExp,
  options: Parameters<typeof openStore>[1][] = [{}, { serve: true }],
): void {
  for (const option of options) {
    const before = contents(dirname(path));
    let refusal: unknown;
    try {
      openStore(path, option).close();
    } catch (error) {
      refusal = error;
    }
    assert.ok(refusal instanceof Refusal, refusal ? String(refusal) : 'it was opened');
    assert.equal(refusal.exitCode, 78);
    assert.ok(refusal.message.startsWith(`${path}: `), refusal.message);
    assert.doesNotMatch(refusal.message, /\n|SQLITE/);
    assert.match(refusal.message, says);
    assert.deepEqual(contents(dirname(path)), before);
  }
}

test('a fresh file says whose it is and which version', (t) => {
  const path = fileIn(t);
  const { db } = opened(t, path);
  assert.deepEqual(db.one('SELECT * FROM pragma_application_id'), {
    application_id: Buffer.from('dayb').readInt32BE(),
  });
  assert.deepEqual(db.one('SELECT * FROM pragma_user_version'), { user_version: RELEASED.length + 1 });
  assert.deepEqual(db.all('SELECT name FROM plan'), [{ name: 'self-hosted' }]);
  const next = join(dirname(path), 'next.db');
  const migrated = opened(t, next, { migrations: ['CREATE TABLE a (b)', 'CREATE TABLE c (d)'] });
  assert.deepEqual(migrated.db.one('SELECT * FROM pragma_user_version'), { user_version: 3 });
  assert.equal(migrated.path, next);
});

test('an empty file and a name without a file are as good as each other', (t) => {
  const path = fileIn(t);
  writeFileSync(path, '');
  const { db } = opened(t, path, { serve: true });
  add(db, 'ann@example.com');
  assert.deepEqual(emails(db), ['ann@example.com']);
});

test('everything the file is told to do is in force', (t) => {
  const { db } = opened(t, fileIn(t));
  const asked: [string, Record<string, unknown>][] = [
    ['busy_timeout', { timeout: 5000 }],
    ['journal_mode', { journal_mode: 'wal' }],
    ['synchronous', { synchronous: 2 }],
    ['foreign_keys', { foreign_keys: 1 }],
    ['trusted_schema', { trusted_schema: 0 }],
    ['cell_size_check', { cell_size_check: 1 }],
    ['secure_delete', { secure_delete: 1 }],
    ['temp_store', { temp_store: 2 }],
    ['cache_size', { cache_size: -32_000 }],
    ['journal_size_limit', { journal_size_limit: 67_108_864 }],
  ];
  for (const [name, answer] of asked) assert.deepEqual(db.one(`SELECT * FROM pragma_${name}`), answer);
  assert.deepEqual(db.one('PRAGMA mmap_size'), { mmap_size: 0 });
});

test('foreign keys are enforced and what is deleted leaves the file', (t) => {
  const path = fileIn(t);
  const { db, close } = openStore(path);
  const orphan = 'INSERT INTO site (account_id, domain, created_at) VALUES (7, ?, 0)';
  assert.throws(() => db.write(() => db.run(orphan, 'example.com')), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  const id = add(db, 'a-secret-of-somebody@example.com');
  add(db, 'ann@example.com');
  db.write(() => db.run('DELETE FROM user WHERE id = ?', id));
  assert.deepEqual(db.all('SELECT user_id FROM account'), [{ user_id: 2 }]);
  close();
  const bytes = readFileSync(path);
  assert.ok(bytes.includes('ann@example.com'));
  assert.ok(!bytes.includes('a-secret-of-somebody'));
});

test('what was written is there after closing, in one file without leftovers', (t) => {
  const path = fileIn(t);
  makeFile(path, 3);
  assert.deepEqual(readdirSync(dirname(path)), [basename(path)]);
  const again = opened(t, path);
  assert.deepEqual(emails(again.db), ['user0@example.com', 'user1@example.com', 'user2@example.com']);
});

test('two may write beside each other when neither serves, or one does', (t) => {
  const path = fileIn(t);
  const stores = [opened(t, path), opened(t, path, { serve: true }), opened(t, path)];
  const written = Array.from({ length: 30 }, (_, i) => `user${i}@example.com`);
  for (const [i, email] of written.entries()) add((stores[i % 3] as Opened).db, email);
  for (const { db } of stores) assert.deepEqual(emails(db), written);
});

test('a second server on the file is refused while the first lives, by any of its names', (t) => {
  const path = fileIn(t);
  const [link, away] = [join(dirname(path), 'link.db'), join(folder(t), 'other.db')];
  const first = openStore(path, { serve: true });
  add(first.db, 'ann@example.com');
  symlinkSync(path, link);
  symlinkSync('link.db', join(dirname(path), 'link-to-link.db'));
  symlinkSync(path, away);
  symlinkSync(dirname(path), `${away}-folder`);
  const names = [path, link, join(dirname(path), 'link-to-link.db'), away, join(`${away}-folder`, basename(path))];
  for (const name of names) {
    assert.throws(
      () => openStore(name, { serve: true }),
      (error) => error instanceof Refusal && error.exitCode === 78 && /another server is running/.test(error.message),
      name,
    );
  }
  // Whoever was refused took nothing away from the first.
  add(first.db, 'bob@example.com');
  first.close();
  for (const name of names) {
    const next = openStore(name, { serve: true });
    assert.equal(next.path, path);
    assert.deepEqual(emails(next.db), ['ann@example.com', 'bob@example.com']);
    next.close();
  }
});

test('a link to a file that is not there yet is one of its names from the beginning', (t) => {
  const path = fileIn(t);
  const link = join(folder(t), 'link.db');
  symlinkSync(path, link);
  const first = opened(t, link, { serve: true });
  add(first.db, 'ann@example.com');
  for (const name of [path, link]) {
    assert.throws(() => openStore(name, { serve: true }).close(), /another server is running/, name);
  }
});

const REFUSED: [string, RegExp, (path: string) => void][] = [
  ['a text', /not a daybook file; name another/, (path) => writeFileSync(path, 'Dear diary,\n')],
  ['a page of garbage', /not a daybook file; name another/, (path) => writeFileSync(path, randomBytes(PAGE))],
  [
    'garbage that begins like a database',
    /not a daybook file; name another|damaged; restore/,
    (path) => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(PAGE - 16, 0xa5)])),
  ],
  [
    "somebody else's database",
    /not a daybook file; name another/,
    (path) => change(path, 'PRAGMA application_id = 1196444487; CREATE TABLE a (b)'),
  ],
  [
    "somebody else's database without a table",
    /not a daybook file; name another/,
    (path) => change(path, 'PRAGMA application_id = 1196444487'),
  ],
  [
    'a database that does not say whose it is',
    /not a daybook file; name another/,
    (path) => change(path, 'CREATE TABLE a (b)'),
  ],
  [
    "somebody else's database in WAL mode",
    /not a daybook file; name another/,
    (path) => change(path, 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)'),
  ],
  [
    'a file of a newer daybook',
    /newer daybook \(file version 7, this program knows \d+\); update the program/,
    (path) => {
      makeFile(path);
      change(path, 'PRAGMA user_version = 7');
    },
  ],
  [
    'a file that was cut off',
    /damaged; restore/,
    (path) => {
      makeFile(path, 100);
      truncateSync(path, Math.floor(statSync(path).size / PAGE / 2) * PAGE);
    },
  ],
];

for (const [what, says, make] of REFUSED) {
  test(`${what} is refused and stays as it was`, (t) => {
    const path = fileIn(t);
    make(path);
    assertRefused(path, says);
  });
}

test('a file with a damaged page is refused, whichever page it is', (t) => {
  const path = fileIn(t);
  makeFile(path, 100);
  const whole = readFileSync(path);
  const pages = whole.length / PAGE;
  assert.ok(pages > 30, 'the file has a middle');
  for (let page = 1; page < pages; page++) {
    writeFileSync(path, whole);
    const bytes = Buffer.from(whole);
    bytes.fill(0xa5, page * PAGE, (page + 1) * PAGE);
    writeFileSync(path, bytes);
    assert.throws(
      () => openStore(path),
      { message: `${path}: the file is damaged; restore an earlier copy` },
      `page ${page}`,
    );
    assert.ok(readFileSync(path).equals(bytes));
  }
});

test('a damaged file is refused and has nothing new beside it', (t) => {
  const path = fileIn(t);
  makeFile(path, 100);
  const bytes = readFileSync(path);
  bytes.fill(0xa5, Math.floor(bytes.length / PAGE / 2) * PAGE, (Math.floor(bytes.length / PAGE / 2) + 1) * PAGE);
  writeFileSync(path, bytes);
  assertRefused(path, /damaged; restore/);
});

test('looking at a database that somebody else is writing loses nothing of theirs', async (t) => {
  const path = fileIn(t);
  change(path, 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)');
  // Closing lets SQLite take -wal and -shm away, opening makes them again: that is when a look from outside could do harm.
  const code = `
    import Database from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};
    for (let i = 0; i < 1000; i++) {
      const file = new Database(${JSON.stringify(path)});
      for (let j = 0; j < 3; j++) file.prepare('INSERT INTO a (b) VALUES (?)').run(i);
      file.close();
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    assert.throws(() => openStore(path).close(), /not a daybook file/);
    await turn();
  }
  assert.deepEqual(await ended, [0, null]);
  const file = new Database(path);
  t.after(() => file.close());
  assert.deepEqual(file.prepare('SELECT count(*) AS n FROM a').get(), { n: 3_000 });
});

test('a folder that is not there is named', (t) => {
  const path = join(fileIn(t), 'deeper', 'daybook.db');
  const missing = dirname(path);
  assert.throws(() => openStore(path), {
    message: `${path}: the folder ${missing} does not exist; make it first`,
    exitCode: 78,
  });
});

test('a command that needs an existing file does not make one', (t) => {
  const path = fileIn(t);
  for (const serve of [false, true]) {
    assert.throws(() => openStore(path, { create: false, serve }).close(), {
      message: `${path}: there is no such file; name another with --db`,
      exitCode: 78,
    });
  }
  assert.deepEqual(readdirSync(dirname(path)), []);
  makeFile(path, 1);
  assert.deepEqual(emails(opened(t, path, { create: false }).db), ['user0@example.com']);
});

test('a folder in place of the file is called that', (t) => {
  const path = fileIn(t);
  mkdirSync(path);
  assertRefused(path, /is a folder/);
  assert.deepEqual(readdirSync(path), []);
});

/** Works without root's right to write everywhere. */
function asNobody<Result>(work: () => Result): Result {
  const { getuid, setegid, seteuid } = process;
  assert.ok(getuid && setegid && seteuid);
  if (getuid() !== 0) return work();
  setegid(65_534);
  seteuid(65_534);
  try {
    return work();
  } finally {
    seteuid(0);
    setegid(0);
  }
}

test('a file that may only be read is refused and stays as it was', (t) => {
  const path = fileIn(t);
  makeFile(path);
  const bytes = readFileSync(path);
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o777);
  for (const serve of [false, true]) {
    asNobody(() =>
      assert.throws(() => openStore(path, { serve }).close(), {
        message: `${path}: it cannot be written; check who may write the file and its folder`,
        exitCode: 78,
      }),
    );
    assert.ok(readFileSync(path).equals(bytes));
  }
});

test('a file that may not even be read is refused and stays as it was', (t) => {
  const path = fileIn(t);
  makeFile(path);
  const before = contents(dirname(path));
  chmodSync(path, 0o000);
  chmodSync(dirname(path), 0o777);
  for (const serve of [false, true]) {
    asNobody(() =>
      assert.throws(() => openStore(path, { serve }).close(), {
        message: `${path}: it cannot be opened; check who may read and write the file and its folder`,
        exitCode: 78,
      }),
    );
  }
  chmodSync(path, 0o600);
  assert.deepEqual(contents(dirname(path)), before);
});

test('a folder that may only be read is refused, with a file in it and without', (t) => {
  const path = fileIn(t);
  makeFile(path);
  chmodSync(path, 0o666);
  chmodSync(dirname(path), 0o555);
  try {
    asNobody(() => {
      assertRefused(path, /check who may (read and )?write the file and its folder/);
      assertRefused(join(dirname(path), 'new.db'), /check who may (read and )?write the file and its folder/);
    });
  } finally {
    chmodSync(dirname(path), 0o700);
  }
});

test('SQLite is refused in the versions that can corrupt a file', () => {
  for (const version of ['3.51.3', '3.51.10', '3.53.0', '3.54.1', '4.0.0']) assertVersion(version);
  for (const version of ['3.51.2', '3.52.0', '3.7.0', '3.50.4', '2.99.99']) {
    assert.throws(
      () => assertVersion(version),
      (error) => error instanceof Refusal && error.message.includes(version),
      version,
    );
  }
});

/** A process of its own that opens the file, says so, and then does as it is told. */
function startChild(
  t: TestContext,
  path: string,
  options: object,
  work: string,
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const source = (name: string): string => JSON.stringify(new URL(`../../src/store/${name}.ts`, import.meta.url).href);
  const code = `
    import { writeSync } from 'node:fs';
    import { openStore } from ${source('open')};
    import { addUser } from ${source('users')};
    const say = (word) => writeSync(1, word + '\\n');
    const add = (db, email) => db.write(() => addUser(db, { email, password: 'x'.repeat(500), now: 0 }).id);
    const path = ${JSON.stringify(path)};
    ${work.replace('OPEN', `openStore(path, ${JSON.stringify(options)})`)}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('a kill in the middle of writing loses nothing that was committed, and frees the file', async (t) => {
  const path = fileIn(t);
  const said: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 120 }), async (enough) => {
      const before = said.length;
      const child = startChild(
        t,
        path,
        { serve: true },
        `
        const { db } = OPEN;
        for (;;) say(add(db, 'user' + process.pid + '-' + Math.random() + '@example.com'));`,
      );
      let printed = '';
      for await (const chunk of child.stdout) {
        printed += chunk;
        if (printed.split('\n').length > enough) child.kill('SIGKILL');
      }
      said.push(...printed.split('\n').slice(0, -1).map(Number));
      assert.ok(said.length >= before + enough);

      const { db, close } = openStore(path, { serve: true });
      const ids = new Set(db.all<{ id: number }>('SELECT id FROM user').map(({ id }) => id));
      const accounts = new Set(db.all<{ id: number }>('SELECT user_id AS id FROM account').map(({ id }) => id));
      const check = db.all('PRAGMA integrity_check');
      close();
      assert.deepEqual(
        said.filter((id) => !ids.has(id)),
        [],
      );
      // One more may have been committed than could be said, in each round.
      assert.ok(ids.size <= said.length + 5);
      assert.deepEqual(accounts, ids, 'a transaction is there whole or not at all');
      assert.deepEqual(check, [{ integrity_check: 'ok' }]);
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

test('several processes may make the same new file at once', async (t) => {
  const path = fileIn(t);
  const children = Array.from({ length: 3 }, (_, i) =>
    startChild(
      t,
      path,
      {},
      `
      process.stdin.once('data', () => {
        const { db, close } = OPEN;
        add(db, 'user${i}@example.com');
        close();
        process.exit(0);
      });
      say('ready');`,
    ),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin?.write('go\n');
  assert.deepEqual(await Promise.all(children.map((child) => once(child, 'exit'))), Array(3).fill([0, null]));
  const { db } = opened(t, path);
  assert.deepEqual(emails(db).sort(), ['user0@example.com', 'user1@example.com', 'user2@example.com']);
  assert.deepEqual(db.all('SELECT name FROM plan'), [{ name: 'self-hosted' }]);
});

test('a server of another process holds the file until it is killed', async (t) => {
  const path = fileIn(t);
  const child = startChild(
    t,
    path,
    { serve: true },
    `
    const { db } = OPEN;
    add(db, 'ann@example.com');
    say('serving');
    setInterval(() => {}, 1000);`,
  );
  await once(child.stdout, 'data');
  assert.throws(() => openStore(path, { serve: true }), /another server is running/);
  const beside = openStore(path);
  add(beside.db, 'bob@example.com');
  beside.close();
  child.kill('SIGKILL');
  assert.equal(await text(child.stdout), '');
  const { db } = opened(t, path, { serve: true });
  assert.deepEqual(emails(db), ['ann@example.com', 'bob@example.com']);
});
