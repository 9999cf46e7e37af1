import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeTokenSecret } from '../../src/lib/secrets.ts';
import { type Db, makeDb } from '../../src/store/db.ts';
import { findAccountRole, findStanding, listManagedAccounts } from '../../src/store/people/accounts.ts';
import {
  acceptInvitation,
  findInvitation,
  findMember,
  inviteMember,
  listMembers,
  listTeams,
} from '../../src/store/people/team.ts';
import { addToken, findHolder, findToken, listTokens } from '../../src/store/people/tokens.ts';
import { addUser, findUser, findUserByLink, setPasswordLink } from '../../src/store/people/users.ts';
import { addFunnel, findFunnel, listFunnels } from '../../src/store/sites/funnels.ts';
import { addGoal, findGoal, listGoals } from '../../src/store/sites/goals.ts';
import { addNote, findNote, listNotes } from '../../src/store/sites/notes.ts';
import { findSite, findSiteByDomain, listSites } from '../../src/store/sites/sites.ts';
import { addSomebody, rawFile, type Value } from './pair.ts';

/** Everything that asks more than once, over a file in which there is something to be found. */
function questions(db: Db): Record<string, (db: Db) => unknown> {
  const { userId, accountId, siteId } = addSomebody(db);
  const secret = makeTokenSecret(randomBytes);
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
      addNote(db, siteId, { date: '2026-01-31', text: 'a', url: null, effect: false }, 0),
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

test('each SQL text is handed to SQLite once, however often it is asked', (t) => {
  const file = rawFile(t);
  const db = makeDb(file);
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

/** In a compound each part has to have the same columns. A SELECT in brackets is no part. */
function withBell(sql: string): string {
  let depth = 0;
  return sql.replaceAll(/[()]|SELECT/g, (found) => {
    if (found === 'SELECT') return depth === 0 ? `SELECT ${BELL},` : found;
    depth += found === '(' ? 1 : -1;
    return found;
  });
}

test('SQLite plans each question once, however often and with whatever values it is asked', (t) => {
  const file = rawFile(t);
  let rings = 0;
  file.function('ring', { deterministic: true }, () => ++rings);
  file.exec(`
    CREATE TABLE bell (n INTEGER) STRICT;
    CREATE INDEX bell_n ON bell (n);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100) INSERT INTO bell SELECT n FROM numbers;
    ANALYZE bell;`);
  const db = makeDb(file);
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
