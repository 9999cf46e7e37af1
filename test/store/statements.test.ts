import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { tokenSecret } from '../../src/lib/secrets.ts';
import { findAccountRole, findStanding, listManagedAccounts } from '../../src/store/accounts.ts';
import { addFunnel, findFunnel, listFunnels } from '../../src/store/funnels.ts';
import { addGoal, findGoal, listGoals } from '../../src/store/goals.ts';
import { addNote, findNote, listNotes } from '../../src/store/notes.ts';
import { openStore } from '../../src/store/open.ts';
import { addSite, findSite, findSiteByDomain, listSites } from '../../src/store/sites.ts';
import { type Db, statements } from '../../src/store/statements.ts';
import {
  acceptInvitation,
  findInvitation,
  findMember,
  inviteMember,
  listMembers,
  listTeams,
} from '../../src/store/team.ts';
import { addToken, findHolder, findToken, listTokens } from '../../src/store/tokens.ts';
import { addUser, findUser, findUserByLink, setPasswordLink } from '../../src/store/users.ts';
import { folder } from '../helpers.ts';

type Value = Parameters<Db['one']>[1];

/** A file that two writers have open. */
function pair(t: TestContext): { path: string; db: Db; other: Db } {
  const path = join(folder(t), 'daybook.db');
  const stores = [openStore(path), openStore(path)] as const;
  t.after(() => {
    for (const store of stores) store.close();
  });
  return { path, db: stores[0].db, other: stores[1].db };
}

const NOTE = 'INSERT INTO note (site_id, date, text, created_at) VALUES (?, ?, ?, ?)';

/** Somebody with a site, which is what a note needs. */
function addSomebody(db: Db): { userId: number; accountId: number; siteId: number } {
  return db.write(() => {
    const { id, accountId } = addUser(db, { email: 'ann@example.com', password: null, now: 0 });
    return { userId: id, accountId, siteId: addSite(db, { accountId, domain: 'example.com', now: 0 }) };
  });
}

const count = (db: Db, table: 'note' | 'user'): number | undefined =>
  db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;

const isFull = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR)/.test(error.code);

test('a value goes through a question as it was given', (t) => {
  const { db } = pair(t);
  const long = fc.string({ unit: 'binary', minLength: 2_000, maxLength: 2_000 });
  const hostile = fc.constantFrom(
    "'",
    '"',
    "' OR 1 = 1 --",
    '?',
    '(SELECT ?)',
    ':a',
    '@a',
    '$1',
    'a\u0000b',
    '\u0000',
    '😀',
    '%_',
    '',
  );
  const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const value = fc.oneof(hostile, fc.string({ unit: 'binary' }), number, fc.constant(null), bytes);
  const answered = (given: Value): unknown => db.one<{ value: unknown }>('SELECT ? AS value', given)?.value;
  fc.assert(
    fc.property(value, (given) => {
      assert.deepEqual(answered(given), given);
      assert.deepEqual(db.all('SELECT ? AS a, 1 AS b, ? AS c', given, 'after'), [
        { a: answered(given), b: 1, c: 'after' },
      ]);
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(long, (given) => assert.equal(answered(given), given)),
    { numRuns: 50 },
  );
});

test('a value keeps its type, so that it is found as it was stored', (t) => {
  const { db } = pair(t);
  const types: [Value, string][] = [
    ['1', 'text'],
    [1n, 'integer'],
    [0.5, 'real'],
    [null, 'null'],
    [Buffer.from('1'), 'blob'],
  ];
  for (const [given, type] of types) assert.deepEqual(db.one('SELECT typeof(?) AS type', given), { type });

  const { siteId } = addSomebody(db);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { id } = db.run(NOTE, siteId, '2026-01-31', text, 7);
      assert.deepEqual(db.all('SELECT id, text FROM note WHERE site_id = ? AND text = ?', siteId, text), [
        { id, text },
      ]);
      assert.deepEqual(db.one('SELECT text FROM note WHERE id = ?', String(id)), { text });
      assert.equal(db.run('DELETE FROM note WHERE id = ?', id).changes, 1);
    }),
    { numRuns: 300 },
  );
});

