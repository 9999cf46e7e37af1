import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePrintable } from '../../src/lib/printable.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { furnish } from '../support/furnish.ts';
import { commandLine } from './here.ts';

const TITLE = '\u001b]0;pwned\u0007';

/** What a terminal would obey. */
const CONTROL = /[\p{Cc}\u202e\u2028]/u;
const obeyed = (text: string): string[] => text.split('\n').filter((line) => CONTROL.test(line));

test('whatever text of a file a command prints, the terminal obeys none of it', async (t) => {
  const daybook = commandLine(t);
  await furnish(daybook.db);
  const totals = '# Start date: 20260101\nDate,Active users,Sessions,Views\n20260101,5,5,5\n\n';
  const files: Record<string, string> = {
    ga4: `${totals}Date,E${TITLE},Active users\n20260101,x,5\n\n${totals.replace('Views', `Views,"New\nusers${TITLE}\u009b"`).replaceAll('20260101', '20260102')}`,
    goatcounter: `${TITLE},Title\n`,
    umami: `${TITLE}\n`,
    ndjson: `{"a${TITLE}":"\u009b31m"}\n`,
    matomo: `[${TITLE}]`,
    log: `${TITLE}\n`.repeat(30),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(daybook.folder, `${name}\u001b[2J`);
    writeFileSync(file, text);
    const { stdout, stderr } = await daybook.run(['import', 'example.com', file, '--format', name, '--dry-run']);
    assert.notEqual(stdout + stderr, '');
    assert.deepEqual(obeyed(stdout + stderr), [], name);
  }
  const zip = join(daybook.folder, 'a.zip');
  const visitors = 'date,visitors,pageviews,bounces,visits,visit_duration\n2026-01-01,1,1,1,1,1\n';
  await writeZip(zip, [
    { name: 'imported_visitors_20260101_20260102.csv', text: [visitors] },
    { name: `x${TITLE}\u202e.csv`, text: [] },
  ]);
  const { code, stdout } = await daybook.run(['import', 'example.com', zip, '--format', 'plausible', '--dry-run']);
  assert.equal(code, 0);
  assert.deepEqual(obeyed(stdout), []);
  const unknown = await daybook.run(['site', 'add', `ann@example.com${TITLE}`, `x${TITLE}`]);
  assert.deepEqual(obeyed(unknown.stderr), []);
});

test('control characters are written as in JSON, and words stay as they are', () => {
  assert.equal(makePrintable('a\u001b[2J\r\u009b\u202e\u{e0041}'), 'a\\u001b[2J\\u000d\\u009b\\u202e\\udb40\\udc41');
  for (const text of ['a\tb\nc', 'Zürich 👩‍💻 نمی‌خواهم']) assert.equal(makePrintable(text), text);
  const line = makePrintable(JSON.stringify({ path: '/\u009b\u202e' }));
  assert.deepEqual(JSON.parse(line), { path: '/\u009b\u202e' });
});
