import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFurther, listLate, listOutdone, noteLate } from '../../../src/cluster/servers/late.ts';
import { bookOf } from '../../ledger/stage.ts';

const CLOCK = { now: () => 0, tick: () => 0 };

test('late servers are noted for commands; a note that cannot be written stops nothing', (t) => {
  const { db } = bookOf(t);
  noteLate(db, CLOCK, [{ url: 'http://a/' }]);
  assert.ok(listLate(db).has('http://a/'));
  db.run('PRAGMA query_only = ON');
  noteLate(db, CLOCK, []);
  assert.ok(listLate(db).has('http://a/'));
});

test('late servers: a server is outdone if a sender gave more to a replica, and one of the two never is', () => {
  const report = (...untils: number[]) => ({
    servers: untils.map((until, i) => ({ url: `http://${i}/`, next: until * 64, until })),
  });
  const outdone = (...reports: ReturnType<typeof report>[]) =>
    [0, 1].filter((i) => isFurther(reports, `http://${1 - i}/`, `http://${i}/`));
  const own = report(1_000, 1_000);
  assert.deepEqual(outdone(), []);
  assert.deepEqual(outdone(own, report(995, 300)), [1]);
  assert.deepEqual(outdone(own, report(995, 940)), [], 'less than a minute');
  // A collector that does not respond gave as little to both. This hides no other one.
  assert.deepEqual(outdone(own, report(100, 100), report(995, 300)), [1]);
  // A sender that has not reported about a server says nothing of it.
  assert.deepEqual(outdone(own, report(1_000)), []);
  // Each lacks what the other one has.
  assert.deepEqual(outdone(report(995, 300), report(500, 995)), [1]);
  assert.deepEqual(outdone(report(995, 300), report(300, 995)), []);
});

test('late servers: a command knows from the file for which servers the primary has hits', (t) => {
  const { db } = bookOf(t);
  const nodes = ['a', 'b', 'c'].map((name, i) => ({ url: `http://${name}/`, shard: i === 2 ? 1 : 0 }));
  noteLate(db, CLOCK, [{ url: 'http://b/' }, { url: 'http://c/' }]);
  const find = (isCommand: boolean) => [...listOutdone(db, nodes, { isCommand })];
  assert.deepEqual([find(true), find(false)], [['http://b/'], []]);
});
