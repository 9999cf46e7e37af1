import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageview, TODAY } from '../collect/stage.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

/** A site with visits from two countries, of which one buys, and a function that runs the command about it. */
async function stage(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const site = await openSite(app);
  await site.store([
    pageview({ day: TODAY - 8, visitor: 1, country: 'DE', page: '/pricing' }),
    pageview({ day: TODAY - 2, visitor: 2, country: 'US', source: 'a.example', page: '/Terms & more' }),
    pageview({ day: TODAY - 2, visitor: 3, country: 'US', properties: '{"plan":"pro"}' }),
    pageview({ day: TODAY - 1, visitor: 4, country: 'DE', event: 'buy', revenue: 'EUR 123450' }),
    ...Array.from({ length: 9 }, (_, i) => pageview({ day: TODAY, visitor: 10 + i, country: 'US', event: '=1+1,"' })),
  ]);
  const { domain } = site.known;
  const print = (...words: string[]) => hereOn(app, 'query', domain, ...words);
  const ask = async (body: object) => (await app.owner.ask('POST', `/sites/${domain}/query`, body)).body.data;
  return { app, domain, print, ask };
}

test('query: the command answers what the API answers, while the server runs', async (t) => {
  const { app, print, ask } = await stage(t);
  const cases: [flags: string[], body: object][] = [
    [[], {}],
    [
      ['--by', 'channel,country', '--metrics', 'visitors,bounce_rate'],
      { by: ['channel', 'country'], metrics: ['visitors', 'bounce_rate'] },
    ],
    [
      ['--by', 'day, event', '--sort', 'day', '--order', 'desc', '--limit', '2', '--offset', '1'],
      { by: ['day', 'event'], sort: 'day', order: 'desc', limit: 2, offset: 1 },
    ],
    [['--by', 'property:plan', '--range', '7d'], { by: ['property:plan'], range: '7d' }],
    [['--filter', 'property:plan=pro'], { filters: { 'property:plan': { is: ['pro'] } } }],
    [
      ['--filter', 'country=DE', '--filter', 'country=US', '--filter', 'page.unlike=/pri*'],
      { filters: { country: { is: ['DE', 'US'] }, page: { unlike: ['/pri*'] } } },
    ],
    [['--filter', 'pageviews=0'], { filters: { pageviews: { is: [0] } } }],
    [
      ['--any', 'country=DE & page=/pricing', '--any', 'page=/Terms & more'],
      { any: [{ country: { is: ['DE'] }, page: { is: ['/pricing'] } }, { page: { is: ['/Terms & more'] } }] },
    ],
    [['--metrics', 'revenue', '--currency', 'EUR'], { metrics: ['revenue'], currency: 'EUR' }],
    [
      ['--by', 'country', '--range', 'today', '--compare', 'previous'],
      { by: ['country'], range: 'today', compare: 'previous' },
    ],
  ];
  for (const sealed of [false, true]) {
    if (sealed) await app.seal();
    for (const [flags, body] of cases) {
      const { printed } = await print(...flags, '--format', 'json');
      const expected = await ask(body);
      assert.ok(expected.rows.length > 0, flags.join(' '));
      assert.deepEqual(JSON.parse(printed.join('')), expected, flags.join(' '));
    }
  }
});

test('query: a table has its numbers at the right, and CSV its names in the first line', async (t) => {
  const { print } = await stage(t);
  const asked = ['--by', 'source,country', '--metrics', 'visitors,revenue_per_visitor', '--currency', 'EUR'];
  const table = await print(...asked);
  assert.deepEqual(table.explained, ['source     country  visitors  revenue_per_visitor']);
  assert.deepEqual(table.printed, [
    '(none)     US             10                 0.00',
    '(none)     DE              2               617.25',
    'a.example  US              1                 0.00',
  ]);
  const first = await print(...asked, '--limit', '1');
  assert.match(first.explained.at(-1) ?? '', /rows 1 to 1 of 3\. To see more, use --limit or --offset/);
  const csv = await print('--by', 'event', '--range', 'today', '--compare', 'previous', '--format', 'csv');
  assert.deepEqual(csv.printed, ['event,visitors,previous_visitors', `"'=1+1,""",9,`]);
  const none = await print('--filter', 'country=FR', '--by', 'page');
  assert.deepEqual([none.printed, none.explained], [[], ['no visits on these days match']]);
});

test('query: notices are printed beside a table and CSV, and JSON has them', async (t) => {
  const { app, domain, print } = await stage(t);
  await app.owner.ask('PATCH', `/sites/${domain}`, { time_zone: 'Asia/Tokyo' });
  for (const format of ['table', 'csv']) assert.match((await print('--format', format)).explained.join(' '), /UTC/);
  const json = await print('--format', 'json');
  assert.deepEqual(json.explained, []);
  assert.match(JSON.parse(json.printed.join('')).notices[0], /UTC/);
});

test('query: an error names the flag, and says what would be right', async (t) => {
  const { app, print } = await stage(t);
  const refused: [flags: string[], says: RegExp][] = [
    [['--by', 'page,contry'], /^--by "contry": Must be one of page, .* property:NAME\. Did you mean country\?$/],
    [['--by', 'a,b,c,d'], /^--by/],
    [['--by', 'day,day'], /^--by: This appears more than once/],
    [['--metrics', 'visitor'], /^--metrics "visitor": .* Did you mean visitors\?$/],
    [
      ['--by', 'page', '--metrics', 'bounce_rate'],
      /^--metrics: .*bounce_rate\. They have visitors, visits, pageviews, time/,
    ],
    [['--sort', 'pageviews'], /^--sort: Must be one of visitors\./],
    [['--order', 'up'], /^--order: Must be one of desc, asc/],
    [['--limit', 'few'], /^--limit: Must be a whole number from 1 to 10000/],
    [['--limit', ''], /^--limit: Must be a whole number/],
    [['--offset', '-1'], /^--offset/],
    [['--range', 'soon'], /^--range: Must be today/],
    [['--filter', 'country'], /^--filter takes NAME=VALUE .*not "country"$/],
    [['--filter', 'page.liek=/a'], /^--filter takes .* Did you mean page\.like\?$/],
    [['--filter', 'county=DE'], /^--filter county: This is unknown\. Known: page/],
    [['--filter', 'country=Germany'], /^--filter country: Must be two letters/],
    [['--any', 'country=Germany'], /^--any country: Must be two letters/],
    [['--any', ''], /^--any takes NAME=VALUE/],
    [['--filter', 'goal=77'], /^there is no such goal/],
    [['--metrics', 'conversions'], /^--goal: This is required/],
    [['--metrics', 'revenue'], /^--currency/],
    [['--by', 'day', '--compare', 'previous'], /^--compare: /],
    [['--format', 'xml'], /^--format takes table, json, csv, not "xml"$/],
  ];
  app.db.write(() => app.db.run("UPDATE site SET currency = ''"));
  for (const [flags, says] of refused)
    await assert.rejects(print(...flags), { message: says, exitCode: 2 }, flags.join(' '));
  await assert.rejects(hereOn(app, 'query', 'nowhere.example'), { message: /no site nowhere\.example/ });
});
