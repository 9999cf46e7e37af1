import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import type { Refusal } from '../../src/lib/errors.ts';
import { openReader } from '../../src/store/open.ts';
import { CHROME, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { furnish } from '../furnish.ts';
import { NOON, startApp } from '../helpers.ts';
import { program } from '../program.ts';
import { dataOf } from '../requests.ts';
import { date } from '../stats/days.ts';
import { naive } from '../stats/naive.ts';
import { commandLine, here } from './here.ts';

const DAY = 86_400;
const now = NOON / 1000;
type Line = Record<string, string>;

const moment = (day: number, second = 0): string => new Date((day * DAY + second) * 1000).toISOString();
const line = (day: number, more: Line = {}): string =>
  `${JSON.stringify({ at: moment(day), url: 'https://example.com/a', visitor: 'v', ...more })}\n`;

/** So many visitors a day, by how many days ago. */
const visitors = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .flatMap(([back, count]) =>
      Array.from({ length: count }, (_, n) => line(TODAY - Number(back), { visitor: `${n}` })),
    )
    .join('');

async function started(t: TestContext) {
  const daybook = commandLine(t);
  const token = await furnish(daybook.db);
  const file = join(daybook.folder, 'hits.ndjson');
  const args = ['import', 'example.com', file, '--format', 'ndjson'];
  const bring = (text: string | Buffer, ...flags: string[]) => {
    writeFileSync(file, text);
    return daybook.run([...args, ...flags]);
  };
  return {
    daybook,
    file,
    bring,
    async mustBring(text: string | Buffer, ...flags: string[]): Promise<string> {
      writeFileSync(file, text);
      const { printed, explained } = await here(daybook.db, ...args, ...flags);
      assert.deepEqual(explained, []);
      return printed.join('\n');
    },
    /** A server, and what it says of the days that have visitors, by how long ago they are. */
    async serve() {
      const server = await daybook.serve(['--rate-limit', '0', '--flood', '0']);
      const get = (path: string) =>
        fetch(`${server.url}/api/v1/sites/example.com/${path}`, { headers: { Authorization: `Bearer ${token}` } });
      const days = async (): Promise<Record<number, number>> => {
        const answer = await get('stats/timeseries?range=30d');
        assert.equal(answer.status, 200);
        const { data } = (await answer.json()) as { data: { points: { visitors: number }[] } };
        const counts = data.points.reverse().map(({ visitors }, back) => [back, visitors] as const);
        return Object.fromEntries(counts.filter(([, count]) => count > 0));
      };
      /** A pageview from this machine. */
      const view = (page = '/live', agent = CHROME) =>
        fetch(`${server.url}/day`, {
          method: 'POST',
          headers: { 'user-agent': agent, 'accept-language': 'de' },
          body: JSON.stringify({ site: 'example.com', url: `https://example.com${page}` }),
        });
      return { ...server, get, days, view };
    },
  };
}

test('a file is brought in, its past days sealed and today open, and the days it does not name stay free', async (t) => {
  const { mustBring, daybook, serve } = await started(t);
  const { days, stop } = await serve();
  assert.equal(
    await mustBring(visitors({ 0: 2, 1: 3, 9: 4 })),
    `9 hits of 3 days imported (import 1)
9 records read: 9 accepted, 0 skipped
accepted: 9 pageviews, ${date(TODAY - 9)} to ${date(TODAY)}`,
  );
  assert.deepEqual(await days(), { 0: 2, 1: 3, 9: 4 });
  assert.match(await mustBring(visitors({ 5: 1 })), /^1 hit of 1 day imported \(import 2\)\n/);
  assert.deepEqual(await days(), { 0: 2, 1: 3, 5: 1, 9: 4 });
  await stop();
  assert.equal(await daybook.print(['check']), '3 sealed days counted again, 0 differ');
  assert.deepEqual(
    readdirSync(daybook.folder).filter((name) => name.includes('import')),
    [],
  );
});

test('days that hold hits are refused by name without --replace, and nothing is brought in', async (t) => {
  const { bring, mustBring, serve } = await started(t);
  const { days, view } = await serve();
  await mustBring(visitors({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 }));
  assert.equal((await view()).status, 202);
  const before = { 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 };
  for (const [counts, named] of [
    [{ 1: 7, 8: 1 }, date(TODAY - 1)],
    [{ 0: 7, 8: 1 }, date(TODAY)],
    [{ 1: 7, 2: 7, 3: 7 }, [3, 2, 1].map((back) => date(TODAY - back)).join(', ')],
    [{ 0: 7, 1: 7, 2: 7, 4: 7, 8: 1 }, `${[4, 2, 1].map((back) => date(TODAY - back)).join(', ')} and 1 more`],
  ] as const) {
    const { code, stdout, stderr } = await bring(visitors(counts));
    assert.deepEqual([code, stdout], [1, '']);
    const [why, read] = stderr.split('\n');
    assert.equal(
      why,
      `daybook: example.com already has hits on ${named}; nothing was imported. Use --replace to replace those days with the file's.`,
    );
    assert.match(read ?? '', /^\d+ records read: \d+ accepted, 0 skipped$/);
    assert.deepEqual(await days(), before);
  }
});

test('with --replace the days of the file take the place of what was there, live hits of today too', async (t) => {
  const { mustBring, serve, daybook } = await started(t);
  const { days, view, stop } = await serve();
  await mustBring(visitors({ 1: 5, 2: 5 }));
  for (const agent of ['a', 'b', 'c']) assert.equal((await view('/live', `${CHROME} ${agent}`)).status, 202);
  assert.deepEqual(await days(), { 0: 3, 1: 5, 2: 5 });
  await mustBring(visitors({ 0: 2, 1: 1, 3: 4 }), '--replace');
  assert.deepEqual(await days(), { 0: 2, 1: 1, 2: 5, 3: 4 });
  assert.equal((await view()).status, 202);
  assert.deepEqual(await days(), { 0: 3, 1: 1, 2: 5, 3: 4 });
  await mustBring(visitors({ 0: 4 }), '--replace');
  assert.deepEqual(await days(), { 0: 4, 1: 1, 2: 5, 3: 4 });
  await stop();
  assert.equal(await daybook.print(['check']), '3 sealed days counted again, 0 differ');
});

test('a line that cannot be read is named, and nothing is brought in', async (t) => {
  const { bring, serve } = await started(t);
  const { days } = await serve();
  const good = visitors({ 1: 2 });
  for (const [bad, message] of [
    ['{', /^daybook: line 3: must be a JSON object/],
    [line(TODAY - 1, { url: '' }), /^daybook: line 3: url: is required/],
    [line(TODAY + 1), /^daybook: line 3: at: must be in the past/],
    [line(TODAY - 1, { referer: 'https://x.org' }), /^daybook: line 3: "referer": is not known/],
  ] as const) {
    const { code, stdout, stderr } = await bring(`${good}${bad}\n${good}`);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  }
  assert.deepEqual(await days(), {});
});

test('a file without a hit is an error', async (t) => {
  const { bring, file } = await started(t);
  for (const text of ['', '\n \n\n', gzipSync('')]) {
    const { code, stderr } = await bring(text);
    assert.deepEqual([code, stderr], [1, `daybook: ${file}: no hits to import\n`]);
  }
});

test('a packed file is read like a plain one, and one that is cut off is an error', async (t) => {
  const { bring, mustBring } = await started(t);
  const packed = gzipSync(visitors({ 1: 500, 2: 500 }));
  const { code, stderr } = await bring(packed.subarray(0, packed.length - 20));
  assert.equal(code, 1);
  assert.match(stderr, /hits\.ndjson: it is cut off or damaged/);
  assert.match(await mustBring(packed), /^1000 hits of 2 days imported/);
});

test('what comes in from another program is read where the file is -', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const args = ['import', 'example.com', '-', '--format', 'ndjson'];
  const nothing = await daybook.run(args);
  assert.deepEqual([nothing.code, nothing.stderr], [1, 'daybook: -: no hits to import\n']);
  const input = visitors({ 1: 3_000, 2: 1 }).trimEnd();
  assert.match(await daybook.print(args, { input }), /^3001 hits of 2 days imported/);
});

