import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Problem } from '../../src/lib/errors.ts';
import { changeDomain } from '../../src/store/sites/domains.ts';
import { hereOn } from '../cli/here.ts';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, NOON, startApp } from '../support/helpers.ts';
import { download, exportsIn, forever, ORDER, siteOf, stageDays } from './exporting.ts';

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

test('an export of a site whose domain has gone to another site is refused', async (t) => {
  const app = await startApp(t);
  const domain = await stageDays(app);
  const { exports, lines } = exportsIn(t, app.config);
  const order = { ...ORDER, siteId: siteOf(app, domain), domain };
  assert.ok((await text(await exports.open(order, forever()))).length > 0);
  app.db.write(() => {
    changeDomain(app.db, order.siteId, 'renamed.example', NOON / 1000);
    app.db.run('DELETE FROM former_domain');
  });
  const gone = { code: 'not_found', said: { code: 'site_gone', values: { domain } } } satisfies Partial<Problem>;
  for (const format of ['csv', 'parquet', 'plausible'])
    await assert.rejects(exports.open({ ...order, format }, forever()), gone);
  app.site(app.stranger, domain);
  for (const format of ['csv', 'parquet', 'plausible'])
    await assert.rejects(exports.open({ ...order, format }, forever()), gone);
  assert.deepEqual(lines, []);
});
