import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCollectors } from '../../src/doctor/collectors.ts';
import { tell } from '../../src/doctor/result.ts';
import { hashSecret } from '../../src/lib/secrets.ts';
import { addCollector, changeStatus } from '../../src/store/cluster/collectors.ts';
import type { Status } from '../../src/store/cluster/sender-status.ts';
import { fileOf } from '../collect/stage.ts';

const NOW = 1_800_000_000;

const STATUS: Status = {
  version: '1',
  run: 'a',
  now: NOW,
  next: 0,
  until: NOW,
  parcelAt: null,
  bytes: 2_000_000,
  behind: [],
  servers: [],
  cuts: [],
  visitors: null,
  closed: null,
};

test('the gravest trouble of collectors is told, with its remedy', (t) => {
  const { db } = fileOf(t).open();
  const find = () => tell(checkCollectors(db, NOW));
  assert.equal(find().says, 'No collectors');
  for (const name of ['one', 'two']) db.write(() => addCollector(db, { name, hash: hashSecret(name), now: NOW }));
  assert.equal(find().says, 'No collectors', 'none was started yet');
  const said = (status: Partial<Status>, seenAt = NOW): string => {
    db.write(() => {
      changeStatus(db, 1, { status: STATUS, outbox: 'one', now: NOW });
      changeStatus(db, 2, { status: { ...STATUS, ...status }, outbox: 'two', now: seenAt });
    });
    const { fine, says, remedy } = find();
    assert.equal(fine, remedy === undefined);
    return `${says}; ${remedy ?? ''}`;
  };
  assert.equal(said({}), '2 collectors, connected and sending; ');
  assert.match(said({ visitors: { at: NOW, fine: false, words: 'all from one' } }), /^two: all from one; .*proxies/);
  assert.match(said({ closed: 'clock' }), /^two does not accept hits, because its time is unknown; .*--primary/);
  assert.match(
    said({ closed: 'disk', until: NOW - 400 }),
    /^two does not accept hits, because its disk is full; Free some space .*/,
  );
  assert.match(said({ closed: 'retiring' }), /^two does not accept hits, because it is being retired; /);
  assert.match(
    said({ until: NOW - 301 }),
    /^two has not sent its hits since .*\. Its outbox contains 2\.0 MB of hits;/,
  );
  assert.match(said({ now: NOW - 31, until: NOW - 400 }), /^The clock of two showed .*; Set the clock/);
  assert.match(
    said({ now: NOW - 301 }, NOW - 301),
    /^No contact with two since .*; .*daybook collectors retire two --lost$/,
  );
});

test('what ails each collector is told, the gravest first', (t) => {
  const { db } = fileOf(t).open();
  db.write(() => {
    for (const [i, status] of [{ now: NOW - 60 }, { until: NOW - 400, now: NOW + 60 }, {}, { bytes: 1 }].entries()) {
      const name = `c${i}`;
      addCollector(db, { name, hash: hashSecret(name), now: NOW });
      changeStatus(db, i + 1, { status: { ...STATUS, ...status }, outbox: name, now: i === 3 ? NOW - 301 : NOW });
    }
  });
  const { says, remedy = '' } = tell(checkCollectors(db, NOW));
  assert.match(says, /^No contact with c3 since .*\. The clock of c0 showed .*\. The clock of c1 showed [^.]*$/);
  assert.match(remedy, /^Start the collector\. .*--lost\. Set the clock of that machine[^.]*$/);
});
