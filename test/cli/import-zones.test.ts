import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

const line = (at: string, page = '/a'): string =>
  `${JSON.stringify({ at, url: `https://example.com${page}`, visitor: at })}\n`;

test('what a site counted in an earlier time zone is not counted again on another day', async (t) => {
  const app = await startApp(t);
  const at = folder(t);
  const run = async (...words: string[]) => (await hereOn(app, ...words)).printed.join('\n');
  const bring = (text: string, ...flags: string[]) => {
    const file = join(at, 'hits.ndjson');
    writeFileSync(file, text);
    return run('import', 'example.com', file, '--format', 'ndjson', ...flags);
  };
  let copies = 0;
  const exported = async (): Promise<string> => {
    const out = join(at, `${copies++}.ndjson`);
    await run('export', 'example.com', '--format', 'ndjson', '--out', out);
    return readFileSync(out, 'utf8').replaceAll(/"visitor":"[\d-]+"/g, '"visitor":"v"');
  };
  const to = (zone: string) => run('site', 'change', 'example.com', '--time-zone', zone);

  // On the 2nd only in the evening: in Tokyo that is the 3rd, which has no other hits.
  const hits = line('2026-03-02T20:00:00Z', '/private') + line('2026-03-04T10:00:00Z');
  await bring(hits);
  const before = await exported();
  await to('Asia/Tokyo');
  for (const flags of [[], ['--replace'], ['--replace', '--dry-run']]) {
    const text = flags.length === 0 ? line('2026-03-02T20:00:00Z') : before;
    await assert.rejects(
      bring(text, ...flags),
      /^Error: example\.com counted hits of this time on 2026-03-02, in its earlier time zone UTC\. .* Nothing was imported\. .* --time-zone UTC$/,
    );
  }
  assert.equal(await exported(), before);

  // What is of other days, or of the rest of a day that the file replaces, comes in.
  await bring(line('2026-03-05T16:00:00Z') + line('2026-03-01T10:00:00Z'));
  await bring(line('2026-03-04T02:00:00Z', '/b'), '--replace');

  await to('UTC');
  await bring(before.replaceAll('/private', '/:id'), '--replace');
  await to('Asia/Tokyo');
  const after = await exported();
  assert.equal(after.match(/2026-03-02T20:00:00Z/g)?.length, 1);
  assert.doesNotMatch(after, /private/);
});
