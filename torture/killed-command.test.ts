import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recount } from '../src/ledger/upkeep/recount.ts';
import { makeTasks } from '../src/ledger/work/tasks.ts';
import type { Query } from '../src/stats/query.ts';
import { present } from '../src/stats/reports.ts';
import { openReader, openStore } from '../src/store/file/open-file.ts';
import { addUser } from '../src/store/people/users.ts';
import { addSite } from '../src/store/sites/sites.ts';
import { here } from '../test/cli/here.ts';
import { append, type Hit, pageview, TODAY } from '../test/collect/stage.ts';
import { date } from '../test/stats/days.ts';
import { folder } from '../test/support/helpers.ts';
import { kill } from '../test/support/kill.ts';
import { DAYBOOK } from '../test/support/program.ts';
import { ROUNDS } from './book.ts';

const HITS = 600;

/** None is to come. */
const secondIn = (day: number, i: number): number => (i * 37) % (day === TODAY ? 43_200 : 86_400);

/** Hits of a day, of visitors who come again, look at several pages and do things. */
const hitsOf = (day: number, count: number): Hit[] =>
  Array.from({ length: count }, (_, i) =>
    pageview({
      day,
      second: secondIn(day, i),
      visitor: 2 ** 52 + (i % 400),
      page: `/${(i * day) % 300}`,
      event: i % 9 === 0 ? 'buy' : '',
      source: `s${i % 40}.org`,
      country: ['DE', 'US', ''][i % 3] ?? '',
      browser: `b${i % 5}`,
    }),
  );

/** The same as lines of a file. */
const linesOf = (hits: readonly Hit[]): string =>
  hits
    .map(({ day, second, visitor, page, event, source, country, browser }) => {
      const at = new Date((day * 86_400 + second) * 1000).toISOString();
      const referrer = `https://${source}/`;
      const url = `https://example.com${page}`;
      return `${JSON.stringify({ at, url, referrer, event, country, browser, visitor: `v${visitor}` })}\n`;
    })
    .join('');

async function fileWith(path: string, hits: readonly Hit[]): Promise<void> {
  const { db, close } = openStore(path);
  db.run('PRAGMA synchronous = OFF');
  db.write(() => {
    const { accountId } = addUser(db, { email: 'ann@example.com', password: null, now: 0 });
    addSite(db, { accountId, domain: 'example.com', now: 0 });
  });
  await append(db, hits);
  close();
}

/** What people are told, in every way in which it is found: from sums, and from columns. */
function answersOf(path: string): string {
  const { db, close } = openReader(path);
  const range = { from: TODAY - 30, to: TODAY + 1 };
  const { tasks } = makeTasks(db);
  const ask = (more: object) => {
    const question = { siteId: 1, range, filters: {}, ...more } as Query;
    return present(question, tasks.measure(question));
  };
  const answers = [
    ask({ report: 'overview' }),
    ask({ report: 'overview', filters: { country: { is: ['DE'] } } }),
    ask({ report: 'timeseries' }),
    ...['pages', 'events', 'exit_pages'].map((breakdown) => ask({ report: 'breakdown', breakdown, limit: 100 })),
    ask({ report: 'breakdown', breakdown: 'referrers', limit: 100, filters: { page: { is: ['/3'] } } }),
  ];
  close();
  return JSON.stringify(answers);
}

/** What daybook check finds. */
function assertSound(path: string): void {
  const { db, close } = openReader(path);
  for (const { day, faults } of recount(db)) assert.deepEqual(faults, [], `day ${day}`);
  close();
}

