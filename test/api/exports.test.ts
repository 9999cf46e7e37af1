import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Problem } from '../../src/lib/errors.ts';
import { hereOn } from '../cli/here.ts';
import { TODAY } from '../collect/stage.ts';
import { readZip } from '../exchange/reading/zips.ts';
import { date } from '../stats/days.ts';
import { folder, startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { NOWHERE, standIn, startInstead } from '../support/stand-in.ts';
import { download, exportsIn, forever, ORDER, siteOf, stageDays } from './exporting.ts';

test('a zip of Parquet files has the bytes of the files in a folder', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const to = folder(t);
  await hereOn(app, 'export', domain, '--format', 'parquet', '--to', to);
  const { bytes } = await download(app, `/sites/${domain}/export?format=parquet`);
  const zip = join(to, 'all.zip');
  writeFileSync(zip, bytes);
  const files = await readZip(zip);
  assert.deepEqual(
    files.map(([name]) => name),
    [TODAY - 2, TODAY - 1, TODAY].map((day) => `${domain}/${date(day)}.parquet`),
  );
  for (const [name, content] of files) assert.equal(content, readFileSync(join(to, name)).toString(), name);
});

test('days without hits, an unknown format and a wrong range are errors that name the field', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  for (const [query, field, code] of [
    [`format=csv&range=${date(TODAY - 9)}~${date(TODAY - 8)}`, 'range', 'no_hits_in_range'],
    ['format=xml', 'format', 'none_of'],
    ['', 'format', 'required'],
    ['format=csv&range=once', 'range', 'no_range'],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const { response, bytes } = await download(app, `/sites/${domain}/export?${query}`, { method });
      assert.equal(response.status, 422, query);
      if (method === 'GET') assert.equal(JSON.parse(bytes.toString()).error.field_codes[field].code, code);
    }
});

test('a HEAD request tells whether a download would work, and starts none', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const path = `/sites/${domain}/export?format=csv`;
  for (let i = 0; i < 3; i++) {
    const { response, bytes } = await download(app, path, { method: 'HEAD' });
    assert.deepEqual([response.status, bytes.length], [200, 0]);
  }
  assert.equal((await download(app, path, { token: app.viewer.token })).response.status, 403);
});

test('an account has one export at a time, and the next one may follow when the client has left', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const { exports } = exportsIn(t, app.config);
  const order = { ...ORDER, siteId: siteOf(app, domain), domain };
  const stream = await exports.open(order, forever());
  assert.throws(() => exports.assertRoom(1), { code: 'rate_limited' } satisfies Partial<Problem>);
  exports.assertRoom(2);
  await stream.cancel();
  exports.assertRoom(1);

  const leaving = new AbortController();
  const opening = exports.open(order, leaving.signal);
  leaving.abort();
  await assert.rejects(opening, { code: 'unavailable' } satisfies Partial<Problem>);
  exports.assertRoom(1);
});

test('an export that fails ends its download with an error', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const { exports, lines } = exportsIn(t, app.config);
  const order = { ...ORDER, siteId: siteOf(app, domain), domain };
  await assert.rejects(exports.open({ ...order, format: 'xml' }, forever()), { code: 'unavailable' });
  assert.deepEqual(lines, ['export failed']);

  standIn(t, () => 'echo begun; sleep 0.1; kill -9 $$');
  await assert.rejects(text(await exports.open(order, forever())));
  assert.deepEqual(lines, ['export failed', 'export failed']);
  exports.assertRoom(1);
});

test('an export ends when the server stops', async (t) => {
  const folder = standIn(t, () => 'exec yes');
  const { exports } = exportsIn(t, { db: join(folder, 'a.db'), engine: undefined });
  const stream = await exports.open(ORDER, forever());
  await exports.close();
  await assert.rejects(text(stream));
  exports.assertRoom(1);
});

test('an export whose program cannot start is refused, and gives its place back', async (t) => {
  startInstead(t, NOWHERE);
  const { exports, lines } = exportsIn(t, { db: '/nowhere/a.db', engine: undefined });
  for (let i = 0; i < 2; i++)
    await assert.rejects(exports.open(ORDER, forever()), { code: 'unavailable' } satisfies Partial<Problem>);
  assert.deepEqual(lines, ['export failed', 'export failed']);
});

test('an export has its place until its process has ended', async (t) => {
  const folder = standIn(t, () => 'echo $$; exec yes');
  const { exports } = exportsIn(t, { db: join(folder, 'a.db'), engine: undefined });
  const stream = await exports.open(ORDER, forever());
  const reader = stream.getReader();
  const { value } = await reader.read();
  const pid = Number.parseInt(Buffer.from(value ?? []).toString(), 10);
  const leaving = reader.cancel();
  assert.throws(() => exports.assertRoom(1), { code: 'rate_limited' } satisfies Partial<Problem>);
  await leaving;
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  exports.assertRoom(1);
});

test('exports that nobody reads end after the longest time, and others may follow', async (t) => {
  const folder = standIn(t, () => 'exec yes');
  const { exports, lines } = exportsIn(t, { db: join(folder, 'a.db'), engine: undefined }, 0.3);
  const accounts = [1, 2, 3, 4];
  // The time passes only after all programs have begun to write. On a busy machine, that may take seconds.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const streams = await Promise.all(accounts.map((accountId) => exports.open({ ...ORDER, accountId }, forever())));
  t.mock.timers.tick(300);
  t.mock.timers.reset();
  const hasRoom = (accountId: number) => {
    try {
      exports.assertRoom(accountId);
      return true;
    } catch {
      return false;
    }
  };
  for (const accountId of [5, ...accounts]) await until('there is room', () => hasRoom(accountId));
  assert.deepEqual(
    lines,
    accounts.map(() => 'export stopped'),
  );
  for (const stream of streams) await assert.rejects(text(stream));
});
