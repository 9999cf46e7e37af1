import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { makeVisitors } from '../../src/collect/visitor.ts';
import type { Db } from '../../src/store/db.ts';
import { CHROME, fileOf, GERMAN, IPHONE, TODAY } from './stage.ts';

function stage(t: TestContext, { sites = 2 } = {}) {
  const { path, open } = fileOf(t, { sites });
  const { db } = open();
  let time = 0;
  const clock = { tick: () => time };
  let asked = 0;
  const random = (size: number): Buffer => {
    asked++;
    return randomBytes(size);
  };
  const start = () => makeVisitors(db, random, clock, false);
  return {
    db,
    open,
    start,
    asked: () => asked,
    walBytes: () => statSync(`${path}-wal`).size,
    pass(milliseconds: number): void {
      time += milliseconds;
    },
    ...start(),
  };
}

type Salt = { siteId: number; day: number; bytes: Buffer };
const saltsOf = (db: Db): Salt[] => db.all('SELECT site_id AS siteId, day, bytes FROM salt ORDER BY site_id, day');
const saltOf = (db: Db): Salt | undefined => saltsOf(db)[0];

/** Noon of a day, in UTC. */
const noonOf = (day: number): number => day * 86_400 + 43_200;

test('a code is the first 53 bits of the HMAC of site, address and agent with the salt of the site and day', (t) => {
  const { db, computeCode } = stage(t);
  computeCode(TODAY, 1, GERMAN, CHROME);
  const { day, bytes } = saltOf(db) ?? { day: 0, bytes: Buffer.alloc(0) };
  assert.deepEqual([day, bytes.length], [TODAY, 32]);
  fc.assert(
    fc.property(fc.ipV4(), fc.string({ maxLength: 500 }), (address, name) => {
      const digest = createHmac('sha256', bytes).update(`1\n${address}\n${name}`).digest('hex');
      assert.equal(computeCode(TODAY, 1, address, name), Number(BigInt(`0x${digest}`) >> (256n - 53n)));
    }),
  );
});

test('the same visitor has the same code, and each other one another', (t) => {
  const { computeCode } = stage(t, { sites: 111 });
  const addresses = ['192.0.2.1', '192.0.2.11', '192.0.2.111', '2001:db8::1', '2001:db8:0:1::1', ''];
  const agents = [CHROME, IPHONE, '', '1'];
  const codes = [1, 11, 111].flatMap((siteId) =>
    addresses.flatMap((address) => agents.map((agent) => computeCode(TODAY, siteId, address, agent))),
  );
  assert.equal(new Set(codes).size, 3 * addresses.length * agents.length);
  assert.equal(computeCode(TODAY, 1, '192.0.2.1', CHROME), codes[0]);
});

test('all addresses of a /64 are one, however they are written, and of the next another', (t) => {
  const { computeCode } = stage(t);
  const group = fc.integer({ min: 0, max: 0xffff });
  const half = fc.tuple(group, group, group, group);
  const written = ([first, second]: number[][], upper: boolean): string => {
    const text = [...(first ?? []), ...(second ?? [])]
      .map((one) => one.toString(16).padStart(upper ? 4 : 1, '0'))
      .join(':');
    return upper ? text.toUpperCase() : text;
  };
  fc.assert(
    fc.property(half, half, half, (network, host, other) => {
      // Of the first the addresses ::ffff:0:0/96 are IPv4.
      fc.pre(network.some((one) => one !== 0));
      const code = computeCode(TODAY, 1, written([network, host], false), CHROME);
      assert.equal(computeCode(TODAY, 1, written([network, other], true), CHROME), code);
      const next = network.with(3, (network[3] ?? 0) ^ 1);
      assert.notEqual(computeCode(TODAY, 1, written([next, host], false), CHROME), code);
    }),
  );
});

test('a salt is made once for a site and day, and one that is there is used', (t) => {
  const { db, start, computeCode, asked } = stage(t);
  const [first, again] = [computeCode(TODAY, 1, GERMAN, CHROME), computeCode(TODAY, 1, GERMAN, CHROME)];
  const restarted = start();
  assert.deepEqual([again, restarted.computeCode(TODAY, 1, GERMAN, CHROME)], [first, first]);
  assert.equal(asked(), 1);

  const { bytes: before } = saltOf(db) ?? {};
  assert.notEqual(computeCode(TODAY + 1, 1, GERMAN, CHROME), first);
  const { day, bytes } = saltOf(db) ?? {};
  assert.equal(day, TODAY + 1);
  assert.notDeepEqual(bytes, before);
  assert.equal(restarted.computeCode(TODAY + 1, 1, GERMAN, CHROME), computeCode(TODAY + 1, 1, GERMAN, CHROME));
  // Two salts, and the key for the fingerprint of the removed salt.
  assert.deepEqual([asked(), saltsOf(db).length], [3, 1]);
});

