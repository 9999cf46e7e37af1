import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { examine, type Patient } from '../../src/doctor/examine.ts';
import type { Queries, SealResult, Upkeep } from '../../src/engine/engine.ts';
import { readCoded } from '../../src/lib/http/fault.ts';
import { addGauges } from '../../src/metrics/gauges.ts';
import { makeMeters } from '../../src/metrics/meters.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { listWaitingJobs } from '../../src/store/server/waiting-jobs.ts';
import { listRemovedSites, removeSite } from '../../src/store/sites/sites.ts';
import { TODAY } from '../collect/stage.ts';
import { crowd } from '../ledger/stage.ts';
import { until } from '../support/program.ts';
import { jobsOf } from './stage.ts';

const NOON = TODAY * 86_400 + 43_200;

/** What doctor says of the jobs, and the lines of /metrics about them. */
async function said({ db, path, clock }: Pick<Patient, 'db' | 'path' | 'clock'>) {
  const queries = { measureGrowth: async () => 0, findLastHit: async () => 0, listDroppedDays: async () => [] };
  const upkeep = { listSilentServers: async () => [], listAwayServers: () => [], examineServers: async () => [] };
  const config = { geoip: '', keepBackups: 0 } as Patient['config'];
  const { fine, says } =
    (await examine({ db, path, clock, queries, upkeep, config })).find(({ name }) => name === 'jobs') ?? {};
  const meters = makeMeters(clock);
  addGauges(meters, { db, path, clock, waiting: () => 0, upkeep, streams: { count: () => 0 } });
  const lines = (await meters.text()).split('\n');
  return { fine, says, metrics: lines.filter((line) => line.startsWith('daybook_job_waiting_seconds')) };
}

test('doctor: a day that waits for hits of a cluster needs attention only after ten minutes', async (t) => {
  const failed = [{ domain: 'a.example', day: '2026-03-09', reason: 'a collector is off', waits: true }];
  const { start, look, looked, wait, db, lines } = jobsOf(t, {}, { seal: async () => ({ days: 0, failed }) });
  const note = () => {
    const { fine, words = '' } = findUpkeep(db, 'seal') ?? {};
    return [fine, readCoded(words).code];
  };
  start();
  await looked();
  assert.deepEqual(note(), [true, 'seal_waits']);
  wait(500);
  await look(NOON + 500);
  await looked();
  assert.deepEqual([note(), listWaitingJobs(db)], [[true, 'seal_waits'], []]);
  wait(100);
  await look(NOON + 600);
  await looked();
  assert.deepEqual(note(), [false, 'days_unsealed']);
  assert.equal(lines.filter((line) => line.includes('a collector is off')).length, 1);
  failed.pop();
  await look(NOON + 660);
  await looked();
  assert.deepEqual(note(), [true, 'all_sealed']);
});

test('jobs that fail stop no other; doctor and /metrics say what waits, and since when, until it is done', async (t) => {
  let isBroken = true;
  const broken = (what: string) => {
    if (isBroken) throw new Error('fetch failed', { cause: new Error(`${what} is broken`) });
  };
  const seal = async (): Promise<SealResult> => {
    broken('sealing');
    return { days: 0, failed: [] };
  };
  const parts: Partial<Upkeep & Queries> = {
    seal,
    remakeSums: async () => {
      broken('sums');
      return 0;
    },
    sweep: async () => broken('sweep'),
    hasSealedDays: () => true,
  };
  const { start, look, looked, mailed, turns, copies, ...book } = jobsOf(t, { keep: 1 }, parts);
  start();
  await looked();
  assert.deepEqual([mailed(), turns(), existsSync(copies) && readdirSync(copies).length], [1, 1, 1]);
  await look(NOON + 60);
  await looked();
  const found = await said(book);
  assert.equal(found.fine, false);
  assert.match(
    found.says ?? '',
    /^Waiting jobs: applying exclusions \(since 2026-03-10T12:00:00Z: sums is broken\); deleting old data \(since 2026-03-10T12:00:00Z: sweep is broken\)$/,
  );
  assert.deepEqual(findUpkeep(book.db, 'seal'), { at: NOON + 60, fine: false, words: 'sealing is broken' });
  assert.deepEqual(found.metrics, [
    'daybook_job_waiting_seconds{job="exclusions"} 60',
    'daybook_job_waiting_seconds{job="sealing"} 60',
    'daybook_job_waiting_seconds{job="visitor codes"} 60',
  ]);
  isBroken = false;
  await look(NOON + 120);
  await looked();
  assert.deepEqual(await said(book), { fine: true, says: 'No jobs are waiting', metrics: [] });
});

test('a job that hangs stops no other, is begun only once, and the note of it goes when it ends', async (t) => {
  const hanging = Promise.withResolvers<SealResult>();
  let begun = 0;
  const seal = () => {
    begun++;
    return hanging.promise;
  };
  const parts = { seal, hasSealedDays: () => true, patienceMs: 1 };
  const { start, look, looked, mailed, turns, copies, db, ...book } = jobsOf(t, { keep: 1 }, parts);
  start();
  await looked();
  for (let n = 1; n <= 3; n++) {
    await look(NOON + n * 60);
    await looked();
  }
  assert.deepEqual([begun, mailed(), turns()], [1, 4, 4]);
  assert.match(
    (await said({ ...book, db })).says ?? '',
    /making past days final \(since 2026-03-10T12:00:00Z: still running\)/,
  );
  const isWaiting = (name: string) => listWaitingJobs(db).some(({ job }) => job === name);
  await until('there is a copy', () => existsSync(copies) && readdirSync(copies).some((name) => name.endsWith('.db')));
  await until('the copy is made', () => !isWaiting('backup'));
  hanging.resolve({ days: 0, failed: [] });
  await until('days are sealed', () => !isWaiting('sealing'));
});

test('a deleted site whose data cannot be deleted keeps no other from going', async (t) => {
  let isAway = true;
  const forgotten: number[] = [];
  const deleteSite = async (siteId: number) => {
    if (isAway && siteId === 1) throw new Error('a server does not answer');
    forgotten.push(siteId);
  };
  const { db, take, start, look, looked, logged, counted } = jobsOf(t, {}, { deleteSite });
  await take(...crowd(2, { siteId: 2 }));
  db.write(() => {
    for (const id of [1, 3]) removeSite(db, id);
  });
  start();
  await logged(`days sealed {"days":1} at ${NOON}`);
  assert.deepEqual([forgotten, listRemovedSites(db)], [[3], [1]]);
  isAway = false;
  await look(NOON + 60);
  await looked();
  assert.deepEqual([forgotten, listRemovedSites(db)], [[3, 1], []]);
  assert.equal(Object.keys(counted(2)).length, 1);
});