test('what is not there is undefined, and no rows are an empty list', (t) => {
  const { db } = pair(t);
  assert.equal(db.one('SELECT id FROM user WHERE email = ?', 'nobody@example.com'), undefined);
  assert.deepEqual(db.all('SELECT id FROM user WHERE email = ?', 'nobody@example.com'), []);
});

test('a change says how many rows it touched and the id of the row it added', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const first = db.run(NOTE, siteId, '2026-01-31', 'a', 0);
  assert.deepEqual(first, { changes: 1, id: first.id });
  assert.equal(db.run(NOTE, siteId, '2026-01-31', 'b', 0).id, first.id + 1);
  assert.equal(db.run('UPDATE note SET text = ?', 'c').changes, 2);
  assert.equal(db.run('DELETE FROM note WHERE id = ?', 77).changes, 0);
});

test('a write is there whole or not at all', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  const mistake = new Error('a mistake');
  const broken = () =>
    db.write(() => {
      for (let i = 0; i < 10; i++) db.run(NOTE, siteId, '2026-01-31', `note ${i}`, 0);
      assert.equal(count(db, 'note'), 10);
      // Nobody else sees it before it is committed.
      assert.equal(count(other, 'note'), 0);
      throw mistake;
    });
  assert.throws(broken, (error) => error === mistake);
  assert.equal(count(db, 'note'), 0);
  assert.equal(
    db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0).changes),
    1,
  );
  assert.equal(count(other, 'note'), 1);
});

test('a refused row takes the whole write with it', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const broken = () =>
    db.write(() => {
      db.run(NOTE, siteId, '2026-01-31', 'a', 0);
      db.run(NOTE, siteId, 'no day', 'b', 0);
    });
  assert.throws(broken, { code: 'SQLITE_CONSTRAINT_CHECK' });
  assert.equal(count(db, 'note'), 0);
});

test('a write within a write is undone alone when its failure is caught, and with the outer one when not', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  const add = (text: string) => db.run(NOTE, siteId, '2026-01-31', text, 0);
  const fail = () =>
    db.write(() => {
      add('inner');
      throw new Error('a mistake');
    });
  db.write(() => {
    add('outer');
    assert.throws(fail, /a mistake/);
    db.write(() => add('another'));
    assert.equal(count(other, 'note'), 0, 'the inner one commits nothing by itself');
  });
  assert.deepEqual(db.all('SELECT text FROM note ORDER BY id'), [{ text: 'outer' }, { text: 'another' }]);
  assert.throws(
    () =>
      db.write(() => {
        add('more');
        db.write(() => add('and more'));
        fail();
      }),
    /a mistake/,
  );
  assert.equal(count(db, 'note'), 2);
});

test('a write gives back what its work gives back, and takes no work that ends later', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  assert.equal(
    db.write(() => 'done'),
    'done',
  );
  const later = async () => void db.run(NOTE, siteId, '2026-01-31', 'a', 0);
  assert.throws(() => db.write(later), /promise/);
  assert.equal(count(db, 'note'), 0);
});

test('a write holds the lock from its beginning, and gives it back however it ends', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  other.one('PRAGMA busy_timeout = 0');
  const intrude = () => other.write(() => other.run(NOTE, siteId, '2026-01-31', 'intruder', 0));
  db.write(() => {
    // Nothing has been written, nothing even read.
    assert.throws(intrude, { code: 'SQLITE_BUSY' });
    const before = count(db, 'note');
    assert.throws(intrude, { code: 'SQLITE_BUSY' });
    assert.equal(count(other, 'note'), 0, 'reading goes on');
    assert.equal(count(db, 'note'), before);
  });
  assert.throws(() => db.write(() => assert.fail('a mistake')), /a mistake/);
  intrude();
  assert.equal(count(db, 'note'), 1);
});

