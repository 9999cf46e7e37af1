import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { recognize } from '../../src/exchange/recognize.ts';
import { folder } from '../support/helpers.ts';
import { writeExport } from './products/goatcounter-export.ts';
import { exploration, report, reportCsv } from './products/google.ts';
import { VISIT } from './products/matomo.ts';
import { writeZip } from './reading/zips.ts';

const GOOGLE = report(['date'], ['activeUsers', 'sessions'], [['20260101', 1, 1]]);
const LOG = '192.0.2.1 - - [05/Jan/2026:12:00:00 +0200] "GET / HTTP/1.1" 200 1 "-" "Mozilla/5.0"';

const FILES: Record<string, string[]> = {
  ndjson: ['\n{"at": "2026-01-05T10:00:00Z", "url": "https://example.com/", "visitor": "v"}\n'],
  goatcounter: ['2Path,Title,Event,UserAgent\n', '1,Path,Title\n'],
  umami: ['\ufeff"website_id","session_id","url_path","event_type","created_at"\r\n'],
  simpleanalytics: ['added_iso,path,session_id\n'],
  matomo: [JSON.stringify([VISIT], null, 2), JSON.stringify(VISIT)],
  log: [LOG],
  ga4: [
    exploration('Date,Active users,Views', ',1,1', '20260101,1,1'),
    reportCsv('20260101', ['Nth day,Active users', '0000,1']),
    JSON.stringify(GOOGLE),
    JSON.stringify({ reports: [GOOGLE] }, null, 2),
  ],
};

test('the format of a file is found out, packed or not', async (t) => {
  const path = join(folder(t), 'file');
  for (const [name, texts] of Object.entries(FILES)) {
    for (const text of texts) {
      for (const bytes of [text, gzipSync(text)]) {
        writeFileSync(path, bytes);
        assert.equal(await recognize(path), name, text.slice(0, 40));
      }
    }
  }
  const zip = join(folder(t), 'export.zip');
  await writeZip(zip, [{ name: 'imported_visitors.csv', text: [] }]);
  assert.equal(await recognize(zip), 'plausible');
  const other = join(folder(t), 'export.zip');
  await writeExport(other);
  assert.equal(await recognize(other), 'goatcounter-json');
  await writeZip(zip, [{ name: 'Suchanfragen.csv', text: [] }]);
  assert.equal(await recognize(zip), 'search-console');
  const known = [...Object.keys(FILES), 'plausible', 'goatcounter-json', 'search-console'];
  assert.deepEqual(Object.keys(FILE_FORMATS).sort(), known.sort());
});

test('a file in no known format, or that may be in two, is refused', async (t) => {
  const path = join(folder(t), 'file');
  const both = '{"at":"2026-01-05T10:00:00Z","url":"https://example.com/","ip":"192.0.2.1","agent":"a"}';
  for (const [text, message] of [
    ['', 'it has no known format. Name its format with --format'],
    ['a,b\n1,2\n', 'it has no known format. Name its format with --format'],
    ['{"a":1}', 'it has no known format. Name its format with --format'],
    [both, 'it may be ndjson or log. Name the right one with --format'],
  ] as const) {
    writeFileSync(path, text);
    await assert.rejects(recognize(path), { message: `${path}: ${message}` });
  }
  const data = 'website_id,event_id,data_key,string_value\n';
  writeFileSync(path, data);
  await assert.rejects(recognize(path), { message: /Import Umami's file website_event\.csv instead$/ });
  await writeZip(path, [{ name: 'export/website_event.csv', text: FILES.umami ?? [] }]);
  await assert.rejects(recognize(path), { message: /it is a zip\. Unpack it, and import the file website_event\.csv/ });
  await writeZip(path, [{ name: 'README.txt', text: [] }]);
  await assert.rejects(recognize(path), { message: /it has no known format\. Name its format with --format$/ });
});
