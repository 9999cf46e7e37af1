import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pageview, TODAY } from '../collect/stage.ts';
import { stage } from '../receipts/stage.ts';
import { date } from '../stats/days.ts';
import { folder } from '../support/helpers.ts';
import { hereOn } from './here.ts';

const DAY = TODAY - 3;

/** A site with two sealed days, its saved receipts and its exports. */
async function saved(t: TestContext) {
  const all = await stage(t);
  const { app, site, domain, make } = all;
  const more = { properties: '{"plan":"pro"}', hostname: 'example.com', revenue: 'EUR 1950' };
  await site.store([
    pageview({ day: DAY, country: 'DE', page: '/é"a,b\'' }),
    pageview({ day: DAY, visitor: 2, page: '/b', utm_source: 'x' }),
    pageview({ day: DAY, visitor: 2, page: '/b', event: '=SUM(1)', label: "'+1\n2", ...more }),
    pageview({ day: DAY, visitor: 2, page: '/b', engaged: 20, scroll: 50 }),
    pageview({ day: DAY + 1, visitor: 3 }),
    pageview({ day: TODAY, visitor: 4 }),
  ]);
  await app.seal();
  await site.exclude(DAY, DAY, { 'filters[country]': 'DE' });
  await make();
  const to = folder(t);
  const receipts = join(to, 'receipts.json');
  await hereOn(app, 'receipts', 'export', domain, '--out', receipts);
  const exported: string[] = [];
  for (const format of ['ndjson', 'csv']) {
    exported.push(join(to, `hits.${format}`));
    await hereOn(app, 'export', domain, '--format', format, '--out', exported.at(-1) ?? '');
  }
  const verify = (...words: string[]) => hereOn(app, 'verify', receipts, ...words);
  return { ...all, receipts, exported, verify };
}

test('verify: each day of an export passes, and its hash can be saved', async (t) => {
  const { exported, verify, read } = await saved(t);
  for (const path of exported) {
    const { printed } = await verify('--export', path);
    assert.match(
      printed[0] ?? '',
      new RegExp(`^${date(DAY)} passed: 1 visitor, 1 visit, 1 pageview, 1 event, equal to the export`),
    );
    assert.match(printed[1] ?? '', new RegExp(`^${date(DAY + 1)} passed: 1 visitor, 1 visit`));
    assert.deepEqual(printed[2], `without a receipt: 1 day of the export, from ${date(TODAY)}`);
    assert.match(printed[3] ?? '', /: 2 receipts, 2 of 2 days passed$/);
  }
  const { printed } = await verify();
  const hash = /hash (\w{64})$/.exec(printed.at(-1) ?? '')?.[1] ?? '';
  await verify('--hash', hash, '--key', read()[0]?.key ?? '');
  await assert.rejects(verify('--hash', 'f'.repeat(64)), /some checks failed/);
});

test('verify: any changed byte of an export is named with its day', async (t) => {
  const { exported, verify } = await saved(t);
  for (const path of exported) {
    const lines = readFileSync(path, 'utf8').split('\n');
    const edits: [from: RegExp, to: string, line?: RegExp][] = [
      [/\/b/, '/c'],
      [/DE/, 'FR'],
      [/pro/, 'max'],
      [/19\.50/, '19.51'],
      [/(\d\d)Z/, '59Z'],
      // This visitor has more hits, which now belong to another visitor.
      [/-\d(?=[",])/, '-9', /plan/],
    ];
    for (const [from, to, which = from] of edits) {
      const at = lines.findIndex((line) => which.test(line));
      assert.ok(at >= 0, String(from));
      writeFileSync(path, lines.map((line, i) => (i === at ? line.replace(from, to) : line)).join('\n'));
      await assert.rejects(verify('--export', path), /some checks failed/, `${path} ${from}`);
    }
    writeFileSync(path, lines.filter((line) => !line.includes(date(DAY + 1))).join('\n'));
    await assert.rejects(verify('--export', path), /some checks failed/);
    writeFileSync(path, 'nothing\n');
    await assert.rejects(verify('--export', path), /line 1 is not a line of an export/);
  }
});

/** A server that answers with these receipts and keys, in two pages. Returns the URL of its receipts. */
async function serve(t: TestContext, receipts: unknown[], keys: string) {
  const half = Math.ceil(receipts.length / 2);
  const server = createServer(({ url = '' }, answer) => {
    const after = Number(new URL(url, 'http://a.example').searchParams.get('after'));
    const page = { receipts: after === 0 ? receipts.slice(0, half) : after === 1 ? receipts.slice(half) : [] };
    answer.end(url.startsWith('/.well-known') ? keys : JSON.stringify({ data: { ...page, next: after + 1 } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/sites/1/receipts`;
}

test('verify: the receipts of a URL are read page by page, and its server must publish their keys', async (t) => {
  const { app, read } = await saved(t);
  const receipts = read();
  const key = { key: receipts[0]?.key, since: '2026-01-01T00:00:00Z', until: null };
  const verify = (url: string) => hereOn(app, 'verify', url);
  const { printed } = await verify(await serve(t, receipts, JSON.stringify({ keys: [key] })));
  assert.match(printed.at(-3) ?? '', /: 2 receipts, 2 of 2 days passed$/);
  await assert.rejects(verify(await serve(t, receipts, '{"keys":[]}')), /some checks failed/);
  await assert.rejects(verify(await serve(t, receipts, '<html>')), /the keys of the server/);
});

test('verify: a file without receipts is an error that says what to do', async (t) => {
  const { receipts, verify } = await saved(t);
  for (const text of ['', 'x', '{"a":1}']) {
    writeFileSync(receipts, text);
    await assert.rejects(verify(), /this file has no receipts\. Save the answer of the API/);
  }
  writeFileSync(receipts, '{"data":{"receipts":[],"next":null}}');
  await assert.rejects(verify(), /some checks failed/);
});