test('a file that somebody else holds too long is not writable until they let go', (t) => {
  const { db, other } = pair(t);
  const { siteId } = addSomebody(db);
  db.one('PRAGMA busy_timeout = 0');
  assert.equal(db.isWritable(), true);
  const write = () => db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0));
  other.write(() => {
    // Nobody tried yet, so nothing has failed.
    assert.equal(db.isWritable(), true);
    assert.throws(write, { code: 'SQLITE_BUSY' });
    assert.equal(db.isWritable(), false);
    assert.equal(db.isWritable(), false);
    assert.equal(count(db, 'note'), 0, 'reading goes on');
  });
  assert.equal(db.isWritable(), true);
  write();
  assert.equal(count(db, 'note'), 1);
});

test('a file that may not be written is not writable until it may', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  db.run('PRAGMA query_only = ON');
  assert.throws(() => db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0)), { code: 'SQLITE_READONLY' });
  assert.equal(db.isWritable(), false);
  db.run('PRAGMA query_only = OFF');
  assert.equal(db.isWritable(), true);
});

test('a mistake of ours or a refused row says nothing about the disk', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  assert.throws(() => db.write(() => assert.fail('a mistake')), /a mistake/);
  assert.equal(db.isWritable(), true);
  assert.throws(() => db.write(() => db.run(NOTE, siteId, 'no day', 'a', 0)), { code: 'SQLITE_CONSTRAINT_CHECK' });
  assert.equal(db.isWritable(), true);
});

test('a file that may not grow refuses what needs room, loses nothing, and takes it when there is room', (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const write = (notes: number) =>
    db.write(() => {
      for (let i = 0; i < notes; i++) db.run(NOTE, siteId, '2026-01-31', 'x'.repeat(2_000), 0);
    });
  write(10);
  // Not below the pages that there are.
  db.one('PRAGMA max_page_count = 1');
  assert.throws(() => write(100), { code: 'SQLITE_FULL' });
  assert.equal(count(db, 'note'), 10);
  db.write(() => db.run("UPDATE note SET date = '2026-02-01'"));
  db.one('PRAGMA max_page_count = 1000000');
  assert.equal(db.isWritable(), true);
  write(100);
  assert.equal(count(db, 'note'), 110);
});

const PRLIMIT = '/usr/bin/prlimit';
const SKIP = !existsSync(PRLIMIT) && 'it needs prlimit of util-linux';

/** How large a file this process may write, by its soft limit: a write beyond it fails as it does on a full disk. */
const limitFiles = (bytes: number | 'unlimited'): void => {
  execFileSync(PRLIMIT, ['--pid', String(process.pid), `--fsize=${bytes}:`]);
};

test('a disk that takes no more is seen, reading goes on, and writing does as soon as it can', {
  skip: SKIP,
}, (t) => {
  const { db } = pair(t);
  const { siteId } = addSomebody(db);
  const write = () => db.write(() => db.run(NOTE, siteId, '2026-01-31', 'a', 0));
  write();
  limitFiles(4096);
  try {
    assert.throws(write, isFull);
    assert.equal(db.isWritable(), false);
    assert.equal(db.isWritable(), false);
    assert.equal(count(db, 'note'), 1);
    assert.throws(write, isFull);
  } finally {
    limitFiles('unlimited');
  }
  assert.equal(db.isWritable(), true);
  write();
  assert.equal(count(db, 'note'), 2);
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
});

test('a WAL that cannot be moved into a file on such a disk is emptied once it can', { skip: SKIP }, (t) => {
  const { path, db } = pair(t);
  const { siteId } = addSomebody(db);
  db.run(NOTE, siteId, '2026-01-31', 'a', 0);
  limitFiles(4096);
  try {
    assert.equal(db.emptyWal(), false);
  } finally {
    limitFiles('unlimited');
  }
  assert.equal(count(db, 'note'), 1);
  assert.equal(db.emptyWal(), true);
  assert.equal(statSync(`${path}-wal`).size, 0);
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
});

