import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import type { Refusal } from '../../src/lib/errors.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { CHROME, TODAY } from '../collect/stage.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { date } from '../stats/days.ts';
import { commandLine, here } from './here.ts';
import { line, started, visitors } from './importing.ts';

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

test('lines that cannot be read are left out with --skip-unreadable, and counted', async (t) => {
  const { bring, daybook, mustBring } = await started(t);
  const good = visitors({ 1: 2 });
  const bad = ['{\n', line(TODAY - 1, { country: 'Germany' }), line(TODAY - 1, { url: '' })];
  const stdout = await mustBring([good, ...bad, visitors({ 2: 1 })].join(''), '--skip-unreadable');
  assert.match(stdout, /^3 hits of 2 days imported/);
  assert.match(stdout, /\n6 records read: 3 accepted, 3 skipped\n/);
  assert.match(stdout, /\nskipped: 3 \(lines that cannot be read\), first on line 3\n?/);
  const { code, stderr } = await bring(bad.join(''), '--skip-unreadable');
  assert.equal(code, 1);
  assert.match(stderr, /no hits to import\nskipped: 3 \(lines that cannot be read\), first on line 1\n/);
  const { db } = openReader(daybook.db);
  assert.equal(db.one<{ n: number }>('SELECT sum(pageviews) AS n FROM sealed_day')?.n, 3);
});

test('a file with daily totals is not read with --skip-unreadable', async (t) => {
  const { daybook, file } = await started(t);
  await writeZip(file, [{ name: 'imported_visitors.csv', text: ['date\n'] }]);
  const args = ['import', 'example.com', file, '--format', 'plausible', '--skip-unreadable'];
  const { code, stderr } = await daybook.run(args);
  assert.equal(code, 2);
  assert.match(stderr, /--skip-unreadable is not for files with daily totals/);
});

test('a file without a hit is an error', async (t) => {
  const { bring, file } = await started(t);
  for (const text of ['', '\n \n\n', gzipSync('')]) {
    const { code, stderr } = await bring(text);
    assert.deepEqual([code, stderr], [1, `daybook: ${file}: no hits to import\n`]);
  }
});

test('without --format the format is found out, and said', async (t) => {
  const { daybook, file } = await started(t);
  writeFileSync(file, gzipSync(visitors({ 1: 2 })));
  const { code, stdout, stderr } = await daybook.run(['import', 'example.com', file]);
  assert.deepEqual([code, stderr], [0, 'read as ndjson: a JSON object per line\n']);
  assert.match(stdout, /^2 hits of 1 day imported/);
  writeFileSync(file, 'a,b\n');
  const unknown = await daybook.run(['import', 'example.com', file]);
  const message = `daybook: ${file}: it has no known format. Name its format with --format\n`;
  assert.deepEqual([unknown.code, unknown.stderr], [2, message]);
});

test('a zip with a file of hits is refused, and the message says what to do', async (t) => {
  const { bring, file } = await started(t);
  await writeZip(file, [{ name: 'hits.ndjson', text: [visitors({ 1: 2 })] }]);
  const { code, stderr } = await bring(readFileSync(file));
  assert.deepEqual([code, stderr], [2, 'daybook: the file is a zip. Unpack it, and import the file in it\n']);
});

test('a packed file is read like a plain one, and one that is cut off is an error', async (t) => {
  const { bring, mustBring } = await started(t);
  const packed = gzipSync(visitors({ 1: 500, 2: 500 }));
  const { code, stderr } = await bring(packed.subarray(0, packed.length - 20));
  assert.equal(code, 1);
  assert.match(stderr, /hits\.ndjson: it is cut off or damaged/);
  assert.match(await mustBring(packed), /^1000 hits of 2 days imported/);
});

const LACKING =
  'sources, utm source, utm medium, utm campaign, utm term, utm content, countries, regions, cities, devices, browsers, browser versions, operating systems, os versions, screens, languages, event labels, properties, time on page';

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
not in the file, so not known: ${LACKING}
skipped: 2 (another host), first on line 4`;
  assert.equal(await daybook.print([...args, '--dry-run']), `${summary}\ndry run: nothing was imported`);
  assert.deepEqual(await days(), {});
  assert.equal(await daybook.print(args), `2 hits of 1 day imported (import 1)\n${summary}`);
  assert.deepEqual(await days(), { 2: 1 });
  assert.match(await daybook.print([...args, '--from', 'old.example']), /^2 hits of 1 day imported \(import 2\)/);
  assert.deepEqual(await days(), { 1: 1, 2: 1 });
  await stop();
  assert.equal(await daybook.print(['check']), '2 days verified, 0 differ');
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
    [
      1,
      `daybook: ${file}: no hits to import\nnot in the file, so not known: ${LACKING}\nskipped: 4 (another host), first on line 2\n`,
    ],
  );
});

test('of an access log what came from excluded addresses is skipped and told of, by a flag and by a variable', async (t) => {
  const { daybook, file } = await started(t);
  const asked = (ip: string) => `${ip} - - [05/Jan/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 1234 "-" "${CHROME}"\n`;
  writeFileSync(file, ['203.0.113.7', '203.0.113.8', '192.0.2.1'].map(asked).join(''));
  const args = ['import', 'example.com', file, '--format', 'log', '--dry-run'];
  const block = '203.0.113.0/24';
  for (const said of [
    await daybook.print([...args, '--exclude-addresses', block]),
    await daybook.print(args, { env: { DAYBOOK_EXCLUDE_ADDRESSES: block } }),
  ]) {
    assert.match(said, /3 records read: 1 accepted, 2 skipped/);
    assert.match(said, /skipped: 2 \(excluded IP addresses\), first on line 1/);
  }
  assert.match(await daybook.print(args), /3 accepted, 0 skipped/);
});

test('the help of --format says which file each format reads', async (t) => {
  const help = (await commandLine(t).print(['import', '--help'])).replaceAll(/\n {10,}/g, ' ');
  const formats = Object.entries(FILE_FORMATS).map(([name, format]) => `${name} (${format.help})`);
  assert.ok(help.includes(`the format of the file, if daybook does not recognise it: ${formats.join(', ')}`), help);
});

test('a site, file or format that does not exist is an error', async (t) => {
  const { daybook, file } = await started(t);
  writeFileSync(file, visitors({ 1: 1 }));
  for (const [args, exitCode, message] of [
    [
      ['other.example', file, '--format', 'ndjson'],
      1,
      'there is no site other.example. To add it, run daybook site add',
    ],
    [['example.com', `${file}x`, '--format', 'ndjson'], 1, `${file}x: there is no such file`],
    [['example.com', daybook.folder, '--format', 'ndjson'], 1, 'this is a folder'],
    [['example.com', file, '--format', 'csv'], 2, `--format takes ${Object.keys(FILE_FORMATS).join(', ')}, not "csv"`],
    [['example.com', '-'], 2, '--format NAME is required for a pipe'],
    [['example.com', `${file}x`], 1, `${file}x: there is no such file`],
    [['example.com', '--format', 'ndjson'], 2, 'FILE is missing'],
  ] as const) {
    await assert.rejects(here(daybook.db, 'import', ...args), (error: Refusal) => {
      assert.equal(error.exitCode, exitCode);
      return error.message.includes(message);
    });
  }
});
