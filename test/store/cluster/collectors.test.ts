import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hashSecret } from '../../../src/lib/secrets.ts';
import { DAY } from '../../../src/lib/time.ts';
import { changeServerState, listKnownServers, setServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus, findCollector, retireCollector } from '../../../src/store/cluster/collectors.ts';
import type { Status } from '../../../src/store/cluster/sender-status.ts';
import { fileOf } from '../../collect/stage.ts';

const NOW = 1_800_000_000;

test('a number of a collector comes again only when all are used, and its collector had sent everything a month ago', (t) => {
  const { db } = fileOf(t).open();
  const add = (name: string, now = NOW) => db.write(() => addCollector(db, { name, hash: hashSecret(name), now }));
  const retire = (name: string, now: number, isLost = false) => {
    const one = findCollector(db, name);
    assert.ok(one);
    db.write(() => retireCollector(db, one, { now, isLost }));
  };
  for (let n = 1; n <= 3; n++) assert.equal(add(`c${n}`), n);
  retire('c2', NOW);
  retire('c1', NOW - 1, true);
  retire('c3', NOW - 2);
  for (let n = 4; n <= 62; n++) assert.equal(add(`c${n}`), n);
  assert.equal(add('late'), undefined);
  assert.equal(add('late', NOW + 30 * DAY - 1), 3, 'the first that retired');
  assert.equal(add('later', NOW + 30 * DAY), undefined);
  assert.equal(add('later', NOW + 31 * DAY), 2);
  assert.equal(add('last', NOW + 400 * DAY), undefined, 'the number of one that was lost is used up');
});

const [A, B] = ['http://a.example:8123/', 'http://b.example:8123/'];

/** Two replicas, and collectors that say until which second each replica has their rows. */
function stageReplicas(t: TestContext) {
  const { db } = fileOf(t).open();
  const replicas = [A, B].map((url, replica) => ({ url, shard: 0, replica }));
  db.write(() => setServers(db, replicas));
  const silent = { version: '', run: '', now: NOW, cuts: [], parcelAt: null, bytes: 0, behind: [], visitors: null };
  return {
    report(name: string, untilA: number, untilB: number) {
      const servers = replicas.map(({ url }, i) => ({ url, next: 0, until: i === 0 ? untilA : untilB }));
      const status: Status = { ...silent, servers, next: 0, until: 0, closed: null };
      db.write(() => {
        const number =
          findCollector(db, name)?.number ?? addCollector(db, { name, hash: hashSecret(name), now: NOW }) ?? 0;
        changeStatus(db, number, { status, outbox: name, now: NOW });
      });
    },
    lose(name: string) {
      const one = findCollector(db, name);
      assert.ok(one);
      db.write(() => retireCollector(db, one, { now: NOW, isLost: true }));
    },
    fill: (url: string) => db.write(() => changeServerState(db, url, { state: 'complete', now: NOW })),
    wanted: () => listKnownServers(db).flatMap(({ url, isWanted }) => (isWanted === 1 ? [url] : [])),
  };
}

test('if two lost collectors left rows on one replica each, none of the replicas is filled from the other', (t) => {
  const { report, lose, fill, wanted } = stageReplicas(t);
  report('one', NOW, NOW - 500);
  report('two', NOW - 500, NOW);
  lose('one');
  assert.deepEqual(wanted(), []);
  lose('two');
  assert.deepEqual(wanted(), []);
  // What was lost before a fill says nothing about the time after it.
  fill(A);
  report('three', NOW, NOW - 500);
  lose('three');
  assert.deepEqual(wanted(), [B]);
});

test('a replica that alone has half a minute of a lost collector is not filled for another lost one', (t) => {
  const { report, lose, wanted } = stageReplicas(t);
  report('one', NOW, NOW - 500);
  report('two', NOW - 30, NOW);
  lose('two');
  lose('one');
  assert.deepEqual(wanted(), []);
});

test('a replica that lacks rows of a lost collector is filled once another collector has sent the rest', (t) => {
  const { report, lose, wanted } = stageReplicas(t);
  report('one', NOW, NOW - 500);
  report('two', NOW - 500, NOW);
  lose('one');
  report('two', NOW, NOW);
  assert.deepEqual(wanted(), [B]);
});