/** Everything that asks more than once, over a file in which there is something to be found. */
function questions(db: Db): Record<string, (db: Db) => unknown> {
  const { userId, accountId, siteId } = addSomebody(db);
  const secret = tokenSecret(randomBytes);
  const [token, goal, funnel, note, member] = db.write(() => {
    const guest = addUser(db, { email: 'bob@example.com', password: null, now: 0 });
    setPasswordLink(db, guest.id, secret, 10);
    const invitation = {
      accountId,
      owner: 'ann@example.com',
      email: 'bob@example.com',
      role: 'viewer',
      now: 0,
    } as const;
    const invited = inviteMember(db, { ...invitation, secret: `${secret}2` });
    const found = findInvitation(db, `${secret}2`, 1);
    if (found) acceptInvitation(db, found, guest.id);
    inviteMember(db, { ...invitation, email: 'cid@example.com', secret });
    const target = { type: 'page', value: '/' } as const;
    return [
      addToken(db, { userId, name: 'a', abilities: ['read'], secret, now: 0 }),
      addGoal(db, siteId, target, 0),
      addFunnel(db, siteId, { name: 'a', steps: [target, target] }, 0),
      addNote(db, siteId, { date: '2026-01-31', text: 'a' }, 0),
      invited,
    ];
  });
  return {
    listSites: (asked) => listSites(asked, userId),
    findSite: (asked) => findSite(asked, userId, siteId),
    findSiteByDomain: (asked) => findSiteByDomain(asked, userId, 'example.com'),
    findHolder: (asked) => findHolder(asked, token.id, secret),
    findStanding: (asked) => findStanding(asked, accountId, 0),
    findAccountRole: (asked) => findAccountRole(asked, accountId, userId),
    listManagedAccounts: (asked) => listManagedAccounts(asked, userId),
    findToken: (asked) => findToken(asked, userId, token.id),
    listTokens: (asked) => listTokens(asked, userId),
    findGoal: (asked) => findGoal(asked, siteId, goal.id),
    listGoals: (asked) => listGoals(asked, siteId),
    findFunnel: (asked) => findFunnel(asked, siteId, funnel.id),
    listFunnels: (asked) => listFunnels(asked, siteId),
    findNote: (asked) => findNote(asked, siteId, note.id),
    listNotes: (asked) => listNotes(asked, siteId, '2026-01-01', '2026-12-31'),
    findMember: (asked) => findMember(asked, accountId, member.id),
    listMembers: (asked) => listMembers(asked, accountId),
    listTeams: (asked) => listTeams(asked, userId + 1),
    findInvitation: (asked) => findInvitation(asked, secret, 1),
    findUser: (asked) => findUser(asked, 'ann@example.com'),
    findUserByLink: (asked) => findUserByLink(asked, secret, 1),
  };
}

/** A file of ours with the handle below it. */
function rawFile(t: TestContext): Database.Database {
  const path = join(folder(t), 'daybook.db');
  openStore(path).close();
  const file = new Database(path);
  t.after(() => file.close());
  return file;
}

