import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

const RANGE = ['--range', `${date(TODAY - 7)}~${date(TODAY - 1)}`];

/** Each day has 20 visitors. In the last week, 30 mobile visitors from Germany come too, and 20 of them buy. */
const makeDay = (ago: number): Hit[] =>
  Array.from({ length: ago < 8 ? 50 : 20 }, (_, visitor) => {
    const isPlanted = visitor >= 20;
    const countries = ['FR', 'DE', 'US', 'ES'] as const;
    const more = isPlanted
      ? { country: 'DE', device: 'Mobile' as const }
      : { country: countries[visitor % 4] as string, device: 'Desktop' as const };
    const base = { day: TODAY - ago, visitor, ...more };
    const hits = [pageview({ ...base, page: visitor % 2 ? '/Terms & more' : '/' })];
    return isPlanted && visitor < 40 ? [...hits, pageview({ ...base, second: 43_210, event: 'buy' })] : hits;
  }).flat();

/** A site where visitors of one kind came in the last week, and a function that runs the command about it. */
async function stage(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const site = await openSite(app, { goals: [{ type: 'event', value: 'buy' }] });
  await site.store(Array.from({ length: 15 }, (_, ago) => makeDay(ago)).flat());
  await app.seal();
  const { domain, goals } = site.known;
  const print = (...words: string[]) => hereOn(app, 'explain', domain, ...words);
  return { app, domain, goal: String(goals[0]?.id), print };
}

test('explain: with --json, the command answers what the API answers, while the server runs', async (t) => {
  const { app, domain, goal, print } = await stage(t);
  const days = RANGE[1] as string;
  const cases: [flags: string[], query: Record<string, string>][] = [
    [[], {}],
    [RANGE, { range: days }],
    [[...RANGE, '--by', 'conversions', '--goal', goal], { range: days, by: 'conversions', goal }],
    [['--range', 'today', '--compare-until', 'now'], { range: 'today', compare_until: 'now' }],
    [
      ['--range', '7d', '--compare', `${date(TODAY - 14)}~${date(TODAY - 13)}`],
      { range: '7d', compare: `${date(TODAY - 14)}~${date(TODAY - 13)}` },
    ],
    [
      [...RANGE, '--filter', 'device=Mobile', '--filter', 'country.not=FR', '--filter', 'pageviews=1'],
      {
        ...{ range: days, 'filters[device][is]': 'Mobile' },
        ...{ 'filters[country][not]': 'FR', 'filters[pageviews][is]': '1' },
      },
    ],
    [
      ['--filter', 'property:plan=pro', '--filter', `goal=${goal}`],
      { 'filters[property:plan][is]': 'pro', 'filters[goal][is]': goal },
    ],
  ];
  for (const [flags, query] of cases) {
    const { printed } = await print(...flags, '--json');
    const { status, body } = await app.owner.ask('GET', `/sites/${domain}/stats/explain?${new URLSearchParams(query)}`);
    assert.equal(status, 200, flags.join(' '));
    assert.deepEqual(JSON.parse(printed.join('\n')), body.data, flags.join(' '));
  }
});

test('explain: a row has the visitors that make up most of the difference, as filters', async (t) => {
  const { print } = await stage(t);
  const { printed, explained } = await print(...RANGE);
  assert.deepEqual(explained, [
    'visitors: 140 (2026-02-24 to 2026-03-02), then 350 (2026-03-03 to 2026-03-09): +210',
    'Most of the difference comes from these visitors:',
    'BEFORE  NOW  DIFFERENCE  SHARE  VISITORS',
  ]);
  assert.deepEqual(printed, ['0       210  +210        100    device=Mobile']);
  const even = await print('--range', date(TODAY - 10).concat('~', date(TODAY - 9)));
  assert.deepEqual(even.printed, []);
  assert.match(even.explained.join('\n'), /40 .* then 40 .*: 0\n/);
});

test('explain: an error names the flag, and says what would be right', async (t) => {
  const { app, print } = await stage(t);
  const refused: [flags: string[], says: RegExp][] = [
    [['--by', 'bounce_rate'], /^--by: Must be one of visitors, visits, pageviews, conversions/],
    [['--goal', '1'], /^--goal: /],
    [['--by', 'conversions', '--goal', '77'], /^there is no such goal/],
    [['--range', 'soon'], /^--range: Must be today/],
    [['--compare', 'none'], /^--compare: Must be previous, year/],
    [['--compare-until', 'noon'], /^--compare-until: /],
    [['--filter', 'country'], /^--filter takes NAME=VALUE .*not "country"$/],
    [['--filter', 'county=DE'], /^--filter county: This is unknown\. Known: page/],
    [['--filter', 'country=Germany'], /^--filter country: Must be two letters/],
    [['--filter', 'goal=77'], /^there is no such goal/],
  ];
  for (const [flags, says] of refused)
    await assert.rejects(print(...flags), { message: says, exitCode: 2 }, flags.join(' '));
  await assert.rejects(hereOn(app, 'explain', 'nowhere.example'), { message: /no site nowhere\.example/ });
});
