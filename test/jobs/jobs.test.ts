import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { threadCode } from '../../src/assets/thread.ts';
import { engineInThreads } from '../../src/compose.ts';
import { startJobs } from '../../src/jobs/jobs.ts';
import { plural } from '../../src/lib/plural.ts';
import { removeSite } from '../../src/store/sites.ts';
import { clockTrust } from '../../src/store/trust.ts';
import { findUpkeep } from '../../src/store/upkeep.ts';
import { TODAY } from '../collect/stage.ts';
import { bookOf, crowd, rowsIn, YESTERDAY } from '../ledger/stage.ts';
import { until } from '../program.ts';

const code = await threadCode();
const MINUTE_MS = 60_000;
const MIDNIGHT = (TODAY + 1) * 86_400;

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** What a server does by itself, with its minutes and its clock in the hand of the test. */
function jobsOf(t: TestContext, { keep = 0 } = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const book = bookOf(t);
  const lines: string[] = [];
  let second = TODAY * 86_400 + 43_200;
  let turns = 0;
  let waited = 0;
  const clock = { now: () => second * 1000, tick: () => performance.now() + waited };
  const log = (event: string, details = {}) => lines.push(`${event} ${JSON.stringify(details)} at ${second}`);
  const trust = clockTrust(book.db, clock);
  const engine = engineInThreads({ db: book.db, path: book.path, code, trust }, { clock, log });
  t.after(() => engine.close());
  // Whether the visitor codes of another day are given up.
  const collector = { everyMinute: () => void turns++ };
  const copies = { folder: `${book.path}.backups`, keep };
  let mailLooks = 0;
  const mails = { run: async () => void mailLooks++, stop: () => {} };
  return {
    ...book,
    copies: copies.folder,
    lines,
    clock,
    turns: () => turns,
    mailed: () => mailLooks,
    start() {
      const jobs = startJobs({
        db: book.db,
        path: book.path,
        code,
        engine,
        clock,
        trust,
        collector,
        log,
        copies,
        mails,
      });
      t.after(() => jobs.stop());
      return jobs;
    },
    set(at: number): void {
      second = at;
    },
    /** The ticks go on without the clock on the wall. */
    wait(seconds: number): void {
      waited += seconds * 1000;
    },
    /** A minute passes; a look that is not over yet takes the place of the next. */
    tick: () => t.mock.timers.tick(MINUTE_MS),
    /** Waits for the next look at what is due, and sets the clock for it. */
    async look(at: number): Promise<void> {
      second = at;
      const before = turns;
      await until('it looks', () => {
        t.mock.timers.tick(MINUTE_MS);
        return turns > before;
      });
      await turn();
      await turn();
    },
    logged: (line: string) => until(`${line} is logged`, () => lines.includes(line)),
  };
}

test('the days that were missed are sealed at the start, today is not', async (t) => {
  const { take, start, logged, counted, db } = jobsOf(t);
  await take(...crowd(3, { day: YESTERDAY - 5 }), ...crowd(2), ...crowd(4, { day: TODAY }), ...crowd(1, { siteId: 2 }));
  start();
  await logged(`days sealed {"days":3} at ${TODAY * 86_400 + 43_200}`);
  assert.deepEqual(counted(), { [YESTERDAY - 5]: 3, [YESTERDAY]: 2, [TODAY]: 4 });
  assert.equal(rowsIn(db, 'hit'), 4);
});

