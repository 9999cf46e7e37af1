import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadThreadCode } from '../../src/embedded/thread.ts';
import { mirrorParquet } from '../../src/jobs/parquet.ts';
import { mirrorDays } from '../../src/jobs/parquet-folder.ts';
import { coded } from '../../src/lang/coded.ts';
import { readTables } from '../../src/ledger/thread.ts';
import { writeCoded } from '../../src/lib/http/fault.ts';
import { finish } from '../../src/lib/steps.ts';
import type { Db } from '../../src/store/db.ts';
import { backup } from '../../src/store/file/backup.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { stampExclusions } from '../../src/store/sites/exclusions.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { bookOf, NOW, sealOnce } from '../ledger/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { folder, ON_CLUSTER, startApp } from '../support/helpers.ts';

const DAY = TODAY - 3;
const nameOf = (day: number): string => `${date(day)}.parquet`;
const nameUnfinished = (day: number, writer = 'aaaaaaaa'): string => `${nameOf(day)}.${writer}.tmp`;

/** An app with a site of three past days, and its folder of files. */
async function stage(t: TestContext) {
  const app = await startApp(t);
  const to = join(folder(t), 'parquet');
  const site = await openSite(app);
  const { siteId, domain } = site.known;
  await site.store([0, 1, 2].map((n) => pageview({ day: DAY + n, country: n === 0 ? 'DE' : 'US' })));
  await site.store([pageview({ day: TODAY })]);
  return {
    ...{ app, to, site, siteId, domain },
    mirror: (server = 'aaaaaaaa') => mirrorDays(app.db, { folder: to, server }, app.engine.queries.readTables),
    list: (): string[] => (existsSync(join(to, domain)) ? readdirSync(join(to, domain)).sort() : []),
    read: (day: number): string => readFileSync(join(to, domain, nameOf(day)), 'latin1'),
  };
}

test('each sealed day has a file that only its owner can read, and a second run writes none', async (t) => {
  const { app, to, domain, mirror, list } = await stage(t);
  assert.deepEqual(await mirror(), { files: 0, written: 0, removed: 0 });
  await app.seal();
  assert.deepEqual(await mirror(), { files: 3, written: 3, removed: 0 });
  assert.deepEqual(list(), [DAY, DAY + 1, DAY + 2].map(nameOf));
  assert.equal(statSync(to).mode & 0o777, 0o700);
  assert.equal(statSync(join(to, domain)).mode & 0o777, 0o700);
  assert.equal(statSync(join(to, domain, nameOf(DAY))).mode & 0o777, 0o600);
  assert.deepEqual(await mirror(), { files: 3, written: 0, removed: 0 });
});

test('an exclusion changes the files of its days, and so does its end', async (t) => {
  const { app, site, mirror, read } = await stage(t);
  await app.seal();
  await mirror();
  const [first, second] = [read(DAY), read(DAY + 1)];
  const id = await site.exclude(DAY, DAY, { 'filters[country]': 'DE' });
  assert.deepEqual(await mirror(), { files: 3, written: 1, removed: 0 });
  assert.notEqual(read(DAY), first);
  assert.equal(read(DAY + 1), second);
  await site.include(id);
  assert.deepEqual(await mirror(), { files: 3, written: 1, removed: 0 });
  assert.equal(read(DAY), first);
});

test('an exclusion that is added and removed while files are written does not stay in them', async (t) => {
  const { app, to, site, mirror, read } = await stage(t);
  await app.seal();
  const { readTables } = app.engine.queries;
  const before = stampExclusions(app.db);
  await mirrorDays(app.db, { folder: to, server: 'aaaaaaaa' }, async function* (siteId, range) {
    const id = await site.exclude(DAY, null, { 'filters[country]': 'DE' });
    yield* readTables(siteId, range);
    await site.include(id);
  });
  const wrong = read(DAY);
  assert.notDeepEqual(stampExclusions(app.db), before);
  assert.deepEqual(await mirror(), { files: 3, written: 3, removed: 0 });
  assert.notEqual(read(DAY), wrong);
  assert.deepEqual(await mirror(), { files: 3, written: 0, removed: 0 });
});

test('a late hit keeps the file of its day until the day is sealed again', async (t) => {
  const { app, site, mirror, read, list } = await stage(t);
  await app.seal();
  await mirror();
  const first = read(DAY);
  await site.store([pageview({ day: DAY, visitor: 9, page: '/late' })]);
  await mirror();
  assert.equal(list().length, 3);
  await app.seal();
  const { written } = await mirror();
  assert.equal(written, 1);
  assert.notEqual(read(DAY), first);
});

