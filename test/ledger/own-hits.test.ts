import assert from 'node:assert/strict';
import { test } from 'node:test';
import { here } from '../cli/here.ts';
import { append, fileOf, pageview } from '../collect/stage.ts';

/** Nothing listens here. */
const ENGINE = ['--engine', 'clickhouse://127.0.0.1:2/daybook'];

test('a command with --engine refuses a file that has its own hits, before it looks for the cluster', async (t) => {
  const { path, open } = fileOf(t);
  const { db } = open();
  const ask = (...words: string[]) => here(path, ...words, ...ENGINE);
  const exporting = ['export', 'site1.example', '--format', 'ndjson'];
  await assert.rejects(ask(...exporting), /all servers must answer/);
  await append(db, [pageview()]);
  for (const words of [exporting, ['check'], ['cluster', 'adopt', '--yes']])
    await assert.rejects(ask(...words), /this file has its own hits\. To move them to the cluster, run daybook move/);
  await here(path, ...exporting);
});
