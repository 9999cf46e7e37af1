import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { makeDueReceipts } from '../../src/jobs/receipts.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { folder } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { faults } from './axe.ts';
import { assertFits, serving } from './browser.ts';

const DAY = TODAY - 3;

/** A site with two sealed days, and its receipts and export as files. */
async function stage(t: TestContext) {
  const app = await serving(t);
  const { siteId, db, engine, clock } = app;
  await appendTo(engine, [
    pageview({ siteId, day: DAY, page: '/a', country: 'DE' }),
    pageview({ siteId, day: DAY, visitor: 2, page: '/b', event: '=1', label: 'é"' }),
    pageview({ siteId, day: DAY + 1, visitor: 3, properties: '{"plan":"pro"}' }),
  ]);
  await app.seal();
  await makeDueReceipts(db, engine, { random: randomBytes, now: clock.now() / 1000 });
  const to = folder(t);
  const paths = { receipts: join(to, 'receipts.json'), ndjson: join(to, 'hits.ndjson'), csv: join(to, 'hits.csv') };
  // In processes of their own, because the clock of a command here would be that of the browser's driver too.
  const daybook = program(t);
  await daybook.print(['receipts', 'export', 'example.com', '--out', paths.receipts, '--db', app.config.db]);
  for (const format of ['ndjson', 'csv'] as const) {
    const flags = ['--format', format, '--out', paths[format], '--db', app.config.db];
    await daybook.print(['export', 'example.com', ...flags]);
  }
  return { ...app, to, paths };
}

async function check(page: Page, receipts: string, hits?: string): Promise<string> {
  await page.getByLabel('Or a file with receipts').setInputFiles(receipts);
  if (hits) await page.getByLabel('An export of all hits').setInputFiles(hits);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('status').getByRole('heading').waitFor();
  return await page.getByRole('status').innerText();
}

test('verify.html: receipts of a site and an export pass, and a changed hit is named with its day', async (t) => {
  const { open, paths } = await stage(t);
  const page = await open();
  await page.goto('/verify.html');
  for (const hits of [paths.ndjson, paths.csv]) {
    const text = await check(page, paths.receipts, hits);
    assert.match(text, /All checks passed\s+example\.com · 2 of 2 days passed · 2 receipts/);
    assert.match(text, /7 Mar 2026\s+Valid receipt, equal to the export\s+2\s+2\s+1\s+1\s+1/);
  }
  writeFileSync(paths.csv, readFileSync(paths.csv, 'utf8').replace('/a', '/c'));
  const text = await check(page, paths.receipts, paths.csv);
  assert.match(text, /Some checks failed\s+example\.com · 1 of 2 days passed/);
  assert.match(text, /7 Mar 2026\s+The hits in the export are not the ones that were signed/);
});

test('verify.html: the page reads the receipts of a site on its server, by a link', async (t) => {
  const { open, share, owner, siteId } = await stage(t);
  const page = await open();
  const slug = await share(owner, siteId);
  await page.goto(`/verify.html#site=example.com&share=${slug}`);
  await page.getByRole('heading', { name: 'All checks passed' }).waitFor();
});

test('verify.html: without a server, and in a browser without own hashes, the saved page says the same', async (t) => {
  const { open, origin, to, paths } = await stage(t);
  const saved = join(to, 'verify.html');
  writeFileSync(saved, await (await fetch(`${origin}/verify.html`)).text());
  assert.ok(statSync(saved).size < 40_000, `${statSync(saved).size} bytes`);
  const page = await open({}, { isElsewhere: true });
  await page.goto(pathToFileURL(saved).href);
  assert.match(await check(page, paths.receipts, paths.ndjson), /2 of 2 days passed/);
  assert.equal(await page.getByLabel('Domain of a site on this server').count(), 0);
  const old = await open({}, { isElsewhere: true });
  await old.addInitScript(() => Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined }));
  await old.goto(pathToFileURL(saved).href);
  assert.match(await check(old, paths.receipts, paths.ndjson), /2 of 2 days passed/);
  const receipts = JSON.parse(readFileSync(paths.receipts, 'utf8'));
  receipts.receipts[0].dropped = 1;
  writeFileSync(paths.receipts, JSON.stringify(receipts));
  for (const one of [page, old]) assert.match(await check(one, paths.receipts), /The signature is wrong/);
});

test('verify.html: the page speaks four languages, fits on a phone and is accessible', async (t) => {
  const { open, paths } = await stage(t);
  for (const [locale, heading] of [
    ['de-DE', 'Belege prüfen'],
    ['fr-FR', 'Vérifier des reçus'],
    ['es-ES', 'Comprobar recibos'],
    ['en-GB', 'Check receipts'],
  ] as const) {
    const page = await open({ locale });
    await page.goto('/verify.html');
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByRole('combobox').selectOption('en');
    await check(page, paths.receipts);
    await assertFits(page, [320, 1280]);
    assert.deepEqual(await faults(page), []);
  }
});
