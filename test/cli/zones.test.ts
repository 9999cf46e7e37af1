import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { furnish } from '../support/furnish.ts';
import { NOON } from '../support/helpers.ts';
import { commandLine } from './here.ts';

/** Where it is 1:00 on Wednesday when it is noon on Tuesday in Greenwich. */
const ZONE = 'Pacific/Auckland';
const HOUR = 3_600_000;

const hits = (...hoursAgo: number[]): string =>
  hoursAgo
    .map((hours) => new Date(NOON - hours * HOUR).toISOString())
    .map((at) => `${JSON.stringify({ at, url: 'https://example.com/', visitor: at })}\n`)
    .join('');

test('commands speak of the days of a site, and check finds nothing wrong with days of any zone', async (t) => {
  const daybook = commandLine(t);
  await furnish(daybook.db);
  const { print } = daybook;
  const bring = (domain: string, file: string) =>
    print(['import', domain, file, '--format', 'ndjson', '--from', 'example.com']);
  await print(['site', 'change', 'example.com', '--time-zone', ZONE]);
  await print(['site', 'add', 'ann@example.com', 'copy.example', '--time-zone', ZONE]);
  const file = join(daybook.folder, 'hits.ndjson');
  // Of Sunday and Monday before and after midnight, and of the first hour of Wednesday.
  writeFileSync(file, hits(49.5, 48.5, 0.5));
  await bring('example.com', file);
  const imported = { hits: 3, days: 3, from: '2026-03-08', to: '2026-03-11', imported: '2026-03-11' };
  const list = async (domain: string) => JSON.parse(await print(['import', 'list', domain, '--json']));
  assert.deepEqual(await list('example.com'), [{ id: 1, ...imported }]);
  assert.equal(await print(['check']), '2 days verified, 0 differ');

  const mail = await print(['mail', 'preview', 'example.com']);
  assert.match(mail, /^Subject: example\.com: 1 visitor last week$/m);
  assert.match(mail, /2 March .*8 March .*Time zone: Pacific\/Auckland\./);
  assert.match(mail, /range=2026-03-02~2026-03-08$/m);

  const copy = join(daybook.folder, 'copy.ndjson');
  await print(['export', 'example.com', '--format', 'ndjson', '--out', copy]);
  await bring('copy.example', copy);
  assert.deepEqual(await list('copy.example'), [{ id: 2, ...imported }]);

  // In the west it is Tuesday still: the running day goes on, and those that are over stay.
  await print(['site', 'change', 'example.com', '--time-zone', 'America/Los_Angeles']);
  assert.equal(await print(['seal']), '0 days sealed');
  assert.deepEqual(await list('example.com'), [{ id: 1, ...imported }]);
  assert.equal(await print(['check']), '4 days verified, 0 differ');
});