const UMAMI = `session_id,created_at,hostname,url_path,event_type,event_name
a,${date(TODAY - 2)} 10:00:00,example.com,/a,1,
a,${date(TODAY - 2)} 10:00:05,example.com,/a,2,buy
b,${date(TODAY - 1)} 10:00:00,old.example,/b,1,
b,${date(TODAY - 1)} 10:00:00,old.example,/b,1,
`;

test('another format is imported with a summary of what was accepted, and what was skipped and why', async (t) => {
  const { daybook, file, serve } = await started(t);
  writeFileSync(file, UMAMI);
  const args = ['import', 'example.com', file, '--format', 'umami'];
  const { days, stop } = await serve();
  const summary = `4 records read: 2 accepted, 2 skipped
accepted: 1 pageview, 1 event, ${date(TODAY - 2)} to ${date(TODAY - 2)}
skipped: 2 (another host), first on line 4`;
  assert.equal(await daybook.print([...args, '--dry-run']), `${summary}\ndry run: nothing was imported`);
  assert.deepEqual(await days(), {});
  assert.equal(await daybook.print(args), `2 hits of 1 day imported (import 1)\n${summary}`);
  assert.deepEqual(await days(), { 2: 1 });
  assert.match(await daybook.print([...args, '--from', 'old.example']), /^2 hits of 1 day imported \(import 2\)/);
  assert.deepEqual(await days(), { 1: 1, 2: 1 });
  await stop();
  assert.equal(await daybook.print(['check']), '2 sealed days counted again, 0 differ');
});