test('a day is sealed a minute after its end, when its last hits are in, and only once', async (t) => {
  const { take, start, logged, look, tick, counted, lines, turns, db } = jobsOf(t);
  await take(...crowd(1), ...crowd(4, { day: TODAY }));
  start();
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_200}`);
  for (const at of [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 59]) {
    await look(at);
    const looks = turns();
    tick();
    assert.equal(turns(), looks + 1, 'the last one was soon over');
  }
  await take(...crowd(1, { day: TODAY, second: 86_399 }), ...crowd(2, { day: TODAY + 1 }));
  await look(MIDNIGHT + 60);
  await logged(`days sealed {"days":1} at ${MIDNIGHT + 60}`);
  await look(MIDNIGHT + 120);
  await look(MIDNIGHT + 180);
  assert.equal(lines.length, 2);
  assert.deepEqual(counted(), { [YESTERDAY]: 1, [TODAY]: 5, [TODAY + 1]: 2 });
  assert.equal(rowsIn(db, 'hit'), 2);
});

test('while the clock is 400 days ahead nothing is sealed, copied or mailed; when it comes back that goes on', async (t) => {
  const { take, start, look, logged, counted, lines, copies, mailed } = jobsOf(t, { keep: 3 });
  await take(...crowd(2), ...crowd(4, { day: TODAY }));
  start();
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_200}`);
  await until('it is tried', () => lines.at(-1)?.startsWith('drill done') === true);
  const wrong = (TODAY + 400) * 86_400 + 43_200;
  await look(wrong);
  await until('it is logged', () => lines.some((line) => /^the clock has leapt.*\{"days":400\}/.test(line)));
  const [before, mails] = [lines.length, mailed()];
  await look(wrong + 60);
  await look(wrong + 120);
  assert.deepEqual([lines.length, mailed()], [before, mails]);
  assert.deepEqual(readdirSync(copies), [`${dateOf(TODAY)}.db`]);
  await look(MIDNIGHT + 60);
  await logged(`days sealed {"days":1} at ${MIDNIGHT + 60}`);
  assert.ok(lines.includes(`the clock is trusted again {} at ${MIDNIGHT + 60}`));
  assert.deepEqual(counted(), { [YESTERDAY]: 2, [TODAY]: 4 });
  await until('mails are looked at again', () => mailed() > mails);
});

for (const [after, isTold] of [
  ['after six hours', false],
  ['by the word of the operator', true],
] as const) {
  test(`a server that was off for a month seals what it missed ${after}`, async (t) => {
    const { db, clock, take, start, look, logged, lines, counted, set, wait } = jobsOf(t);
    clockTrust(db, clock).look();
    await take(...crowd(2, { day: TODAY }));
    const later = (TODAY + 30) * 86_400 + 3_600;
    set(later);
    start();
    await until('it is logged', () => lines.some((line) => line.startsWith('the clock has leapt')));
    assert.deepEqual(counted(), { [TODAY]: 2 }, 'what is not sealed is counted all the same');
    if (isTold) clockTrust(db, clock).accept();
    else wait(6 * 3_600);
    await look(later + 60);
    await logged(`days sealed {"days":1} at ${later + 60}`);
    assert.deepEqual(counted(), { [TODAY]: 2 });
  });
}

test('what fails is logged and tried again at the next look', async (t) => {
  const { path, take, start, look, lines, logged, counted } = jobsOf(t);
  await take(...crowd(2));
  renameSync(path, `${path}.away`);
  start();
  await until('it has failed', () => lines.some((line) => line.startsWith('upkeep failed')));
  assert.equal(lines.length, 2, 'the thread, and the job');
  renameSync(`${path}.away`, path);
  await look(TODAY * 86_400 + 43_260);
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_260}`);
  assert.deepEqual(counted(), { [YESTERDAY]: 2 });
});

test('while somebody reads, deleted visitor codes lie beside the file; they go as soon as nobody does', async (t) => {
  const { path, take, start, look, logged } = jobsOf(t);
  await take(...crowd(50));
  const reader = new Database(path, { readonly: true });
  t.after(() => reader.close());
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM hit').get();
  const size = (): number => statSync(`${path}-wal`).size;
  start();
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_200}`);
  await look(TODAY * 86_400 + 43_260);
  assert.ok(size() > 0);
  reader.exec('COMMIT');
  await look(TODAY * 86_400 + 43_320);
  assert.equal(size(), 0);
});

test('what was counted for a deleted site is gone after the next look', async (t) => {
  const { db, take, start, look, logged } = jobsOf(t);
  await take(...crowd(2), ...crowd(3, { siteId: 2 }));
  start();
  await logged(`days sealed {"days":2} at ${TODAY * 86_400 + 43_200}`);
  db.write(() => removeSite(db, 1));
  await look(TODAY * 86_400 + 43_260);
  await until('it is gone', () => rowsIn(db, 'removed_site') === 0);
  assert.equal(rowsIn(db, 'sealed_day'), 1);
  assert.equal(rowsIn(db, 'term', 'site_id = 1'), 0);
});

