import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { crawlWriter } from '../../src/logs/positions.ts';
import { changeDomain } from '../../src/store/domains.ts';
import { openStore } from '../../src/store/open.ts';
import { changePrivatePaths } from '../../src/store/sites.ts';
import type { Db } from '../../src/store/statements.ts';
import { here } from '../cli/here.ts';
import { writeZip } from '../exchange/zips.ts';
import { furnish } from '../furnish.ts';
import { folder, NOON, startApp } from '../helpers.ts';
import { BROWSER, CHROME, GERMAN, GPTBOT, storedCrawls, TODAY } from './stage.ts';

const PATTERNS = ['users/*', '/orders/{number}', '{token}'];

/** What is private in an address of a page, and what the page is kept as. */
const ADDRESSES: Record<string, string> = {
  '/users/s3cret-ann/edit': '/users/:id/edit',
  '/orders/770077': '/orders/:id',
  '/reset/9f86d081884c7d659a2feaa0c55ad015': '/reset/:id',
  '/leave/ann@s3cret.example': '/leave/:id',
  '/leave/ann%40s3cret.example': '/leave/:id',
  [`/${'a'.repeat(1013)}/ann@s3cret.example`]: `/${'a'.repeat(1013)}/:id`,
};
const PAGES = [...new Set(Object.values(ADDRESSES))].sort();
const TAGS = [
  'ref=ann@s3cret.example',
  'source=ann%40s3cret.example',
  'utm_source=Ann+<ann@s3cret.example>&ref=770077-9f86d081884c',
  'utm_campaign=ann%2540s3cret.example&utm_medium=x-ann@s3cret.example',
  'ref=9f86d081884c7d659a2feaa0c55ad015',
  'source=0b6e4f7a-6c1e-4b9e-9d4f-2f6d2c1a7b90',
  `utm_campaign=${'a'.repeat(190)}ann@s3cret.example`,
];
const URLS = Object.keys(ADDRESSES).map((path, n) => `https://example.com${path}?${TAGS[n % TAGS.length]}`);
const MORE = TAGS.map((tags) => `https://example.com/?${tags}`);
/** Nothing of it may be kept, also not in part. */
const PRIVATE = /s3cret|ann@|ann%|770077(?!-9f)|9f86d081884c7d|0b6e4f7a/;
/** The app whose host a browser names may be anything. */
const REFERRER = 'android-app://ann%40s3cret.example/';

/** Every text that a file keeps of visitors, but for its own first page and what is derived from agents. */
const textsIn = (db: Db): string[] =>
  db.all<{ text: string }>('SELECT text FROM term ORDER BY text').map(({ text }) => text);

function assertPrivate(db: Db): void {
  const texts = textsIn(db);
  assert.deepEqual(
    texts.filter((text) => PRIVATE.test(text)),
    [],
  );
  assert.deepEqual(
    PAGES.filter((page) => !texts.includes(page)),
    [],
  );
}

async function app(t: TestContext) {
  const stage = await startApp(t, { flood: '0' });
  const { status } = await stage.manager.ask('PATCH', `/sites/${stage.siteId}`, { private_paths: PATTERNS });
  assert.equal(status, 200);
  return stage;
}

test('nothing private of an address is kept of what browsers send', async (t) => {
  const { ask, db } = await app(t);
  const send = async (message: object) => {
    const answer = await ask('POST', '/day', { body: { site: 'example.com', ...message }, headers: BROWSER });
    assert.deepEqual([answer.status, answer.headers.get('Daybook-Dropped')], [202, null]);
  };
  for (const url of [...URLS, ...MORE]) {
    await send({ url, referrer: REFERRER });
    await send({ url, engaged: 1000 });
    await send({ url, event: '404', label: new URL(url).pathname.slice(0, 200) });
    await send({ url, event: 'Download', label: 'example.com/users/s3cret-ann/bill.pdf' });
    await send({ url, event: 'Outbound link', label: 'other.example/ann@s3cret.example' });
    const pixel = `/day.gif?site=example.com&url=${encodeURIComponent(url)}`;
    assert.equal((await ask('GET', pixel, { headers: BROWSER })).status, 200);
  }
  assertPrivate(db);
  assert.ok(textsIn(db).includes('example.com/users/:id/bill.pdf'));
});