test('a file that was deleted or damaged is written again, and what was left unfinished goes', async (t) => {
  const { app, to, domain, mirror, read, list } = await stage(t);
  await app.seal();
  await mirror();
  const whole = read(DAY);
  rmSync(join(to, domain, nameOf(DAY + 1)));
  writeFileSync(join(to, domain, nameOf(DAY)), whole.slice(0, 500), 'latin1');
  writeFileSync(join(to, domain, nameUnfinished(DAY)), 'half');
  assert.deepEqual(await mirror(), { files: 3, written: 2, removed: 0 });
  assert.equal(read(DAY), whole);
  assert.equal(list().length, 3);
});

test('files go with the hits of their days and with their sites, and files of others stay', async (t) => {
  const { app, to, siteId, domain, mirror, list } = await stage(t);
  await app.seal();
  await mirror();
  app.db.run("UPDATE sealed_day SET has_hits = 0 WHERE site_id = ? AND day = ? AND state = 'shown'", siteId, DAY);
  assert.deepEqual(await mirror(), { files: 2, written: 0, removed: 1 });
  assert.deepEqual(list(), [DAY + 1, DAY + 2].map(nameOf));
  mkdirSync(join(to, 'other'));
  writeFileSync(join(to, 'other', nameOf(DAY)), 'of somebody else');
  const removal = await app.owner.ask('DELETE', `/sites/${siteId}`);
  assert.equal(removal.status, 204, removal.text);
  assert.deepEqual(await mirror('bbbbbbbb'), { files: 0, written: 0, removed: 0 });
  assert.deepEqual(await mirror(), { files: 0, written: 0, removed: 2 });
  assert.ok(!existsSync(join(to, domain)));
  assert.deepEqual(readdirSync(join(to, 'other')), [nameOf(DAY)]);
});

test('a site whose folder cannot be written is told, and other sites have their files', async (t) => {
  const { app, to, domain, mirror } = await stage(t);
  const other = await openSite(app);
  await other.store([pageview({ day: DAY })]);
  await app.seal();
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, domain), 'a file in place of a folder');
  const { written, fault } = await mirror();
  assert.equal(written, 1);
  assert.match(fault ?? '', new RegExp(`^${domain}: EEXIST`));
  assert.ok(existsSync(join(to, other.known.domain, nameOf(DAY))));
});

test('a day that cannot be written leaves no file behind, and other days and sites have theirs', async (t) => {
  const { app, to, domain, mirror, list } = await stage(t);
  const other = await openSite(app);
  await other.store([pageview({ day: DAY })]);
  await app.seal();
  mkdirSync(join(to, domain, nameOf(DAY), 'a folder in place of a file'), { recursive: true });
  mkdirSync(join(to, domain, nameUnfinished(DAY + 1)));
  const ofProcess = '/proc/self/fd';
  const countOpen = (): number => (existsSync(ofProcess) ? readdirSync(ofProcess).length : 0);
  const before = countOpen();
  const { written, fault } = await mirror();
  assert.equal(written, 2);
  assert.match(fault ?? '', new RegExp(`^${domain}: E`));
  assert.equal(countOpen(), before);
  assert.deepEqual(list(), [nameOf(DAY), nameUnfinished(DAY + 1), nameOf(DAY + 2)]);
  assert.ok(existsSync(join(to, other.known.domain, nameOf(DAY))));
});

test('what a killed server left unfinished goes with its site, and the unfinished file of another program stays', async (t) => {
  const { app, to, siteId, domain, mirror, list } = await stage(t);
  await app.seal();
  await mirror();
  writeFileSync(join(to, domain, nameUnfinished(DAY)), 'half');
  writeFileSync(join(to, domain, nameUnfinished(DAY, 'export')), 'of an export that runs');
  const removal = await app.owner.ask('DELETE', `/sites/${siteId}`);
  assert.equal(removal.status, 204, removal.text);
  await mirror();
  assert.deepEqual(list(), [nameUnfinished(DAY, 'export')]);
});

test('a link in place of an unfinished file is removed, and its target stays', async (t) => {
  const { app, to, domain, mirror, read } = await stage(t);
  await app.seal();
  const elsewhere = join(folder(t), 'elsewhere');
  writeFileSync(elsewhere, 'of somebody else');
  mkdirSync(join(to, domain), { recursive: true });
  symlinkSync(elsewhere, join(to, domain, nameUnfinished(DAY)));
  assert.deepEqual(await mirror(), { files: 3, written: 3, removed: 0 });
  assert.equal(readFileSync(elsewhere, 'utf8'), 'of somebody else');
  assert.ok(read(DAY).startsWith('PAR1'));
});

