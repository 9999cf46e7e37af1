import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readGoatcounter } from '../../../src/exchange/products/goatcounter-sums.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { folder } from '../../support/helpers.ts';
import { writeZip } from '../reading/zips.ts';
import { SITE } from '../sites.ts';
import { FOLDER, INFO, SMALL, writeExport } from './goatcounter-export.ts';

const TODAY = Date.parse('2026-03-06') / 86_400_000;

const place = (t: TestContext): string => join(folder(t), 'export.zip');
const readIt = (path: string) => readGoatcounter(path, TODAY, SITE);

/** What is wrong with an export, without the folder in front of the names. */
async function refusal(t: TestContext, files: Parameters<typeof writeExport>[1]): Promise<string> {
  const path = place(t);
  await writeExport(path, files);
  try {
    await readIt(path);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error.message.replaceAll(FOLDER, '');
  }
  return assert.fail(`it was read: ${JSON.stringify(files)}`);
}

const HIT = { hour: '2026-03-01T10:00:00Z', path_id: 211, ref_id: 1, count: 4 };
const BROWSER = { day: '2026-03-01', path_id: 211, browser_id: 1, count: 6 };
const info = (more: object): string => JSON.stringify({ ...INFO, ...more });

test('what is wrong in an export of GoatCounter is said with its file, line, field and what would be right', async (t) => {
  for (const [files, message] of [
    [
      { 'hit_stats.jsonl': [HIT, { ...HIT, count: -1 }] },
      'hit_stats.jsonl: line 2: count: must be a whole number up to 999999999, not -1',
    ],
    [
      { 'hit_stats.jsonl': [{ ...HIT, count: 1e15 }] },
      'hit_stats.jsonl: line 1: count: must be a whole number up to 999999999, not 1000000000000000',
    ],
    [
      { 'hit_stats.jsonl': [{ ...HIT, path_id: '211' }] },
      'hit_stats.jsonl: line 1: path_id: must be a whole number, not "211"',
    ],
    [
      { 'hit_stats.jsonl': [{ ...HIT, path_id: 9 }] },
      'hit_stats.jsonl: line 1: path_id: 9 is not in paths.jsonl. Export the zip again in GoatCounter, or leave this line out',
    ],
    [
      { 'hit_stats.jsonl': [{ ...HIT, hour: '2026-03-01 10:00:00' }] },
      'hit_stats.jsonl: line 1: hour: must be a time such as 2026-03-05T19:00:00Z, not "2026-03-01 10:00:00"',
    ],
    [
      { 'hit_stats.jsonl': [{ ...HIT, hour: '1969-12-30T10:00:00Z' }] },
      'hit_stats.jsonl: line 1: hour: must be from 1970 on, not "1969-12-30T10:00:00Z"',
    ],
    [
      { 'hit_stats.jsonl': [HIT, { ...HIT, hour: '2026-02-01T10:00:00Z' }] },
      'hit_stats.jsonl: line 2: hour: must not be before 2026-03-01T10:00:00Z of a line above. If the file was joined from two exports, import each of them separately',
    ],
    [
      { 'browser_stats.jsonl': [{ ...BROWSER, day: '2026-02-30' }] },
      'browser_stats.jsonl: line 1: day: must be a day such as 2026-03-05, not "2026-02-30"',
    ],
    [
      { 'browser_stats.jsonl': [{ ...BROWSER, browser_id: 99 }] },
      'browser_stats.jsonl: line 1: browser_id: 99 is not in browsers.jsonl. Export the zip again in GoatCounter, or leave this line out',
    ],
    [
      { 'location_stats.jsonl': [{ day: '2026-03-01', path_id: 211, count: 1 }] },
      'location_stats.jsonl: line 1: location: is missing. Export the zip again in GoatCounter',
    ],
    [
      { 'hit_stats.jsonl': `${JSON.stringify(HIT)}\n${JSON.stringify(HIT).slice(0, 20)}` },
      'hit_stats.jsonl: line 2: must be a JSON object on a line of its own, not "{\\"hour\\":\\"2026-03-01T". Export the zip again in GoatCounter',
    ],
    [
      { 'paths.jsonl': '[1]\n' },
      'paths.jsonl: line 1: must be a JSON object on a line of its own, not "[1]". Export the zip again in GoatCounter',
    ],
    [
      {
        'paths.jsonl': [
          { id: 1, path: '/' },
          { id: 1, path: '/a' },
        ],
      },
      'paths.jsonl: line 2: id: 1 is in the file twice. Leave one of the lines out',
    ],
    [
      { 'hit_stats.jsonl': 'x'.repeat(70_000) },
      'hit_stats.jsonl: line 1: must have at most 65536 bytes. Write each object on its own line',
    ],
  ] as const) {
    assert.equal(await refusal(t, files), message);
  }
});