test('nothing private of an address is kept of what servers send', async (t) => {
  const { ask, db, owner, siteId, tokenOf } = await app(t);
  const token = tokenOf(owner, ['collect']);
  const urls = [...URLS, ...MORE];
  const hits = urls.map((url) => ({
    url,
    referrer: REFERRER,
    ip: GERMAN,
    agent: CHROME,
    event: 'e',
    label: new URL(url).pathname.slice(0, 200),
  }));
  const passed = await ask('POST', `/api/v1/sites/${siteId}/hits`, { token, body: hits });
  assert.equal(passed.body.data.accepted, urls.length);
  assertPrivate(db);
});

test('nothing private of an address is kept of what crawlers read', async (t) => {
  const { ask, db, owner, siteId, tokenOf } = await app(t);
  const token = tokenOf(owner, ['collect']);
  const crawls = URLS.map((url) => ({ url, agent: GPTBOT }));
  const passed = await ask('POST', `/api/v1/sites/${siteId}/crawls`, { token, body: crawls });
  assert.equal(passed.body.data.accepted, URLS.length);
  assertPrivate(db);
});

test('a setting holds from the next hit on, and what was kept before stays', async (t) => {
  const { ask, db, owner, siteId } = await startApp(t, { flood: '0' });
  const look = () =>
    ask('POST', '/day', { body: { site: 'example.com', url: 'https://example.com/users/5' }, headers: BROWSER });
  await look();
  await owner.ask('PATCH', `/sites/${siteId}`, { private_paths: ['users/*'] });
  await look();
  await owner.ask('PATCH', `/sites/${siteId}`, { private_paths: [] });
  await look();
  const pages = db.all<{ page: string }>(
    'SELECT t.text AS page FROM hit h JOIN term t ON t.site_id = h.site_id AND t.id = h.page ORDER BY h.id',
  );
  assert.deepEqual(
    pages.map(({ page }) => page),
    ['/users/5', '/users/:id', '/users/5'],
  );
});

test('a log that is followed goes by the setting of the moment at which it is written', async (t) => {
  const { db, engine, siteId } = await app(t);
  const write = crawlWriter(db, engine, { id: siteId, domain: 'example.com' });
  await write([{ siteId, day: TODAY, crawler: 'gptbot', page: '/users/5', requests: 1 }]);
  assert.deepEqual(storedCrawls(db, siteId), { 'gptbot /users/:id': 1 });
  db.write(() => changeDomain(db, siteId, 'new.example', 0));
  await write([{ siteId, day: TODAY, crawler: 'gptbot', page: '/renamed', requests: 1 }]);
  assert.deepEqual(storedCrawls(db, siteId), { 'gptbot /renamed': 1, 'gptbot /users/:id': 1 });
});

/** A file of ann's with the patterns, and what a command leaves in it. */
async function atTerminal(t: TestContext) {
  const place = folder(t);
  const path = join(place, 'daybook.db');
  await furnish(path);
  function change(patterns: readonly string[]): void {
    const { db, close } = openStore(path);
    db.write(() => changePrivatePaths(db, 1, patterns.join('\n')));
    close();
  }
  change(PATTERNS);
  return {
    change,
    file: join(place, 'file'),
    run: (...words: string[]) => here(path, ...words),
    check(): void {
      const store = openStore(path);
      assertPrivate(store.db);
      store.close();
    },
  };
}

const TIME = '[09/Mar/2026:10:00:00 +0000]';
const logLine = (url: string, agent: string): string => {
  const { pathname, search } = new URL(url);
  return `${GERMAN} - - ${TIME} "GET ${pathname}${search} HTTP/1.1" 200 9 "${REFERRER}" "${agent}"`;
};

test('nothing private of an address is kept of an access log', async (t) => {
  const { file, run, check } = await atTerminal(t);
  writeFileSync(file, URLS.map((url) => `${logLine(url, GPTBOT)}\n`).join(''));
  await run('logs', 'example.com', file);
  check();
});

const AT = new Date(NOON - 86_400_000).toISOString();
const csv = (head: string, rows: readonly (readonly string[])[]): string =>
  [head, ...rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','))].map((line) => `${line}\n`).join('');
const parts = (url: string) => {
  const { pathname, search } = new URL(url);
  return [pathname, search] as const;
};