test('a damaged day has no file, and other days and sites have theirs', { skip: ON_CLUSTER }, async (t) => {
  const { app, to, site, siteId, domain, mirror, list } = await stage(t);
  const other = await openSite(app);
  await other.store([pageview({ day: DAY })]);
  await site.store([pageview({ day: DAY, visitor: 5, second: 7 })]);
  await app.seal();
  const id = (day: number) =>
    `(SELECT id FROM sealed_day WHERE site_id = ${siteId} AND day = ${day} AND state = 'shown')`;
  const fields = "data = (SELECT data FROM sealed_blob WHERE name = 'second' AND sealed_day_id = ";
  const crc = "crc = (SELECT crc FROM sealed_blob WHERE name = 'second' AND sealed_day_id = ";
  const from = id(DAY + 1);
  app.db.run(
    `UPDATE sealed_blob SET ${fields}${from}), ${crc}${from}) WHERE name = 'second' AND sealed_day_id = ${id(DAY)}`,
  );
  const { fault } = await mirror();
  assert.equal(fault, `${domain}: ${date(DAY)} is damaged. Run daybook check`);
  assert.deepEqual(list(), [DAY + 1, DAY + 2].map(nameOf));
  assert.ok(existsSync(join(to, other.known.domain, nameOf(DAY))));
});

test('a thread writes the files from whichever engine has the hits', async (t) => {
  const { app, to, list } = await stage(t);
  const { db: path, engine } = app.config;
  const job = mirrorParquet({
    ...{ db: app.db, path, code: await loadThreadCode(), random: (bytes: number) => Buffer.alloc(bytes, 1) },
    ...{ clock: app.clock, log: () => {}, parquet: { folder: to, engine } },
  });
  t.after(job.stop);
  await app.seal();
  await job.run();
  assert.deepEqual(list(), [DAY, DAY + 1, DAY + 2].map(nameOf));
});

test('after a restore, a day that is sealed again with other hits is written again', {
  skip: ON_CLUSTER,
}, async (t) => {
  const { db, path, take } = bookOf(t);
  const to = join(folder(t), 'parquet');
  const copy = join(folder(t), 'copy.db');
  const mirror = (of: Db) =>
    mirrorDays(of, { folder: to, server: 'aaaaaaaa' }, (siteId, range) => readTables(of, siteId, range));
  await take(pageview({ day: DAY }));
  finish(backup(path, copy));
  await take(pageview({ day: DAY, visitor: 2, page: '/lost' }));
  assert.ok(sealOnce(db, { siteId: 1, day: DAY }));
  assert.equal((await mirror(db)).written, 1);
  const restored = openStore(copy);
  t.after(restored.close);
  assert.ok(sealOnce(restored.db, { siteId: 1, day: DAY }, NOW + 3_600));
  assert.deepEqual(await mirror(restored.db), { files: 1, written: 1, removed: 0 });
});

test('the job works in a thread when something has changed, and notes what it did', { skip: ON_CLUSTER }, async (t) => {
  const { db, path, take } = bookOf(t);
  const to = join(folder(t), 'parquet');
  const lines: string[] = [];
  let now = TODAY * 86_400_000;
  const job = mirrorParquet({
    ...{ db, path, code: await loadThreadCode(), random: (bytes) => Buffer.alloc(bytes, 1) },
    clock: { now: () => now, tick: () => 0 },
    log: (event, details) => void lines.push(`${event} ${JSON.stringify(details)}`),
    parquet: { folder: to, engine: undefined },
  });
  t.after(job.stop);
  await take(pageview({ day: DAY }));
  assert.ok(sealOnce(db, { siteId: 1, day: DAY }));
  await job.run();
  const [domain = ''] = readdirSync(to);
  assert.deepEqual(readdirSync(join(to, domain)), [nameOf(DAY)]);
  const words = writeCoded(coded('parquet_fine', { count: 1 }));
  assert.deepEqual(findUpkeep(db, 'parquet'), { at: now / 1000, fine: true, words });
  // Nothing has changed, so nothing is looked at, not even that a file is missing.
  rmSync(join(to, domain), { recursive: true });
  await job.run();
  assert.ok(!existsSync(join(to, domain)));
  now += 86_400_000;
  writeFileSync(join(to, domain), 'a file in place of a folder');
  await assert.rejects(job.run(), /EEXIST/);
  assert.equal(findUpkeep(db, 'parquet')?.fine, false);
  rmSync(join(to, domain));
  await job.run();
  assert.equal(findUpkeep(db, 'parquet')?.fine, true);
  assert.deepEqual(lines, Array(2).fill('Parquet files written {"files":1,"written":1,"removed":0}'));
});