test('a dry run finds all that the run would find, and writes nothing', async (t) => {
  const { bring, mustBring, daybook } = await started(t);
  const rows = () => {
    const { db, close } = openReader(daybook.db);
    const tables = ['salt', 'term', 'hit', 'import', 'sealed_day'];
    const counts = tables.map((table) => db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n);
    close();
    return counts;
  };
  const one = { visitor: '', ip: '192.0.2.1', agent: CHROME };
  assert.match(await mustBring(line(TODAY, one), '--dry-run'), /^1 record read/);
  const { code, stderr } = await bring(`${line(TODAY)}{\n`, '--dry-run');
  assert.deepEqual([code, stderr.slice(0, 16)], [1, 'daybook: line 2:']);
  assert.deepEqual(rows(), [0, 0, 0, 0, 0]);
  await mustBring(visitors({ 1: 1 }));
  const taken = await bring(visitors({ 1: 1 }), '--dry-run');
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /already has hits on/);
  assert.match(await mustBring(visitors({ 1: 1 }), '--dry-run', '--replace'), /dry run: nothing was imported/);
});

test('a file of which nothing is taken is an error that says why', async (t) => {
  const { daybook, file } = await started(t);
  writeFileSync(file, UMAMI);
  const { code, stderr } = await daybook.run(['import', 'example.com', file, '--format', 'umami', '--from', 'x.org']);
  assert.deepEqual(
    [code, stderr],
    [1, `daybook: ${file}: no hits to import\nskipped: 4 (another host), first on line 2\n`],
  );
});

test('the help of --format says which file each format reads', async (t) => {
  const help = await commandLine(t).print(['import', '--help']);
  const formats = Object.entries(FILE_FORMATS).map(([name, format]) => `${name} (${format.help})`);
  assert.ok(help.includes(`what the file is: ${formats.join(', ')} (required)`), help);
});

test('a site, file or format that does not exist is an error', async (t) => {
  const { daybook, file } = await started(t);
  writeFileSync(file, visitors({ 1: 1 }));
  for (const [args, exitCode, message] of [
    [['other.example', file, '--format', 'ndjson'], 1, 'there is no site other.example; daybook site add makes one'],
    [['example.com', `${file}x`, '--format', 'ndjson'], 1, `${file}x: there is no such file`],
    [['example.com', daybook.folder, '--format', 'ndjson'], 1, 'this is a folder'],
    [['example.com', file, '--format', 'csv'], 2, `--format takes ${Object.keys(FILE_FORMATS).join(', ')}, not "csv"`],
    [['example.com', file], 2, '--format NAME is required'],
    [['example.com', '--format', 'ndjson'], 2, 'FILE is missing'],
  ] as const) {
    await assert.rejects(here(daybook.db, 'import', ...args), (error: Refusal) => {
      assert.equal(error.exitCode, exitCode);
      return error.message.includes(message);
    });
  }
});

test('whoever comes today and is in the file too is one visitor, by address and agent', async (t) => {
  const { mustBring, serve } = await started(t);
  const { days, view, get } = await serve();
  await view('/live');
  const who = (ip: string, agent: string) => {
    const { visitor: _, ...rest } = JSON.parse(line(TODAY)) as Line;
    return `${JSON.stringify({ ...rest, at: moment(0, now), ip, agent })}\n`;
  };
  const text = who('127.0.0.1', CHROME) + who('127.0.0.1', `${CHROME} other`) + who('192.0.2.9', CHROME);
  await mustBring(text, '--replace');
  assert.deepEqual(await days(), { 0: 3 });
  await view('/live');
  const { data } = (await (await get('stats/overview?range=today')).json()) as {
    data: { visitors: number; pageviews: number };
  };
  assert.deepEqual([data.visitors, data.pageviews], [3, 4]);
});

