import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { readHits } from '../../src/exchange/import.ts';
import { folder } from '../support/helpers.ts';
import { deps } from './reading.ts';

const DAY = 86_400;
const line = (at: string): Buffer =>
  Buffer.from(`${JSON.stringify({ at, url: 'https://example.com/', visitor: at })}\n`);

test('a file that grows over midnight while it is read has the hits of both days', async (t) => {
  let now = Date.parse('2026-03-05T23:59:59Z');
  async function* growing() {
    yield line('2026-03-05T23:59:58Z');
    now += 3_000;
    yield line('2026-03-06T00:00:01Z');
  }
  const { ndjson } = FILE_FORMATS;
  assert.ok(ndjson && 'parser' in ndjson);
  const { content, close } = await readHits(growing(), {
    ...deps,
    config: readConfig({}, {}),
    clock: { now: () => now, tick: () => 0 },
    format: ndjson,
    spoolPath: join(folder(t), 'spool'),
  });
  t.after(close);
  const last = Date.parse('2026-03-06') / 1000 / DAY;
  assert.deepEqual([content.today, content.days], [last, [last - 1, last]]);
});