/** The same visits in each format that has hits. */
const FILES: Record<string, (urls: readonly string[]) => string> = {
  ndjson: (urls) =>
    urls
      .map((url, n) => {
        const hit = { at: AT, url, referrer: REFERRER, visitor: `${n}`, event: 'e', label: new URL(url).pathname };
        return `${JSON.stringify({ ...hit, label: hit.label.slice(0, 200) })}\n`;
      })
      .join(''),
  goatcounter: (urls) =>
    csv(
      '2Path,Title,Event,Bot,Session,Referrer,Referrer scheme,Browser,System,Date',
      urls.flatMap((url, n) => {
        const row = (referrer: string, scheme: string) =>
          [parts(url).join(''), '', 'false', '0', `${n}`, referrer, scheme, '', '', AT] as const;
        return [row('ann@s3cret.example', 'c'), row(REFERRER, 'h')];
      }),
    ),
  umami: (urls) =>
    csv(
      'created_at,session_id,hostname,url_path,url_query,referrer_domain,event_type',
      urls.map((url, n) => [AT, `${n}`, 'example.com', ...parts(url), 'ann%40s3cret.example', '1']),
    ),
  simpleanalytics: (urls) =>
    csv(
      'added_iso,hostname,path,query,session_id,utm_source,datapoint',
      urls.map((url, n) => [AT, 'example.com', ...parts(url), `${n}`, 'ann@s3cret.example', 'pageview']),
    ),
  log: (urls) => urls.map((url) => `${logLine(url, CHROME)}\n`).join(''),
};

test('every format that has hits is among these files', () => {
  const withHits = Object.entries(FILE_FORMATS).filter(([, format]) => 'parser' in format);
  assert.deepEqual(Object.keys(FILES).sort(), withHits.map(([name]) => name).sort());
});

for (const [format, textOf] of Object.entries(FILES)) {
  test(`nothing private of an address is kept of a file of ${format}`, async (t) => {
    const { file, run, check } = await atTerminal(t);
    writeFileSync(file, textOf([...URLS, ...MORE]));
    await run('import', 'example.com', file, '--format', format);
    check();
  });
}

test("nothing private of an address is kept of Plausible's sums", async (t) => {
  const { file, run, check } = await atTerminal(t);
  const paths = Object.keys(ADDRESSES);
  const table = (name: string, head: string, rows: readonly (readonly string[])[]) => ({
    name: `imported_${name}_20260301_20260309.csv`,
    text: [csv(`date,${head}`, [...rows.map((cells) => ['2026-03-09', ...cells])])],
  });
  const mail = 'ann@s3cret.example';
  await writeZip(file, [
    table('visitors', 'visitors,pageviews,bounces,visits,visit_duration', [['9', '9', '9', '9', '0']]),
    table('sources', 'source,referrer,utm_source,utm_medium,utm_campaign,visitors', [
      [mail, '', mail, mail, mail, '1'],
      ['', `https://${mail}/`, '', '', '', '1'],
    ]),
    table(
      'pages',
      'page,visitors,pageviews',
      paths.map((path) => [path, '1', '1']),
    ),
    table(
      'entry_pages',
      'entry_page,visitors',
      paths.map((path) => [path, '1']),
    ),
    table(
      'exit_pages',
      'exit_page,visitors',
      paths.map((path) => [path, '1']),
    ),
    table('custom_events', 'name,link_url,path,visitors,events', [
      ['404', '', '/users/s3cret-ann', '1', '1'],
      ['Out', `https://example.com/orders/770077`, '', '1', '1'],
    ]),
  ]);
  await run('import', 'example.com', file, '--format', 'plausible');
  check();
});

test('what was kept before becomes private when it is exported and brought back', async (t) => {
  const { file, run, change } = await atTerminal(t);
  const importFrom = (path: string, ...more: string[]) =>
    run('import', 'example.com', path, '--format', 'ndjson', ...more);
  const exportTo = async (path: string): Promise<string[]> => {
    await run('export', 'example.com', '--format', 'ndjson', '--out', path);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    return lines.map((line) => new URL(JSON.parse(line).url).pathname);
  };
  change([]);
  writeFileSync(file, `${JSON.stringify({ at: AT, url: 'https://example.com/users/5', visitor: 'v' })}\n`);
  await importFrom(file);
  change(['users/*']);
  assert.deepEqual(await exportTo(`${file}.before`), ['/users/5']);
  await importFrom(`${file}.before`, '--replace');
  assert.deepEqual(await exportTo(`${file}.after`), ['/users/:id']);
});