test('while a file is brought in the server answers and takes hits as ever', async (t) => {
  const { bring, serve } = await started(t);
  const { days, view, get } = await serve();
  await view();
  const counts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [n + 1, 1_500]));
  let over = false;
  const importing = bring(visitors(counts)).finally(() => {
    over = true;
  });
  const statuses: number[] = [];
  let taken = 1;
  let during = 0;
  while (!over) {
    const [hit, answer] = await Promise.all([view(`/${taken}`), get('stats/overview?range=30d')]);
    statuses.push(hit.status, answer.status);
    taken++;
    const { data } = (await answer.json()) as { data: { pageviews: number } };
    // All of it or nothing, at any moment.
    const live = data.pageviews < 30_000 ? data.pageviews : data.pageviews - 30_000;
    assert.ok(live <= taken, `${data.pageviews} pageviews`);
    during++;
  }
  assert.deepEqual((await importing).stderr, '');
  t.diagnostic(`asked ${during} times`);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 202]);
  assert.deepEqual(await days(), { 0: 1, ...counts });
  const { data } = (await (await get('stats/overview?range=today')).json()) as { data: { pageviews: number } };
  assert.equal(data.pageviews, taken);
});

const PAGES = ['/', '/a', '/b', '/b/c'];
const SOURCES = ['', 'x.org', 'y.org'];
const WORDS = ['', '', 'a', 'B', 'ü', '(other)', 'o\'hare "x"'];

/** Hits of some days, not in their order; today's are not in the future. */
const hit = fc
  .record({
    back: fc.constantFrom(0, 1, 1, 2, 7, 40),
    second: fc.oneof(fc.constantFrom(0, 1_800, 1_801, 3_601, 86_399), fc.nat(86_399)),
    visitor: fc.nat(4),
    page: fc.constantFrom(...PAGES),
    event: fc.constantFrom('', '', 'buy', 'ü'),
    label: fc.constantFrom(...WORDS),
    source: fc.constantFrom(...SOURCES),
    utm_source: fc.constantFrom(...WORDS),
    utm_medium: fc.constantFrom(...WORDS),
    utm_campaign: fc.constantFrom(...WORDS),
    country: fc.constantFrom('', 'DE', 'US'),
    device: fc.constantFrom('', 'Desktop', 'Mobile', 'Tablet'),
    browser: fc.constantFrom(...WORDS),
    os: fc.constantFrom(...WORDS),
  })
  .map(({ back, second, label, ...said }): Hit => {
    const day = TODAY - back;
    return pageview({
      ...said,
      day,
      second: back === 0 ? second % ((now % DAY) + 1) : second,
      label: said.event === '' ? '' : label,
    });
  });

const lineOf = ({ day, second, visitor, page, source, utm_source, utm_medium, utm_campaign, ...said }: Hit): string => {
  const { event, label, country, device, browser, os } = said;
  const url = `https://example.com${page}?${new URLSearchParams({ utm_source, utm_medium, utm_campaign })}`;
  const referrer = source && `https://www.${source}/page`;
  const words = { event, label, country, device, browser, os };
  return `${JSON.stringify({ at: moment(day, second), url, referrer, visitor: `v${visitor}`, ...words })}\n`;
};

const REPORTS = [
  'overview',
  'timeseries',
  ...'pages entry_pages exit_pages referrers utm_source utm_medium utm_campaign countries devices browsers operating_systems events'
    .split(' ')
    .map((name) => `breakdown/${name}`),
];
const QUERIES = [
  {},
  { range: 'today' },
  { range: '12m' },
  { range: '12m', 'filters[page]': '/b' },
  { range: '12m', 'filters[source]': 'x.org', 'filters[country]': 'DE' },
];

test('any file counts as the reference counts its hits, and again when it is brought in once more', async (t) => {
  const app = await startApp(t);
  const [opened] = app.db.all<{ file: string }>('PRAGMA database_list');
  const db = opened?.file ?? '';
  const file = `${db}.ndjson`;
  let sites = 0;
  const property = fc.asyncProperty(fc.array(hit, { minLength: 1, maxLength: 80, size: 'max' }), async (hits) => {
    const domain = `site${sites++}.example`;
    const siteId = app.site(app.owner, domain);
    writeFileSync(file, hits.map(lineOf).join(''));
    for (const flags of [[], ['--replace']]) {
      await here(db, 'import', domain, file, '--format', 'ndjson', ...flags);
      for (const path of REPORTS) {
        for (const query of QUERIES) {
          const url = `/sites/${siteId}/stats/${path}`;
          const answer = await app.owner.ask('GET', `${url}?${new URLSearchParams(query as Line)}`);
          const site = { hits, crawls: [], goals: [], funnels: [], crawlers: [] };
          const question = { path, query: query as Line };
          const expected = naive(site, question, now);
          assert.deepEqual({ question, data: dataOf(answer, 'GET', url) }, { question, data: expected });
        }
      }
    }
  });
  await fc.assert(property, { numRuns: 3 });
});
