import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSecret } from '../../../src/lib/secrets.ts';
import { DAY } from '../../../src/lib/time.ts';
import { addCollector, findCollector, retireCollector } from '../../../src/store/cluster/collectors.ts';
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