test('who is stopped in the middle leaves each day open or sealed, says nothing, and does no more', async (t) => {
  const { db, take, start, lines, counted, tick } = jobsOf(t);
  for (let day = YESTERDAY - 20; day < YESTERDAY; day++) await take(...crowd(50, { day }));
  const before = counted();
  const jobs = start();
  await until('it seals', () => rowsIn(db, 'sealed_day') > 0);
  await jobs.stop();
  assert.deepEqual(lines, []);
  assert.deepEqual(counted(), before);
  const sealed = rowsIn(db, 'sealed_day', "state = 'shown'");
  assert.ok(sealed < 20);
  tick();
  await turn();
  assert.equal(rowsIn(db, 'sealed_day', "state = 'shown'"), sealed);
});

test('who is stopped at once does not begin to seal', async (t) => {
  const { db, take, start } = jobsOf(t);
  await take(...crowd(2));
  await start().stop();
  assert.equal(rowsIn(db, 'sealed_day'), 0);
});

test('after sealing a copy is made, tried, and the oldest goes; both is noted in the file', async (t) => {
  const { db, take, start, look, logged, lines, copies } = jobsOf(t, { keep: 2 });
  await take(...crowd(300));
  start();
  for (let n = 0; n < 3; n++) {
    const [at, name] = [(TODAY + n) * 86_400 + 43_200, `${dateOf(TODAY + n)}.db`];
    await logged(`drill done {"words":"${name} can be opened, ${plural(n + 1, 'sealed day')} counted again"} at ${at}`);
    assert.deepEqual(findUpkeep(db, 'drill'), {
      at,
      fine: true,
      words: `${name} can be opened, ${plural(n + 1, 'sealed day')} counted again`,
    });
    assert.match(findUpkeep(db, 'backup')?.words ?? '', new RegExp(`^${name}, \\d+\\.\\d MB$`));
    await take(...crowd(10, { day: TODAY + n }));
    await look(at + 86_400);
  }
  await logged(`days sealed {"days":1} at ${(TODAY + 3) * 86_400 + 43_200}`);
  await until('the last copy is tried', () => lines.at(-1)?.startsWith('drill done') === true);
  assert.deepEqual(
    readdirSync(copies).sort(),
    [2, 3].map((n) => `${dateOf(TODAY + n)}.db`),
  );
});

test('a start on the same day makes no second copy, and with nothing sealed there is none at all', async (t) => {
  const { take, start, look, lines, copies, turns, tick } = jobsOf(t, { keep: 3 });
  await take(...crowd(3, { day: TODAY }));
  const first = start();
  await look(TODAY * 86_400 + 43_260);
  assert.ok(!existsSync(copies));
  await look((TODAY + 1) * 86_400 + 60);
  await until('it is tried', () => lines.at(-1)?.startsWith('drill done') === true);
  await first.stop();
  const before = lines.length;
  const looks = turns();
  start();
  await until('it has looked again', () => {
    tick();
    return turns() > looks + 1;
  });
  assert.equal(lines.length, before);
  assert.deepEqual(readdirSync(copies), [`${dateOf(TODAY + 1)}.db`]);
});

test('where no copy can be written that is noted, and the newest there is is tried all the same', async (t) => {
  const { db, take, start, look, copies, lines } = jobsOf(t, { keep: 3 });
  await take(...crowd(3));
  start();
  await until('the first is tried', () => lines.at(-1)?.startsWith('drill done') === true);
  // A folder stands where the unfinished copy would be written.
  mkdirSync(join(copies, `${dateOf(TODAY + 1)}.db.tmp`));
  await look((TODAY + 1) * 86_400 + 60);
  await until('that is noted', () => findUpkeep(db, 'backup')?.fine === false);
  assert.ok(findUpkeep(db, 'drill')?.words.startsWith(`${dateOf(TODAY)}.db can be opened`));
});

test('days that differ in a copy are found by trying it, and no older copy goes', async (t) => {
  const { db, take, start, look, copies, lines } = jobsOf(t, { keep: 1 });
  await take(...crowd(30));
  start();
  await until('the first is tried', () => lines.at(-1)?.startsWith('drill done') === true);
  db.run('UPDATE sealed_day SET visits = visits + 1');
  await look((TODAY + 1) * 86_400 + 60);
  await until('it is found', () => findUpkeep(db, 'drill')?.fine === false);
  assert.match(
    findUpkeep(db, 'drill')?.words ?? '',
    /holds days of site1\.example that differ when counted again: visits/,
  );
  assert.equal(readdirSync(copies).length, 2);
});