const rowsIn = (path: string, table: string, condition: string): number => {
  const { db, close } = openReader(path);
  const { n } = db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`) ?? { n: 0 };
  close();
  return n;
};

test('D2 killed at any moment, seal leaves each day open or sealed, and seals the rest the next time', async (t) => {
  const path = join(folder(t), 'daybook.db');
  const days = Array.from({ length: 8 }, (_, n) => TODAY - 1 - n);
  await fileWith(path, [...days.flatMap((day) => hitsOf(day, HITS)), ...hitsOf(TODAY, 100)]);
  const before = answersOf(path);
  const look = async (left: string) => {
    assertSound(left);
    assert.equal(answersOf(left), before);
    const sealed = rowsIn(left, 'sealed_day', "state = 'shown'");
    const [said] = (await here(left, 'seal')).printed;
    assert.match(said ?? '', new RegExp(`^${days.length - sealed} days? sealed$`));
    assert.equal(answersOf(left), before);
    assert.equal(rowsIn(left, 'sealed_day', "state = 'shown'"), days.length);
    assert.equal(rowsIn(left, 'hit', `day < ${TODAY}`), 0);
    return sealed > 0 && sealed < days.length;
  };
  await kill(t, { template: path, rounds: ROUNDS, argsOf: (left) => [...DAYBOOK, 'seal', '--db', left], look });
});

/** A file to bring in, of some past days and of today. */
function importFile(t: TestContext): string {
  const file = join(folder(t), 'hits.ndjson');
  writeFileSync(file, [TODAY, TODAY - 2, TODAY - 1, TODAY - 3].map((day) => linesOf(hitsOf(day, HITS))).join(''));
  return file;
}

for (const replace of [false, true]) {
  const flag = replace ? ' --replace' : '';
  test(`D2 killed at any moment, import${flag} has brought in all or nothing, and brings in all the next time`, async (t) => {
    const file = importFile(t);
    const path = join(folder(t), 'daybook.db');
    const taken = replace ? [TODAY, TODAY - 1, TODAY - 2, TODAY - 8] : [TODAY - 8, TODAY - 9];
    await fileWith(
      path,
      taken.flatMap((day) => hitsOf(day, 900)),
    );
    // A day that is sealed, one that is over and still open, and one of today, if the import is to take their place.
    await here(path, 'seal');
    if (replace) {
      const { db, close } = openStore(path);
      await append(db, hitsOf(TODAY - 3, 300));
      close();
    }
    const before = answersOf(path);
    const words = ['import', 'example.com', file, '--format', 'ndjson', ...(replace ? ['--replace'] : [])];
    const whole = `${path}.clean`;
    copyFileSync(path, whole);
    await here(whole, ...words);
    const after = answersOf(whole);
    assert.notEqual(before, after);

    const look = async (left: string, ended: boolean) => {
      assertSound(left);
      const answers = answersOf(left);
      const isIn = answers === after;
      assert.ok(isIn || answers === before, 'all or nothing');
      if (ended) assert.ok(isIn);
      const staged = rowsIn(left, 'import', 'shown_at IS NULL') > 0;
      if (isIn) return staged;
      await here(left, ...words);
      assert.equal(answersOf(left), after);
      assertSound(left);
      return staged;
    };
    await kill(t, { template: path, rounds: ROUNDS, argsOf: (left) => [...DAYBOOK, ...words, '--db', left], look });
  });
}

test('D2 killed at any moment, exclude and include leave the old answers or the new, and the next night makes the sums', async (t) => {
  const path = join(folder(t), 'daybook.db');
  const days = Array.from({ length: 20 }, (_, n) => TODAY - 1 - n);
  await fileWith(path, [...days.flatMap((day) => hitsOf(day, HITS)), ...hitsOf(TODAY, 100)]);
  await here(path, 'seal');
  const raw = answersOf(path);
  const excluded = `${path}.excluded`;
  copyFileSync(path, excluded);
  const flags = ['--from', date(TODAY - 15), '--filter', 'country=DE', '--filter', 'page.like=/1*'];
  await here(excluded, 'exclude', 'example.com', ...flags);
  const reduced = answersOf(excluded);
  assert.notEqual(reduced, raw);
  const stale = "exclusions <> coalesce((SELECT max(id) FROM exclusion), '')";

  /** Both ways, from one of the two to the other. */
  const look = (after: string) => async (left: string, ended: boolean) => {
    assertSound(left);
    const now = answersOf(left);
    assert.ok(now === raw || now === reduced);
    if (ended) assert.equal(now, after);
    const isHalfway = now === after && rowsIn(left, 'excluded_sum', '1') !== (after === raw ? 0 : 15);
    await here(left, 'seal');
    assertSound(left);
    assert.equal(answersOf(left), now);
    assert.equal(rowsIn(left, 'excluded_sum', now === raw ? '1' : stale), 0);
    return isHalfway;
  };
  const argsOf = (words: string[]) => (left: string) => [...DAYBOOK, ...words, '--db', left];
  await kill(t, {
    template: path,
    rounds: ROUNDS,
    argsOf: argsOf(['exclude', 'example.com', ...flags]),
    look: look(reduced),
  });
  await kill(t, {
    template: excluded,
    rounds: ROUNDS,
    argsOf: argsOf(['include', 'example.com', '1']),
    look: look(raw),
  });
});