test('no two sites share a salt, and the day of one does not end that of another', (t) => {
  const { db, computeCode, renew } = stage(t);
  const code = computeCode(TODAY, 1, GERMAN, CHROME);
  const other = computeCode(TODAY, 2, GERMAN, CHROME);
  const [one, two] = saltsOf(db);
  assert.ok(one && two);
  assert.notDeepEqual(one.bytes, two.bytes);
  db.run("UPDATE site SET time_zone = 'Pacific/Kiritimati' WHERE id = 2");
  assert.notEqual(computeCode(TODAY + 1, 2, GERMAN, CHROME), other);
  renew(noonOf(TODAY));
  assert.deepEqual(
    saltsOf(db).map(({ siteId, day }) => [siteId, day]),
    [
      [1, TODAY],
      [2, TODAY + 1],
    ],
  );
  assert.equal(computeCode(TODAY, 1, GERMAN, CHROME), code);
});

test('a code goes with its salt, also where that was of a day to which the clock leapt', (t) => {
  const { db, computeCode, renew } = stage(t);
  db.write(() => db.run('REPLACE INTO trusted_day (one, day) VALUES (1, ?)', TODAY));
  computeCode(TODAY, 1, GERMAN, CHROME);
  const code = computeCode(TODAY + 400, 1, GERMAN, CHROME);
  assert.equal(computeCode(TODAY + 400, 1, GERMAN, CHROME), code);
  renew(noonOf(TODAY));
  assert.deepEqual(
    saltsOf(db).map(({ day }) => day),
    [TODAY],
  );
  assert.notEqual(computeCode(TODAY + 400, 1, GERMAN, CHROME), code);
});

test('a salt goes with its site', (t) => {
  const { db, computeCode, renew, walBytes } = stage(t);
  computeCode(TODAY, 1, GERMAN, CHROME);
  db.write(() => db.run('DELETE FROM site WHERE id = 1'));
  renew(noonOf(TODAY));
  assert.deepEqual([saltsOf(db), walBytes()], [[], 0]);
});

test('where the salt cannot be kept there is no code, and as soon as it can there is', (t) => {
  const { db, computeCode } = stage(t);
  db.run('PRAGMA query_only = ON');
  assert.throws(() => computeCode(TODAY, 1, GERMAN, CHROME), { code: 'SQLITE_READONLY' });
  db.run('PRAGMA query_only = OFF');
  assert.equal(computeCode(TODAY, 1, GERMAN, CHROME), computeCode(TODAY, 1, GERMAN, CHROME));
});

/** Begins to read what there is, and does so until told to stop. */
function reading(other: Db): () => void {
  other.run('BEGIN');
  other.all('SELECT * FROM salt');
  return () => void other.run('COMMIT');
}

test('a salt is overwritten without a visitor when its day is over, and only then', (t) => {
  const { db, start, computeCode, renew, walBytes } = stage(t);
  const code = computeCode(TODAY, 1, GERMAN, CHROME);
  const first = saltsOf(db);
  renew(noonOf(TODAY));
  start().renew(noonOf(TODAY));
  assert.deepEqual(saltsOf(db), first);
  assert.equal(computeCode(TODAY, 1, GERMAN, CHROME), code);

  renew(noonOf(TODAY + 1));
  assert.deepEqual([saltsOf(db), walBytes()], [[], 0]);
  computeCode(TODAY + 1, 1, GERMAN, CHROME);
  start().renew(noonOf(TODAY + 2));
  assert.deepEqual([saltsOf(db), walBytes()], [[], 0]);
});

test('a reader keeps nobody waiting, and once it is gone the WAL is emptied by a code, at most one a second', (t) => {
  const { db, open, computeCode, walBytes, pass } = stage(t);
  computeCode(TODAY, 1, GERMAN, CHROME);
  const stop = reading(open().db);
  const tries = t.mock.method(db, 'emptyWal').mock;
  const code = computeCode(TODAY + 1, 1, GERMAN, CHROME);
  const ask = () => assert.equal(computeCode(TODAY + 1, 1, GERMAN, CHROME), code);
  ask();
  pass(1_000);
  ask();
  ask();
  assert.equal(tries.callCount(), 2);
  assert.ok(walBytes() > 0);

  stop();
  pass(999);
  ask();
  assert.equal(tries.callCount(), 2);
  pass(1);
  ask();
  assert.deepEqual([tries.callCount(), walBytes()], [3, 0]);
  pass(10_000);
  ask();
  assert.equal(tries.callCount(), 3, 'what is done is not done again');
});

test('renewing empties the WAL without a visitor, as soon as no reader needs it', (t) => {
  const { db, open, computeCode, renew, walBytes } = stage(t);
  computeCode(TODAY, 1, GERMAN, CHROME);
  const stop = reading(open().db);
  renew(noonOf(TODAY + 1));
  renew(noonOf(TODAY + 1));
  assert.ok(walBytes() > 0);
  stop();
  renew(noonOf(TODAY + 1));
  assert.deepEqual([saltsOf(db), walBytes()], [[], 0]);
});
