import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { changePrivatePaths } from '../../src/store/sites/sites.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { NOON } from '../support/helpers.ts';
import { atTerminal } from './at-terminal.ts';
import { ADDRESSES, assertPrivate, MORE, PATTERNS, REFERRER, URLS } from './private-addresses.ts';
import { CHROME, GERMAN, GPTBOT } from './stage.ts';

/** A file of ann's with the patterns, and what a command leaves in it. */
async function stage(t: TestContext) {
  const { open, ...terminal } = await atTerminal(t);
  const change = (patterns: readonly string[]): void =>
    open((db) => db.write(() => changePrivatePaths(db, 1, patterns.join('\n'))));
  change(PATTERNS);
  return { ...terminal, change, check: () => open(assertPrivate) };
}

const TIME = '[09/Mar/2026:10:00:00 +0000]';
const logLine = (url: string, agent: string): string => {
  const { pathname, search } = new URL(url);
  return `${GERMAN} - - ${TIME} "GET ${pathname}${search} HTTP/1.1" 200 9 "${REFERRER}" "${agent}"`;
};

test('nothing private of an address is kept of an access log', async (t) => {
  const { file, run, check } = await stage(t);
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
const SECOND = Date.parse(AT) / 1000;

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
  matomo: (urls) =>
    JSON.stringify(
      urls.map((url, n) => ({
        ...{ idVisit: `${n}`, visitorId: `${n}`, firstActionTimestamp: SECOND, lastActionTimestamp: SECOND },
        ...{ referrerType: 'campaign', referrerName: 'ann@s3cret.example', referrerKeyword: 'ann@s3cret.example' },
        actionDetails: [{ type: 'action', url, timestamp: SECOND, timeSpent: 3 }],
      })),
    ),
  log: (urls) => urls.map((url) => `${logLine(url, CHROME)}\n`).join(''),
};

test('every format that has hits is among these files', () => {
  const withHits = Object.entries(FILE_FORMATS).filter(([, format]) => 'parser' in format);
  assert.deepEqual(Object.keys(FILES).sort(), withHits.map(([name]) => name).sort());
});

for (const [format, textOf] of Object.entries(FILES)) {
  test(`nothing private of an address is kept of a file of ${format}`, async (t) => {
    const { file, run, check } = await stage(t);
    writeFileSync(file, textOf([...URLS, ...MORE]));
    await run('import', 'example.com', file, '--format', format);
    check();
  });
}

test("nothing private of an address is kept of Plausible's sums", async (t) => {
  const { file, run, check } = await stage(t);
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
  const { file, run, change } = await stage(t);
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
