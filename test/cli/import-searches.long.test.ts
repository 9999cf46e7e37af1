import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SEARCH_ROWS_PER_SITE } from '../../src/store/sites/searches.ts';
import { folder, startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

test('searches: a file of many days is read, and one with more rows than a site can have is not', async (t) => {
  const app = await startApp(t);
  const path = join(folder(t), 'many.csv');
  const write = (count: number) => {
    const rows = Array.from({ length: count }, (_, i) => `2026-03-0${1 + (i % 9)},q${i},1,1,100%,1`);
    writeFileSync(path, ['Date,Query,Clicks,Impressions,CTR,Position', ...rows, ''].join('\n'));
  };
  const bring = () => hereOn(app, 'import', 'example.com', path, '--format', 'search-console');
  write(SEARCH_ROWS_PER_SITE + 1);
  await assert.rejects(bring, /at most 100000 rows of searches\. Nothing was imported/);
  write(SEARCH_ROWS_PER_SITE);
  await bring();
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM search')?.n, SEARCH_ROWS_PER_SITE);
});
