import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildPrimaryClock } from '../../src/collectors/clock.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { hasOwnSalts, MIRRORED_TABLES, type Mirror, setMirror } from '../../src/store/cluster/copied-tables.ts';
import { openOutbox } from '../../src/store/cluster/outbox.ts';
import { addSalt } from '../../src/store/sites/salts.ts';
import { folder } from '../support/helpers.ts';

/** 2026-03-10T12:00:00Z */
const NOON = 1_773_144_000_000;

/** A machine whose clock stands wrong by so many seconds, and whose ticks begin with each start. */
function stage(t: TestContext, off = 0) {
  const { db, close } = openOutbox(join(folder(t), 'outbox.db'), 'one');
  t.after(close);
  let [wall, tick, truth] = [NOON + off * 1000, 5, NOON];
  const own = { now: () => wall, tick: () => tick };
  let clock = buildPrimaryClock(own, db);
  return {
    db,
    /** Seconds from noon by the primary, as the collector knows it. */
    now: () => (clock.now() - NOON) / 1000,
    isKnown: () => clock.isKnown(),
    pass(seconds: number): void {
      wall += seconds * 1000;
      tick += seconds * 1000;
      truth += seconds * 1000;
    },
    set(seconds: number): void {
      wall += seconds * 1000;
    },
    sleep(seconds: number): void {
      wall += seconds * 1000;
      truth += seconds * 1000;
    },
    /** The answer comes after so many milliseconds, and was made at half of them. */
    hear(ms = 0): void {
      const asked = tick;
      tick += ms;
      wall += ms;
      clock.heard({ now: truth + ms / 2, asked, came: tick });
      truth += ms;
    },
    restart(): void {
      clock.keep();
      tick = 5;
      clock = buildPrimaryClock(own, db);
    },
  };
}

test('the time is that of the primary, wherever the clock of the machine stands', (t) => {
  for (const off of [0, -DAY, DAY, 400 * DAY]) {
    const { hear, pass, now, isKnown } = stage(t, off);
    assert.equal(isKnown(), false, 'nobody has told it yet');
    hear(40);
    assert.deepEqual([isKnown(), now()], [true, 0.04]);
    pass(3 * HOUR);
    assert.deepEqual([isKnown(), now()], [true, 3 * HOUR + 0.04]);
  }
});

test('somebody who sets the clock moves no hit: none is taken until the primary is heard, or the clock is back', (t) => {
  const { hear, pass, set, sleep, now, isKnown } = stage(t);
  hear();
  for (const leap of [DAY, -DAY, 31, -31]) {
    set(leap);
    assert.deepEqual([isKnown(), now()], [false, 0], `${leap}`);
    set(-leap);
    assert.deepEqual([isKnown(), now()], [true, 0]);
  }
  set(DAY);
  hear();
  pass(10);
  assert.deepEqual([isKnown(), now()], [true, 10]);
  sleep(HOUR);
  assert.equal(isKnown(), false, 'a machine that slept does not know for how long');
  hear();
  assert.deepEqual([isKnown(), now()], [true, 10 + HOUR]);
  set(29);
  assert.equal(isKnown(), true);
});

test('time does not go back by what answers differ, and slow answers do not change it', (t) => {
  const { hear, now, pass } = stage(t);
  hear(1_000);
  const first = now();
  hear(0);
  assert.ok(now() >= first);
  pass(1);
  const before = now();
  hear(9_000);
  assert.equal(now(), before + 9);
});

test('a start without the primary goes by what was known, unless the machine was off for too long or is behind', (t) => {
  const { hear, pass, set, restart, now, isKnown } = stage(t, -DAY);
  restart();
  assert.equal(isKnown(), false);
  hear();
  pass(HOUR);
  restart();
  assert.deepEqual([isKnown(), now()], [true, HOUR]);
  set(11 * HOUR);
  assert.deepEqual([isKnown(), now()], [true, 12 * HOUR]);
  for (const by of [DAY, -DAY, -2 * 60]) {
    const other = stage(t);
    other.hear();
    other.restart();
    other.set(by);
    assert.equal(other.isKnown(), false, `${by}`);
    other.set(-by);
    assert.equal(other.isKnown(), true);
    other.set(by);
    other.hear();
    assert.deepEqual([other.isKnown(), other.now()], [true, 0]);
  }
});

/** What a primary sends that has nothing. */
const EMPTY = Object.fromEntries(MIRRORED_TABLES.map((table) => [table, []])) as unknown as Mirror;

test('the salts that a collector deletes for the primary are given back as bytes, with their days', (t) => {
  const { db } = stage(t);
  const set = (...salt: [siteId: number, day: number, bytes: string][]) => setMirror(db, { ...EMPTY, salt }).removed;
  assert.deepEqual(set([1, 5, 'AA'], [1, 6, 'BB'], [2, 5, 'CC']), []);
  addSalt(db, { siteId: 1, day: 7 }, Buffer.from([0xee]));
  const removed = set([1, 6, 'DD'], [1, 7, '11'], [2, 5, 'CC']);
  assert.deepEqual(
    removed.map(({ day, bytes }) => [day, bytes.toString('hex')]),
    [
      [7, 'ee'],
      [5, 'aa'],
    ],
  );
  assert.deepEqual(set([1, 6, 'BB'], [1, 7, '11'], [2, 5, 'CC']), []);
});

test('the salt of a day is the one that the primary told first, one of its own gives way, and deleted ones go', (t) => {
  const { db } = stage(t);
  const salts = (...rows: [siteId: number, day: number, bytes: string][]) =>
    setMirror(db, { ...EMPTY, salt: rows }).changed.has('salt');
  const known = () => db.lists('SELECT site_id, day, hex(bytes) FROM salt ORDER BY 1, 2');
  assert.equal(salts([1, 5, 'AA'], [1, 6, 'BB'], [2, 5, 'CC']), true);
  assert.equal(hasOwnSalts(db), false);
  assert.equal(salts([1, 5, 'AA'], [1, 6, 'BB'], [2, 5, 'CC']), false);
  // A primary that was restored has other salts; the running one stays, because all collectors have it.
  assert.equal(salts([1, 5, 'DD'], [1, 6, 'BB'], [2, 5, 'CC']), false);
  assert.deepEqual(known(), [
    [1, 5, 'AA'],
    [1, 6, 'BB'],
    [2, 5, 'CC'],
  ]);
  addSalt(db, { siteId: 1, day: 7 }, Buffer.from([0xee]));
  addSalt(db, { siteId: 1, day: 9 }, Buffer.from([0xff]));
  assert.equal(hasOwnSalts(db), true, 'so that it asks for those of the primary');
  assert.equal(salts([1, 6, 'BB'], [1, 7, '11']), true);
  assert.deepEqual(known(), [
    [1, 6, 'BB'],
    [1, 7, '11'],
  ]);
  assert.equal(hasOwnSalts(db), false);
});
