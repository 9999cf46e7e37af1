import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { NOON, share, startApp } from '../support/helpers.ts';
import { anyText } from '../support/text.ts';
import { date } from './days.ts';
import { drafts } from './moments.ts';
import type { Question } from './naive.ts';
import { site } from './random.ts';
import { openSite } from './stage.ts';
import { beginOf, runningDay } from './zones.ts';

const about = (path: string, query: Record<string, string> = {}): Question => ({ path, query });

/** Making a failing case smaller ends in time for the test to say which it is. */
const runs = (numRuns: number) => ({ numRuns: share(numRuns) });

test('a day that is over is answered alike before it is sealed and after, with a new one beside it', async (t) => {
  const property = fc.asyncProperty(site, drafts(share(20)), async (planned, some) => {
    const app = await startApp(t);
    const { finish, store, agree } = await openSite(app, planned);
    const questions = finish(some, planned.hits);
    await store(planned.hits);
    const running = runningDay(planned.zones, NOON / 1000);
    const midnight = beginOf(planned.zones, running + 1);
    const end = midnight - running * 86_400;
    app.clock.pass(midnight - 1 - NOON / 1000);
    await store([180, 179, 1].map((left, visitor) => pageview({ day: running, second: end - left, visitor })));
    await agree('in the last second', questions);
    app.clock.pass(121);
    questions.push(about('realtime'), about('overview', { range: 'today' }));
    await agree('two minutes past midnight', questions);
    await store([0, 120].map((second) => pageview({ day: running + 1, second: end - 86_400 + second })));
    await agree('with hits of the new day', questions);
    await app.seal();
    await agree('sealed', questions);
  });
  await fc.assert(property, runs(3));
});

test('the figures of days add up to those of their range', async (t) => {
  const app = await startApp(t);
  const property = fc.asyncProperty(site, fc.nat(7), fc.boolean(), async ({ hits }, length, sealed) => {
    const { store, ask } = await openSite(app);
    await store(hits);
    if (sealed) await app.seal();
    const figures = async (first: string, last: string): Promise<number[]> => {
      const { visitors, pageviews, visits } = await ask(about('overview', { range: `${first}~${last}` }));
      return [visitors, pageviews, visits];
    };
    const sums = [0, 0, 0];
    for (let back = length; back >= 0; back--) {
      const ofDay = await figures(date(TODAY - back), date(TODAY - back));
      for (const [i, figure] of ofDay.entries()) sums[i] = (sums[i] ?? 0) + figure;
    }
    assert.deepEqual(await figures(date(TODAY - length), date(TODAY)), sums);
  });
  await fc.assert(property, runs(8));
});

test('another filter makes no count larger', async (t) => {
  const app = await startApp(t);
  const property = fc.asyncProperty(site, drafts(8), async (planned, some) => {
    const { finish, store, ask } = await openSite(app, planned);
    await store(planned.hits);
    for (const { query } of finish(some, planned.hits)) {
      const filters = Object.entries(query).filter(([name]) => name.startsWith('filters'));
      let wide = await ask(about('overview', { range: '12m' }));
      for (let count = 1; count <= filters.length; count++) {
        const narrow = await ask(about('overview', { range: '12m', ...Object.fromEntries(filters.slice(0, count)) }));
        for (const figure of ['visitors', 'pageviews', 'visits']) {
          assert.ok(
            narrow[figure] <= wide[figure],
            `${figure} ${wide[figure]}, with ${filters[count - 1]} ${narrow[figure]}`,
          );
        }
        wide = narrow;
      }
    }
  });
  await fc.assert(property, runs(5));
});

test('any text comes back as it went in, and selects no visits but its own', async (t) => {
  const app = await startApp(t);
  const text = anyText({ minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 12 }), async (texts) => {
    const { store, ask, agree } = await openSite(app);
    const saying = (word: string): Partial<Hit> => ({ event: word, label: word, browser: word, os: word });
    await store(texts.map((word, visitor) => pageview({ day: TODAY - 1, visitor, ...saying(word) })));
    const questions = [
      ...['events', 'browsers', 'operating_systems'].map((name) => about(`breakdown/${name}`, { limit: '100' })),
      ...texts.flatMap((word) => [
        about('breakdown/event_labels', { event: word }),
        ...['event', 'browser', 'os'].map((name) => about('overview', { [`filters[${name}]`]: word })),
      ]),
    ];
    await agree('open', questions);
    await app.seal();
    await agree('sealed', questions);
    const { rows } = await ask(about('breakdown/browsers', { limit: '100' }));
    assert.deepEqual(new Set(rows.map(({ value }: { value: string }) => value)), new Set(texts));
  });
  await fc.assert(property, runs(5));
});

test('a change is that of the answered figures, with its halves away from zero', async (t) => {
  const app = await startApp(t);
  const visits = (day: number, [bounces, count]: readonly [number, number]): Hit[] =>
    Array.from({ length: count }, (_, visitor) => {
      const hit = pageview({ day, visitor });
      return visitor < bounces ? [hit] : [hit, hit];
    }).flat();
  // 84.6 % after 80 % is 5.75 % more; in binary, 84.6 - 80 is a little less than 4.6.
  const cases = [
    { now: [11, 13], before: [4, 5], rates: [84.6, 80], change: 5.8 },
    { now: [13, 30], before: [2, 5], rates: [43.3, 40], change: 8.3 },
    { now: [11, 30], before: [2, 5], rates: [36.7, 40], change: -8.3 },
    { now: [25, 31], before: [4, 5], rates: [80.6, 80], change: 0.8 },
    { now: [24, 31], before: [4, 5], rates: [77.4, 80], change: -3.3 },
    { now: [0, 1], before: [1, 2], rates: [0, 50], change: -100 },
    { now: [1, 2], before: [0, 1], rates: [50, 0], change: null },
  ] as const;
  for (const { now, before, rates, change } of cases) {
    const { store, ask } = await openSite(app);
    await store([...visits(TODAY, now), ...visits(TODAY - 1, before)]);
    const found = await ask(about('overview', { range: 'today' }));
    assert.deepEqual([found.bounce_rate, found.previous.bounce_rate], rates);
    assert.equal(found.change.bounce_rate, change);
  }
});

test('rows of as many visitors are in the order of their code points', async (t) => {
  const { store, ask } = await openSite(await startApp(t));
  const ordered = [
    '',
    '\0',
    'A',
    'a',
    'a\0',
    'ab',
    'e\u0301',
    '\u00e9',
    '\ud7ff',
    '\ue000',
    '\ufeff',
    '\uff5e',
    '\u{1f600}',
  ];
  const values = [...ordered, '\u{10ffff}'];
  await store([...values].reverse().map((browser, visitor) => pageview({ visitor, browser })));
  const { rows } = await ask(about('breakdown/browsers', { limit: '100' }));
  assert.deepEqual(
    rows,
    values.map((value) => ({ value, visitors: 1 })),
  );
});
