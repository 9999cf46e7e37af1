import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { hashSecret } from '../../src/lib/secrets.ts';
import { addCollector, changeStatus, findCollector } from '../../src/store/cluster/collectors.ts';
import type { Status } from '../../src/store/cluster/sender-status.ts';
import { addUsage } from '../../src/store/people/accounts.ts';
import { addReportedOutage, listAllOutages } from '../../src/store/server/outages.ts';
import { fileOf } from '../collect/stage.ts';
import { NOON } from '../support/helpers.ts';
import { here } from './here.ts';

const NOW = NOON / 1000;

const STATUS: Status = {
  ...{ version: '1', run: 'a', now: NOW, next: 0, until: NOW - 60, parcelAt: null, bytes: 5 },
  ...{ behind: [], servers: [], cuts: [], visitors: null, closed: null },
};

test('collectors retire asks one that was heard, and gives up one that was never started or is lost', async (t) => {
  const { path, open } = fileOf(t);
  const { db } = open();
  for (const name of ['one', 'two', 'new'])
    db.write(() => addCollector(db, { name, hash: hashSecret(name), now: NOW }));
  for (const number of [1, 2]) changeStatus(db, number, { status: STATUS, outbox: 'box', now: NOW });

  const asked = await here(path, 'collectors', 'retire', 'one');
  assert.match(asked.printed.join(), /takes no more hits/);
  assert.match(asked.explained.join('\n'), /^daybook collectors lists .*retire one --lost\n.*password of the cluster/);
  changeStatus(db, 1, { status: STATUS, outbox: 'box', now: NOW - 3_600 });
  const again = await here(path, 'collectors', 'retire', 'one');
  assert.match(again.explained.join('\n'), /^last contact: 2026-03-10T11:00:00Z. Start the collector/);
  assert.equal(findCollector(db, 'one')?.isRetiring, true);
  const { printed } = await here(path, 'collectors');
  assert.match(printed.join('\n'), /^one +retiring .*\ntwo +takes-hits .*\nnew +- +never/m);

  assert.match(
    (await here(path, 'collectors', 'retire', 'two', '--lost')).printed.join(),
    /Its unsent hits since .* are lost/,
  );
  assert.deepEqual(await here(path, 'collectors', 'retire', 'new'), {
    printed: ['collector new retired'],
    explained: [],
  });
  assert.equal(findCollector(db, 'two') ?? findCollector(db, 'new'), undefined);
  await assert.rejects(here(path, 'collectors', 'retire', 'two'), /there is no collector two/);
});

test('what a collector told wrongly is undone by commands', async (t) => {
  const { path, open } = fileOf(t);
  const { db } = open();
  addUsage(db, 1, '2026-03', 1e15);
  assert.deepEqual((await here(path, 'plan', 'usage', 'ann@example.com')).printed, ['1000000000000000']);
  assert.deepEqual((await here(path, 'plan', 'usage', 'ann@example.com', '120')).printed, ['120']);
  await assert.rejects(here(path, 'plan', 'usage', 'ann@example.com', 'many'), /EVENTS takes a whole number/);
  await assert.rejects(here(path, 'plan', 'usage', 'bob@example.com'));

  addReportedOutage(db, { from: NOW - 600, to: NOW, reason: 'down' });
  const [outage] = listAllOutages(db);
  assert.match(
    (await here(path, 'outages')).printed.join('\n'),
    new RegExp(`^${outage?.id} +2026-03-10T11:50:00Z .* down`, 'm'),
  );
  await assert.rejects(here(path, 'outages', 'remove', '99'), /there is no outage 99/);
  await here(path, 'outages', 'remove', `${outage?.id}`);
  assert.deepEqual(listAllOutages(db), []);
});

test('collectors add writes its secret to a new file that only its owner can read', async (t) => {
  const { path, open } = fileOf(t);
  const { db } = open();
  const file = join(dirname(path), 'one.secret');
  const { printed, explained } = await here(path, 'collectors', 'add', 'one', '--secret-file', file);
  assert.deepEqual(printed, []);
  assert.match(explained.join(), /one\.secret/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const secret = readFileSync(file, 'utf8').trim();
  assert.match(secret, /^\w{43}$/);
  assert.ok(!explained.join().includes(secret));
  await assert.rejects(here(path, 'collectors', 'add', 'two', '--secret-file', file), /one\.secret: EEXIST/);
  assert.equal(findCollector(db, 'two'), undefined);
});
