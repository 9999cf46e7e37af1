import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { coded } from '../../src/lang/coded.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { readCoded, writeCoded } from '../../src/lib/http/fault.ts';
import { plural } from '../../src/lib/plural.ts';
import { addServer } from '../../src/store/cluster/cluster-servers.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { TODAY } from '../collect/stage.ts';
import { crowd } from '../ledger/stage.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { jobsOf } from './stage.ts';

/** The name of the copy of a day by a server. */
const copyOf = (day: number, number = 1): string => {
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
  return `${date}-${Buffer.alloc(4, number).toString('hex')}.db`;
};

const noonOf = (day: number): number => day * 86_400 + 43_200;

test('after sealing a copy is made, tried, and the oldest goes; both is noted in the file', async (t) => {
  const { db, take, start, look, logged, lines, copies } = jobsOf(t, { keep: 2 });
  await take(...crowd(300));
  start();
  for (let n = 0; n < 3; n++) {
    const [at, name] = [noonOf(TODAY + n), copyOf(TODAY + n)];
    await logged(`restore test done {"words":"${name} can be restored, ${plural(n + 1, 'day')} verified"} at ${at}`);
    assert.deepEqual(findUpkeep(db, 'restore'), {
      at,
      fine: true,
      words: writeCoded(coded('restore_fine', { name, days: n + 1 })),
    });
    assert.match(findUpkeep(db, 'backup')?.words ?? '', new RegExp(`^${name}, \\d+\\.\\d MB$`));
    await take(...crowd(10, { day: TODAY + n }));
    await look(at + 86_400);
  }
  await logged(`days sealed {"days":1} at ${(TODAY + 3) * 86_400 + 43_200}`);
  await until('the last copy is tried', () => lines.at(-1)?.startsWith('restore test done') === true);
  assert.deepEqual(
    readdirSync(copies).sort(),
    [2, 3].map((n) => copyOf(TODAY + n)),
  );
});

test('a start on the same day makes no second copy, and with nothing sealed there is none at all', async (t) => {
  const { take, start, look, lines, copies, turns, tick } = jobsOf(t, { keep: 3 });
  await take(...crowd(3, { day: TODAY }));
  const first = start();
  await look(TODAY * 86_400 + 43_260);
  assert.ok(!existsSync(copies));
  await look((TODAY + 1) * 86_400 + 60);
  await until('it is tried', () => lines.at(-1)?.startsWith('restore test done') === true);
  await first.stop();
  const before = lines.length;
  const looks = turns();
  start();
  await until('it has looked again', () => {
    tick();
    return turns() > looks + 1;
  });
  assert.equal(lines.length, before);
  assert.deepEqual(readdirSync(copies), [copyOf(TODAY + 1)]);
});

test('restore test: a backup of a primary of a cluster says that its days are elsewhere', async (t) => {
  const { db, start, looked } = jobsOf(t, { keep: 1 }, { hasSealedDays: () => true });
  db.write(() => addServer(db, { url: 'http://a.example:8123/', shard: 0, state: 'complete', now: 1 }));
  start();
  await looked();
  await until('the backup is tried', () => findUpkeep(db, 'restore') !== undefined);
  const { fine, words = '' } = findUpkeep(db, 'restore') ?? {};
  assert.deepEqual(
    [fine, inEnglish(readCoded(words))],
    [true, `${copyOf(TODAY)} can be restored. The hits of its days are on the ClickHouse servers`],
  );
});

test('where no copy can be written that is noted, and the newest there is is tried all the same', async (t) => {
  const { db, take, start, look, copies, lines } = jobsOf(t, { keep: 3 });
  await take(...crowd(3));
  start();
  await until('the first is tried', () => lines.at(-1)?.startsWith('restore test done') === true);
  // A folder stands where the unfinished copy would be written.
  mkdirSync(join(copies, `${copyOf(TODAY + 1)}.tmp`));
  await look((TODAY + 1) * 86_400 + 60);
  await until('that is noted', () => findUpkeep(db, 'backup')?.fine === false);
  assert.equal(findUpkeep(db, 'restore')?.words, writeCoded(coded('restore_fine', { name: copyOf(TODAY), days: 1 })));
});

test('where no copy can be written those above a smaller limit go, once the newest has been tried', async (t) => {
  const earlier = jobsOf(t, { keep: 3 });
  const { take, start, look, copies, lines } = earlier;
  await take(...crowd(3));
  const first = start();
  for (let n = 0; n < 3; n++) {
    if (n > 0) await look((TODAY + n) * 86_400 + 60);
    await until('it is tried', () => lines.filter((line) => line.startsWith('restore test done')).length === n + 1);
  }
  await first.stop();
  mkdirSync(join(copies, `${copyOf(TODAY + 3)}.tmp`));
  start(1);
  await look((TODAY + 3) * 86_400 + 60);
  await until('it is tried again', () => lines.filter((line) => line.startsWith('restore test done')).length === 4);
  assert.deepEqual(readdirSync(copies).sort(), [copyOf(TODAY + 2), `${copyOf(TODAY + 3)}.tmp`]);
});

test('days that differ in a copy are found by trying it, and no older copy goes', async (t) => {
  const { db, take, start, look, copies, lines } = jobsOf(t, { keep: 1 });
  await take(...crowd(30));
  start();
  await until('the first is tried', () => lines.at(-1)?.startsWith('restore test done') === true);
  db.run('UPDATE sealed_day SET visits = visits + 1');
  await look((TODAY + 1) * 86_400 + 60);
  await until('it is found', () => findUpkeep(db, 'restore')?.fine === false);
  assert.match(
    findUpkeep(db, 'restore')?.words ?? '',
    /has a day that differs when counted again\. site1\.example \d{4}-\d\d-\d\d: visits/,
  );
  assert.equal(readdirSync(copies).length, 2);
});

