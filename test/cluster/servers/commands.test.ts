import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hereOn } from '../../cli/here.ts';
import { TODAY } from '../../collect/stage.ts';
import { folder } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stageServers } from '../asking.ts';

test('a command asks a replica that refuses rows only after one that has them', async (t) => {
  const app = await stageServers(t);
  const [first = ''] = app.hosts;
  await app.askAt(first, 'ALTER TABLE activity MODIFY SETTING parts_to_throw_insert = 1');
  await app.come(TODAY, 30);
  await until('the primary knows', () => app.log.some((line) => line.includes('the cluster does not take hits')));
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', out);
  assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 20 + 12 + 30);
});

test('a command does not ask a server that came back with an older disk', async (t) => {
  const app = await stageServers(t);
  const [first = ''] = app.hosts;
  await app.askAt(first, `ALTER TABLE activity DELETE WHERE day = ${TODAY} SETTINGS mutations_sync = 1`);
  const mark = await app.askAt(first, 'SELECT DISTINCT installation FROM mark');
  await app.askAt(first, 'TRUNCATE TABLE mark');
  await app.askAt(first, `INSERT INTO mark (installation, beat) VALUES ('${mark}', 1)`);
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', out);
  assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 20 + 12);
});