test('an export of GoatCounter in another version, or without one, is refused', async (t) => {
  for (const [text, message] of [
    [
      info({ export_version: '2.0' }),
      'info.json: line 1: export_version: must be 1.0 or another 1.x, not "2.0". Use a daybook that knows this version, or export the CSV',
    ],
    [
      info({ export_version: undefined }),
      'info.json: line 1: export_version: must be 1.0 or another 1.x, and is missing. Use a daybook that knows this version, or export the CSV',
    ],
    [
      info({ created_at: 'yesterday' }),
      'info.json: line 1: created_at: must be a time such as 2026-03-07T16:49:27Z, not "yesterday"',
    ],
    ['[]', 'info.json: must be a JSON object. Export the zip again in GoatCounter'],
  ] as const) {
    assert.equal(await refusal(t, { 'info.json': text }), message);
  }
  const path = place(t);
  await writeExport(path, { 'info.json': info({ export_version: '1.7', more: [{ a: 1 }] }) }, '');
  assert.equal((await readIt(path)).days.length, 1);
});

test('an export of GoatCounter that lacks a file, or has one twice, is refused', async (t) => {
  const unfinished = { 'hit_stats.jsonl': undefined, 'browsers.jsonl': undefined };
  assert.equal(
    await refusal(t, unfinished),
    'the zip has no hit_stats.jsonl, browsers.jsonl. Perhaps the export was not finished. Export the zip again in GoatCounter',
  );
  const path = place(t);
  const files = [FOLDER, 'other/'].map((name) => ({ name: `${name}paths.jsonl`, text: ['{}\n'] }));
  await writeZip(path, files);
  await assert.rejects(readIt(path), {
    message: `other/paths.jsonl: ${FOLDER}paths.jsonl is in the zip too. Leave one of them out`,
  });
});

test('an export of GoatCounter that is cut off or changed is refused, and the file in it is named', async (t) => {
  const path = place(t);
  await writeExport(path);
  const zip = readFileSync(path);
  for (let length = 0; length < zip.length; length += 97) {
    writeFileSync(path, zip.subarray(0, length));
    await assert.rejects(readIt(path), (error) => error instanceof Refusal, `${length} bytes`);
  }
  const changed = Buffer.from(zip);
  const at = zip.indexOf('hit_stats.jsonl') + 'hit_stats.jsonl'.length + 4;
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  writeFileSync(path, changed);
  await assert.rejects(readIt(path), { message: /hit_stats\.jsonl: / });
});

test('a list of names that unpacks to more than is allowed is refused', async (t) => {
  const path = place(t);
  const files = Object.entries(SMALL).filter(([name]) => name !== 'refs.jsonl' && name !== 'paths.jsonl');
  await writeZip(path, [
    ...files.map(([name]) => ({ name, text: [name === 'info.json' ? info({}) : ''] })),
    { name: 'paths.jsonl', text: Array.from({ length: 200 }, () => `${' '.repeat(60_000)}\n`) },
    { name: 'refs.jsonl', text: [''] },
  ]);
  assert.ok(readFileSync(path).length < 100_000);
  await assert.rejects(readGoatcounter(path, TODAY, SITE, { bytes: 1_000_000 }), {
    message: /^paths\.jsonl: with this file the lists of names have more than 1000000 bytes\. Leave older rows/,
  });
});
