// Each collector searches its outbox for the salts that it removed, and the primary shows what was searched.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examine } from '../../src/doctor/examine.ts';
import { noteSearch } from '../../src/jobs/forgetting.ts';
import { DAY, seconds } from '../../src/lib/time.ts';
import { listCollectors } from '../../src/store/cluster/collectors.ts';
import { listCollectorSearches } from '../../src/store/server/collector-searches.ts';
import { TODAY } from '../collect/stage.ts';
import { stage } from './collecting.ts';

const CLEAN =
  /^Collector 1: Searched [\d.]+ [kM]B for \d+ salts? of past days, and found none\. Searched: outbox \([\d.]+ [kM]B\)\.$/;
const SILENT =
  /^fault: Collector 1 does not answer, or has not searched for salts since 2026-\S+, so the result is not complete\.$/;
const FOUND = /^fault: Collector 1: Searched .* for \d+ salts? of past days, and found 1\. Found in: outbox \(/;

const page = { accept: 'text/html' };

test('forgetting: a collector searches its outbox, the page says what was searched, and a silent one is named', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/a');
  const cookie = await app.signIn(app.owner);
  const readPage = async () => {
    const { text } = await app.ask('GET', '/privacy', { cookie, headers: { ...page, 'accept-language': 'en' } });
    return [...text.matchAll(/<p( class="error")?>([^<]*Collector[^<]*)/gi)].map(([, isBad, words]) =>
      isBad ? `fault: ${words}` : words,
    );
  };
  const isFine = async () => {
    const { config, db, engine, clock } = app;
    const findings = await examine({ config, db, ...engine, clock, path: config.db });
    return findings.find(({ name }) => name === 'forgetting')?.fine;
  };
  /** A day ends: the primary removes its salts, and searches its files. The collector learns of it, and searches too. */
  async function endDay(): Promise<void> {
    app.clock.pass(DAY);
    app.everyMinute();
    await one.look();
    one.everyMinute();
    await one.search();
    const places = [{ place: 'file' as const, bytes: 3_000_000, isFound: false }];
    noteSearch(app.db, { at: seconds(app.clock), salts: 1, found: 0, places });
    await one.look();
  }

  noteSearch(app.db, { at: seconds(app.clock), salts: 1, found: 0, places: [] });
  const unsearched = 'Collector 1 has not reported a search for salts yet, so the result is not complete.';
  assert.deepEqual([await readPage(), await isFine()], [[unsearched], true], 'it was added today');
  app.clock.pass(2 * DAY + 1);
  assert.deepEqual([await readPage(), await isFine()], [[`fault: ${unsearched}`], false]);
  app.clock.jump(-2 * DAY - 1);

  await endDay();
  assert.match((await readPage())[0] ?? '', CLEAN);
  assert.equal(await isFine(), true);

  app.clock.jump(3 * DAY);
  assert.match((await readPage())[0] ?? '', SILENT);
  assert.equal(await isFine(), false);
  app.clock.jump(-3 * DAY);

  const salt = one.db.one<{ bytes: Buffer }>('SELECT bytes FROM salt WHERE day = ?', TODAY + 1)?.bytes;
  one.db.run('CREATE TABLE planted (salt BLOB)');
  one.db.run('INSERT INTO planted VALUES (?)', salt ?? null);
  await endDay();
  const [found = ''] = await readPage();
  assert.match(found, FOUND);
  assert.equal(await isFine(), false);
  assert.ok(app.log.some((line) => line.includes('salts of past days were found')));

  app.clock.pass(3 * DAY);
  assert.deepEqual(await readPage(), [found], 'a found salt is shown although its collector is silent');
  const [{ fine } = {}] = listCollectorSearches(app.db, seconds(app.clock));
  assert.equal(fine, false);
});

test('forgetting: a collector that was off when its day ended searches for the salts that its first exchange deletes', async (t) => {
  const app = await stage(t);
  const before = await app.collector('one');
  await before.view('/a');
  await before.stop();
  app.clock.pass(2 * DAY);
  app.everyMinute();
  const one = await app.collector('one');
  one.everyMinute();
  await one.search();
  await one.look();
  const [search] = listCollectors(app.db).map(({ status }) => status?.search);
  // The collector had the salts of two sites, each for its last day and the day after it.
  assert.deepEqual([search?.salts, search?.found], [4, 0]);
});
