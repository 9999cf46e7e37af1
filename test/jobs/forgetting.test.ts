import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVisitors } from '../../src/collect/visitor.ts';
import { type Coded, coded } from '../../src/lang/coded.ts';
import { computeFingerprint } from '../../src/lib/fingerprint.ts';
import { readCoded } from '../../src/lib/http/fault.ts';
import { DAY } from '../../src/lib/time.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { findUpkeep, nameServer } from '../../src/store/server/upkeep.ts';
import { findSalt } from '../../src/store/sites/salts.ts';
import { TODAY } from '../collect/stage.ts';
import { FIREFOX, folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { jobsOf } from './stage.ts';

const NOON = TODAY * DAY + 43_200;

type Jobs = ReturnType<typeof jobsOf>;
type Place = 'file' | 'wal' | 'backups' | 'outbox';

/** Counts a visitor, ends the day, and returns the removed salt. */
function endDay({ db, clock, removedSalts }: Jobs): Buffer {
  const visitors = makeVisitors(db, randomBytes, clock, false);
  visitors.computeCode(TODAY - 1, 1, '198.51.100.7', FIREFOX);
  const salt = findSalt(db, 1, TODAY - 1);
  assert.ok(salt);
  visitors.renew(NOON);
  assert.equal(findSalt(db, 1, TODAY - 1), undefined);
  removedSalts.add({ bytes: Buffer.from(salt), day: TODAY - 1 });
  return salt;
}

const foundIn = ({ db }: Jobs): Coded | undefined => {
  const note = findUpkeep(db, 'forgetting');
  const read = note && readCoded(note.words);
  assert.equal(note?.fine, note && read?.code === 'forgotten');
  return read;
};

async function search(jobs: Jobs, at: number): Promise<void> {
  await jobs.look(at);
  await until('the search is over', () => findUpkeep(jobs.db, 'forgetting')?.at === at);
  await jobs.looked();
}

test('forgetting: each day the server searches its own files for the salts of past days, and says where', async (t) => {
  const jobs = jobsOf(t);
  endDay(jobs);
  jobs.start();
  await search(jobs, NOON);
  const { code, values } = foundIn(jobs) as Coded;
  assert.deepEqual([code, values.salts], ['forgotten', 1]);
  const searched = values.places as Coded[];
  // Without a write-ahead log, only the file is searched.
  const places = [coded('place_file'), coded('place_wal')];
  assert.deepEqual(
    searched.map(({ values: { place } }) => place),
    places.slice(0, Math.max(1, searched.length)).map((one) => [one]),
  );
  const bytes = searched.map((one) => one.values.bytes as number);
  assert.ok((bytes[0] as number) > 100_000);
  assert.equal(
    values.bytes,
    bytes.reduce((sum, one) => sum + one),
  );
  assert.equal(jobs.removedSalts.list(), undefined);
  assert.deepEqual(
    jobs.lines.filter((line) => line.includes('salts of past days')),
    [],
  );

  endDay(jobs);
  await jobs.look(NOON + 3_600);
  await jobs.looked();
  assert.equal(findUpkeep(jobs.db, 'forgetting')?.at, NOON, 'once a day');
  await search(jobs, NOON + DAY);
});

test('forgetting: removed salts leave their fingerprints, by the clock or by the first hit of a day', (t) => {
  const { db, clock } = jobsOf(t);
  const visitors = makeVisitors(db, randomBytes, clock, false);
  const salts = [TODAY - 2, TODAY - 1].map((day) => {
    visitors.computeCode(day, 1, '198.51.100.7', FIREFOX);
    return findSalt(db, 1, day) as Buffer;
  });
  visitors.renew(NOON);
  const { key, sought = [] } = visitors.removedSalts.list() ?? {};
  assert.ok(key);
  assert.deepEqual(
    sought,
    salts.map((salt, i) => ({ fingerprint: computeFingerprint(key, salt), day: TODAY - 2 + i })),
  );
  visitors.removedSalts.drop(sought.slice(0, 1));
  assert.deepEqual(visitors.removedSalts.list()?.sought, sought.slice(1));
});

for (const place of ['file', 'wal', 'backups', 'outbox'] satisfies Place[]) {
  test(`forgetting: a salt in the ${place} is found and named, until it is gone`, async (t) => {
    const copies = folder(t);
    const jobs = jobsOf(t, { folder: copies });
    const salt = endDay(jobs);
    const remove = plant(jobs, place, salt);
    jobs.start();
    await search(jobs, NOON);
    const { code, values } = foundIn(jobs) as Coded;
    const named = (values.places as Coded[]).map((one) => one.values.place);
    assert.deepEqual([code, values.found, named], ['not_forgotten', 1, [[coded(`place_${place}`)]]]);
    assert.equal(jobs.lines.filter((line) => line.startsWith('salts of past days were found')).length, 1);
    remove();
    await jobs.look(NOON + 3_599);
    await jobs.looked();
    assert.equal(foundIn(jobs)?.code, 'not_forgotten', 'the server searches again after an hour');
    await search(jobs, NOON + 3_600);
    assert.equal(foundIn(jobs)?.code, 'forgotten');
  });
}

/** Puts the salt into a place. Returns a function that removes it. */
function plant({ db, path, copies }: Jobs, place: Place, salt: Buffer): () => void {
  const server = nameServer(db, () => Buffer.alloc(4, 1), NOON);
  const backup = join(copies, `2026-03-09-${server}.db`);
  const files = { backups: backup, outbox: `${path}.outbox`, wal: '', file: '' };
  if (files[place] !== '') {
    mkdirSync(copies, { recursive: true });
    writeFileSync(files[place], Buffer.concat([randomBytes(1024 * 1024 - 9), salt, randomBytes(100)]));
    return () => rmSync(files[place]);
  }
  db.run('CREATE TABLE planted (salt BLOB)');
  db.emptyWal();
  if (place === 'file') db.run('INSERT INTO planted VALUES (?)', salt);
  // The server cannot empty the write-ahead log while another connection reads.
  const reader = openReader(path);
  if (place === 'wal') {
    reader.db.run('BEGIN');
    reader.db.one('SELECT 1 FROM site');
    db.run('INSERT INTO planted VALUES (?)', salt);
  } else db.emptyWal();
  return () => {
    reader.close();
    db.run('DELETE FROM planted');
    db.emptyWal();
  };
}