/** A server that makes a copy whenever the test says so, at noon of a day. */
function copying(t: TestContext, options: { keep: number; folder?: string; number?: number }) {
  const staged = jobsOf(t, options);
  const { take, start, look, wait, lines, db, copies } = staged;
  let isStarted = false;
  async function night(day: number): Promise<void> {
    const before = lines.length;
    if (isStarted) {
      await look(noonOf(day));
      // A clock that has leapt is trusted when it has stood for six hours.
      wait(6 * 3_600);
      await look(noonOf(day) + 60);
    } else {
      await take(...crowd(3));
      start();
    }
    isStarted = true;
    await until('a copy is tried', () => lines.slice(before).some((line) => line.startsWith('restore test done')));
  }
  return {
    ...staged,
    night,
    lying: () => readdirSync(copies).sort(),
    said: (name: 'backup' | 'restore') => inEnglish(readCoded(findUpkeep(db, name)?.words ?? '')),
  };
}

const FAR = Date.parse('2036-01-01') / 86_400_000;

test('a file with a later name keeps no copy from being made, tried and kept', async (t) => {
  const { night, lying, said, copies } = copying(t, { keep: 1 });
  await night(TODAY);
  const planted = ['2036-01-01.db', '2036-01-02.db'];
  for (const name of planted) copyFileSync(join(copies, copyOf(TODAY)), join(copies, name));
  for (let n = 1; n < 3; n++) {
    await night(TODAY + n);
    assert.deepEqual(lying(), [copyOf(TODAY + n), ...planted]);
    assert.ok(said('restore').startsWith(`${copyOf(TODAY + n)} can be restored`));
    assert.ok(said('backup').endsWith(`. Files that are not of this server stay: ${planted.join(', ')}`));
  }
});

test('copies go in the order of the time in them, whatever they are called', async (t) => {
  const { night, lying, copies } = copying(t, { keep: 2 });
  await night(TODAY);
  await night(TODAY + 1);
  renameSync(join(copies, copyOf(TODAY)), join(copies, copyOf(FAR)));
  await night(TODAY + 2);
  assert.deepEqual(lying(), [copyOf(TODAY + 1), copyOf(TODAY + 2)]);
});

test('after nights with a wrong clock the copies of the right ones stay', async (t) => {
  const { night, lying, said } = copying(t, { keep: 2 });
  await night(TODAY);
  for (const day of [FAR, FAR + 1]) await night(day);
  assert.deepEqual(lying(), [copyOf(FAR), copyOf(FAR + 1)]);
  for (let n = 1; n < 3; n++) {
    await night(TODAY + n);
    assert.ok(lying().includes(copyOf(TODAY + n)));
    assert.ok(said('restore').startsWith(`${copyOf(TODAY + n)} can be restored`));
  }
  assert.deepEqual(lying(), [copyOf(TODAY + 1), copyOf(TODAY + 2)]);
  await night(TODAY + 3);
  assert.deepEqual(lying(), [copyOf(TODAY + 2), copyOf(TODAY + 3)]);
});

test('what this server did not make stays as it is, and is named', async (t) => {
  const { night, copies, said, lying } = copying(t, { keep: 1 });
  await night(TODAY);
  const [old, live] = [join(copies, '2026-01-01.db'), join(copies, 'live.db')];
  // As an older program called its copies, which did not say who made them.
  copyFileSync(join(copies, copyOf(TODAY)), old);
  new Database(old).exec("DELETE FROM upkeep WHERE name = 'copied'").close();
  new Database(live).exec('PRAGMA journal_mode = WAL; CREATE TABLE diary (day TEXT)').close();
  writeFileSync(join(copies, copyOf(TODAY + 9)), 'Dear diary, today I was not a copy.');
  writeFileSync(join(copies, '2026-03-01.db.tmp'), 'of somebody');
  const names = ['2026-01-01.db', '2026-03-01.db.tmp', copyOf(TODAY + 9), 'live.db'].sort();
  const before = names.map((name) => readFileSync(join(copies, name)));
  for (let n = 1; n < 3; n++) await night(TODAY + n);
  assert.deepEqual(lying(), [...names, copyOf(TODAY + 2)].sort());
  assert.deepEqual(
    names.map((name) => readFileSync(join(copies, name))),
    before,
  );
  assert.ok(said('backup').endsWith(`Files that are not of this server stay: ${names.join(', ')}`), said('backup'));
});

test('two servers share a folder, and each keeps its own copies', async (t) => {
  const shared = folder(t);
  const ann = copying(t, { keep: 2, folder: shared, number: 1 });
  const bob = copying(t, { keep: 1, folder: shared, number: 2 });
  await ann.night(TODAY);
  await ann.night(TODAY + 1);
  // What ann is writing is nothing that was left lying.
  const unfinished = `${copyOf(TODAY + 2, 1)}.tmp`;
  writeFileSync(join(shared, unfinished), 'half of a copy');
  for (let n = 0; n < 2; n++) await bob.night(TODAY + n);
  const ofBob = copyOf(TODAY + 1, 2);
  assert.deepEqual(ann.lying(), [copyOf(TODAY, 1), copyOf(TODAY + 1, 1), ofBob, unfinished]);
  assert.match(bob.said('backup'), /stay: backups of server 01010101$/);
  assert.ok(bob.said('restore').startsWith(ofBob));
  await ann.night(TODAY + 2);
  assert.deepEqual(ann.lying(), [copyOf(TODAY + 1, 1), ofBob, copyOf(TODAY + 2, 1)]);
});