test('the WAL is emptied without waiting for who needs it, and it is said whether it is', (t) => {
  const file = rawFile(t);
  const db = statements(file);
  const other = new Database(file.name);
  t.after(() => other.close());
  const walBytes = () => statSync(`${file.name}-wal`).size;
  const patience = () => pragma('busy_timeout', { simple: true });
  const pragma = file.pragma.bind(file);
  const waits: unknown[] = [];
  t.mock.method(file, 'pragma', (sql: string, options?: Database.PragmaOptions) => {
    if (sql.startsWith('wal_checkpoint')) waits.push(patience());
    return pragma(sql, options);
  });
  addSomebody(db);
  for (const [begin, end] of [
    ['BEGIN; SELECT count(*) FROM site', 'COMMIT'],
    ['BEGIN IMMEDIATE', 'ROLLBACK'],
  ] as const) {
    db.run('UPDATE site SET weekly_report = 1 - weekly_report');
    other.exec(begin);
    assert.equal(db.emptyWal(), false, begin);
    assert.ok(walBytes() > 0);
    other.exec(end);
    assert.equal(db.emptyWal(), true);
    assert.equal(walBytes(), 0);
  }
  db.write(() => {
    db.run('UPDATE site SET public_live = 1');
    assert.equal(db.emptyWal(), false, 'in the middle of a transaction');
  });
  assert.deepEqual(db.one('SELECT public_live AS live FROM site'), { live: 1 });
  assert.deepEqual(waits, [0, 0, 0, 0, 0]);
  assert.equal(patience(), 5_000);
});

test('each SQL text is handed to SQLite once, however often it is asked', (t) => {
  const file = rawFile(t);
  const db = statements(file);
  const asks = Object.entries(questions(db));
  const prepare = t.mock.method(file, 'prepare');
  for (let round = 0; round < 3; round++) {
    for (const [name, ask] of asks) assert.ok(ask(db), name);
  }
  const texts = prepare.mock.calls.map(({ arguments: [sql] }) => sql);
  assert.equal(new Set(texts).size, texts.length);
  assert.ok(texts.length <= asks.length + 1);
});

/**
 * SQLite has no way to say that it prepares a statement again. But with statistics over an index it asks a deterministic
 * function for its value when it plans a comparison with it: this expression does nothing when it runs, and rings when it is
 * planned.
 */
const BELL = 'coalesce(1, (SELECT count(*) FROM bell WHERE n > ring())) AS bell';

const withBell = (sql: string): string =>
  // In a compound each part has to have the same columns.
  sql.includes('(') ? sql.replace('SELECT', `SELECT ${BELL},`) : sql.replaceAll('SELECT', `SELECT ${BELL},`);

test('SQLite plans each question once, however often and with whatever values it is asked', (t) => {
  const file = rawFile(t);
  let rings = 0;
  file.function('ring', { deterministic: true }, () => ++rings);
  file.exec(`
    CREATE TABLE bell (n INTEGER) STRICT;
    CREATE INDEX bell_n ON bell (n);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100) INSERT INTO bell SELECT n FROM numbers;
    ANALYZE bell;`);
  const db = statements(file);
  const asks = questions(db);

  const asked: { sql: string; values: Value[] }[] = [];
  const noting: Db = {
    ...db,
    one(sql, ...values) {
      asked.push({ sql, values });
      return db.one(sql, ...values);
    },
    all(sql, ...values) {
      asked.push({ sql, values });
      return db.all(sql, ...values);
    },
  };
  for (const [name, ask] of Object.entries(asks)) assert.ok(ask(noting), name);
  assert.equal(asked.length, Object.keys(asks).length);

  let restless = 0;
  for (const { sql, values } of asked) {
    const ringing = (ask: (values: Value[]) => unknown): boolean[] =>
      // The first time prepares it; later times with another value, too.
      [values, values, values.map(() => 7), values.map(() => 'text'), values].map((given) => {
        const before = rings;
        ask(given);
        return rings > before;
      });
    assert.deepEqual(
      ringing((given) => db.all(withBell(sql), ...given)),
      [true, false, false, false, false],
      sql,
    );

    const bare = file.prepare(withBell(sql));
    if (ringing((given) => bare.all(...given)).some((rung) => rung)) restless++;
  }
  // Without what statements() does, some are planned again: so the bell does ring.
  assert.ok(restless > 0);
  t.diagnostic(`${restless} of ${asked.length} questions would be planned again and again`);
});
