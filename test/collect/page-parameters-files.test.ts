import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { changePageParameters } from '../../src/store/sites/sites.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { NOON } from '../support/helpers.ts';
import { atTerminal } from './at-terminal.ts';
import { textsIn } from './private-addresses.ts';
import { CHROME, GERMAN, GPTBOT } from './stage.ts';

/** A file of ann's with page parameters, and what commands make of it. */
async function stage(t: TestContext, names = ['t', 'f']) {
  const { open, ...terminal } = await atTerminal(t);
  const change = (list: readonly string[]): void =>
    open((db) => db.write(() => changePageParameters(db, 1, list.join('\n'))));
  change(names);
  return { ...terminal, change, listPages: () => open(textsIn).filter((text) => text.startsWith('/')) };
}

const URLS = ['/topic?t=12&sid=9f86d081&f=3', '/topic?f=3&utm_source=x&t=12#top', '/?t=ann%40example.com', '/a?x=1'];
const PAGES = ['/?t=:id', '/a', '/topic?f=3&t=12'];
const AT = new Date(NOON - 86_400_000).toISOString();
const SECOND = Date.parse(AT) / 1000;
const logLine = (target: string, agent: string): string =>
  `${GERMAN} - - [09/Mar/2026:10:00:00 +0000] "GET ${target} HTTP/1.1" 200 9 "-" "${agent}"\n`;
const csv = (head: string, rows: readonly (readonly string[])[]): string =>
  [head, ...rows.map((cells) => cells.join(','))].map((line) => `${line}\n`).join('');
const whole = (path: string): string => `https://example.com${path}`;
const parts = (path: string) => {
  const { pathname, search, hash } = new URL(whole(path));
  return [pathname + hash, search] as const;
};

/** The pages in each format that has hits. */
const FILES: Record<string, string> = {
  ndjson: URLS.map((url, n) => `${JSON.stringify({ at: AT, url: whole(url), visitor: `${n}` })}\n`).join(''),
  goatcounter: csv(
    '2Path,Title,Event,Bot,Session,Referrer,Referrer scheme,Browser,System,Date',
    URLS.map((url, n) => [url, '', 'false', '0', `${n}`, '', '', '', '', AT]),
  ),
  umami: csv(
    'created_at,session_id,hostname,url_path,url_query,event_type',
    URLS.map((url, n) => [AT, `${n}`, 'example.com', ...parts(url), '1']),
  ),
  simpleanalytics: csv(
    'added_iso,hostname,path,query,session_id,utm_source,datapoint',
    URLS.map((url, n) => [AT, 'example.com', ...parts(url), `${n}`, 'x', 'pageview']),
  ),
  matomo: JSON.stringify(
    URLS.map((url, n) => ({
      ...{ idVisit: `${n}`, visitorId: `${n}`, firstActionTimestamp: SECOND, lastActionTimestamp: SECOND },
      actionDetails: [{ type: 'action', url: whole(url), timestamp: SECOND, timeSpent: 3 }],
    })),
  ),
  log: [...URLS.slice(1), whole(URLS[0] ?? '')].map((url) => logLine(url, CHROME)).join(''),
};

test('every format that has hits is among the files with page parameters', () => {
  const withHits = Object.entries(FILE_FORMATS).filter(([, format]) => 'parser' in format);
  assert.deepEqual(Object.keys(FILES).sort(), withHits.map(([name]) => name).sort());
});

for (const [format, text] of Object.entries(FILES)) {
  test(`an import of ${format} keeps page parameters`, async (t) => {
    const { file, run, listPages } = await stage(t);
    writeFileSync(file, text);
    await run('import', 'example.com', file, '--format', format);
    assert.deepEqual(listPages(), PAGES);
  });
}

test("an import of Plausible's sums keeps page parameters", async (t) => {
  const { file, run, listPages } = await stage(t);
  const table = (name: string, head: string, rows: readonly (readonly string[])[]) => ({
    name: `imported_${name}_20260301_20260309.csv`,
    text: [csv(`date,${head}`, [...rows.map((cells) => ['2026-03-09', ...cells])])],
  });
  await writeZip(file, [
    table('visitors', 'visitors,pageviews,bounces,visits,visit_duration', [['9', '9', '9', '9', '0']]),
    table('pages', 'page,visitors,pageviews', [['/topic?t=1&sid=2', '1', '1']]),
    table('entry_pages', 'entry_page,visitors', [['/topic?t=2&sid=2', '1']]),
    table('exit_pages', 'exit_page,visitors', [['/topic?t=3&sid=2', '1']]),
  ]);
  await run('import', 'example.com', file, '--format', 'plausible');
  assert.deepEqual(listPages(), ['/topic?t=1', '/topic?t=2', '/topic?t=3']);
});

test('an access log counts crawlers by pages with parameters', async (t) => {
  const { file, run, listPages } = await stage(t);
  writeFileSync(file, [...URLS, whole(URLS[0] ?? '')].map((url) => logLine(url, GPTBOT)).join(''));
  await run('logs', 'example.com', file);
  assert.deepEqual(listPages(), PAGES);
});

test('exported pages with parameters, tags and routes are the same pages after an import', async (t) => {
  const { file, run, change, listPages } = await stage(t);
  const url = 'https://example.com/topic?t=12&utm_source=x&f=3#/r';
  writeFileSync(file, `${JSON.stringify({ at: AT, url, visitor: 'v' })}\n`);
  await run('import', 'example.com', file, '--format', 'ndjson');
  const exportTo = async (name: string): Promise<string> => {
    await run('export', 'example.com', '--format', 'ndjson', '--out', `${file}.${name}`);
    return JSON.parse(readFileSync(`${file}.${name}`, 'utf8')).url;
  };
  const exported = 'https://example.com/topic?f=3&t=12&utm_source=x#/r';
  assert.equal(await exportTo('first'), exported);
  await run('import', 'example.com', `${file}.first`, '--format', 'ndjson', '--replace');
  assert.equal(await exportTo('second'), exported);
  assert.deepEqual(listPages(), ['/topic?f=3&t=12#/r']);
  change([]);
  await run('import', 'example.com', `${file}.second`, '--format', 'ndjson', '--replace');
  assert.equal(await exportTo('third'), 'https://example.com/topic?utm_source=x#/r');
});
