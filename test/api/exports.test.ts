import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeExports } from '../../src/exchange/exports.ts';
import type { Problem } from '../../src/lib/errors.ts';
import { hereOn } from '../cli/here.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { readZip } from '../exchange/reading/zips.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { folder, startApp } from '../support/helpers.ts';
import { requestOf } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

/** The bytes of a download, with the headers that a browser reads. */
async function download(app: App, path: string, { method = 'GET', token = app.owner.token } = {}) {
  const { request, bindings } = requestOf({ token });
  const response = await app.app.hono.request(`/api/v1${path}`, { method, ...request }, bindings);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Two sealed days and an open one, with a visit of two hits and a heartbeat. */
async function stageDays(app: App) {
  const site = await openSite(app);
  await site.store([
    pageview({ day: TODAY - 2, country: 'DE' }),
    pageview({ day: TODAY - 2, second: 43_260, page: '/a' }),
    pageview({ day: TODAY - 2, second: 43_300, page: '/a', engaged: 40 }),
    pageview({ day: TODAY - 1, visitor: 2, page: '/ü' }),
  ]);
  await app.seal();
  await site.store([pageview({ second: 5, visitor: 3 })]);
  return site.known.domain;
}

test('a download has the bytes that the command writes, in each format, of all days and of some', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const range = `${date(TODAY - 2)}~${date(TODAY - 1)}`;
  const to = folder(t);
  for (const [format, type] of [
    ['ndjson', 'application/x-ndjson'],
    ['csv', 'text/csv; charset=utf-8'],
    ['parquet', 'application/zip'],
    ['plausible', 'application/zip'],
  ] as const)
    for (const days of [undefined, range]) {
      const name = `${format} ${days}`;
      const out = join(to, `${format}${days ?? ''}`);
      await hereOn(app, 'export', domain, '--format', format, '--out', out, ...(days ? ['--range', days] : []));
      const { response, bytes } = await download(
        app,
        `/sites/${domain}/export?format=${format}${days ? `&range=${days}` : ''}`,
      );
      assert.equal(response.status, 200, name);
      assert.equal(response.headers.get('Content-Type'), type);
      const last = date(days ? TODAY - 1 : TODAY);
      const ending = type === 'application/zip' ? 'zip' : format;
      assert.equal(
        response.headers.get('Content-Disposition'),
        `attachment; filename="${domain}-${format}-${date(TODAY - 2)}-${last}.${ending}"`,
      );
      assert.ok(bytes.length > 0 && bytes.equals(readFileSync(out)), name);
    }
});

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
  for (const [name, text] of files) assert.equal(text, readFileSync(join(to, name)).toString(), name);
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
  const { config } = app;
  const exports = makeExports({ path: config.db, engine: config.engine }, () => {});
  t.after(exports.close);
  const order = { accountId: 1, domain, format: 'csv', range: undefined };
  const stream = await exports.open(order, new AbortController().signal);
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

test('an export that fails in the middle ends its download with an error', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const lines: string[] = [];
  const exports = makeExports({ path: app.config.db, engine: app.config.engine }, (what) => void lines.push(what));
  const order = { accountId: 1, domain: 'nowhere.example', format: 'csv', range: undefined };
  await assert.rejects(exports.open(order, new AbortController().signal), { code: 'unavailable' });
  assert.deepEqual(lines, ['export failed']);

  const stream = await exports.open({ ...order, domain }, new AbortController().signal);
  await exports.close();
  await pause(0);
  const read = async () => {
    for await (const _ of stream);
  };
  await read().catch(() => {});
  exports.assertRoom(1);
});
