import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { addShard, decide } from '../../../src/cluster/grow/divide.ts';
import { findFirstFreeDay } from '../../../src/cluster/outbox/hold.ts';
import { DAY } from '../../../src/lib/time.ts';
import { findUndecided, listDivisions } from '../../../src/store/cluster/divisions.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { TODAY } from '../../collect/stage.ts';
import { freshFile } from '../../support/fresh-file.ts';
import { folder } from '../../support/helpers.ts';

test('a division is decided when a collector comes back after 40 days, and not by a promise far ahead', (t) => {
  const path = join(folder(t), 'daybook.db');
  freshFile(path);
  const { db, close } = openStore(path);
  t.after(close);
  db.run("INSERT INTO cluster_server (url, shard, replica) VALUES ('http://one:8123/', 0, 0)");
  addShard(db, ['http://two:8123/'], TODAY * DAY);
  const day = findUndecided(db)?.day ?? 0;
  const now = (TODAY + 40) * DAY;
  const from = findFirstFreeDay(now);
  const look = (ahead: number) =>
    decide({ db, log() {}, now }, [{ hold: { day, from } }, { hold: { day, from: ahead } }]);
  look(from + 31);
  assert.equal(findUndecided(db)?.day, day);
  look(from - 1);
  assert.deepEqual(listDivisions(db), [
    { day: 0, shards: 1 },
    { day: from, shards: 2 },
  ]);
});
