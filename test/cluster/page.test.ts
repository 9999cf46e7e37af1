import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { addShard } from '../../src/cluster/grow/divide.ts';
import { hashSecret } from '../../src/lib/secrets.ts';
import { seconds } from '../../src/lib/time.ts';
import { changeServerState, listServers } from '../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus } from '../../src/store/cluster/collectors.ts';
import { faults } from '../browser/axe.ts';
import { drawn, type Stage, serving } from '../browser/browser.ts';
import { appendTo, pageview } from '../collect/stage.ts';
import { until } from '../support/program.ts';

/** A collector whose disk is full, and one that never started. */
function furnish({ db, clock }: Stage): void {
  const now = seconds(clock);
  const progress = { now, next: 1, until: now - 200, servers: [], cuts: [], parcelAt: null };
  const more = { version: '1', run: 'x', bytes: 33_000_000, behind: [], visitors: null, closed: 'disk' as const };
  db.write(() => {
    for (const name of ['one', 'two']) addCollector(db, { name, hash: hashSecret(name), now });
    changeStatus(db, 1, { status: { ...progress, ...more }, outbox: 'x', now });
    const [, second, third] = listServers(db);
    changeServerState(db, second?.url ?? '', { state: 'lacking', reason: 'empty', now });
    db.run('UPDATE cluster_server SET beat = 0 WHERE url = ?', second?.url ?? '');
    changeServerState(db, third?.url ?? '', { state: 'filling', now });
  });
  // A shard that the collector does not know yet, on a server that does not answer.
  addShard(db, ['http://127.0.0.1:2/'], now);
}

const LOOKS: Record<string, BrowserContextOptions> = {
  light: {},
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true },
};

const IS_TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

test('cluster page: the owner sees servers, outboxes and copies, axe-core finds nothing wrong, and nobody else finds it', async (t) => {
  const stage = await serving(t);
  const { signIn, owner, manager, engine, siteId } = stage;
  await appendTo(
    engine,
    Array.from({ length: 12 }, (_, visitor) => pageview({ siteId, visitor })),
  );
  await until('today is copied', async () => {
    await owner.ask('GET', '/sites/example.com/stats/overview?range=today');
    return engine.upkeep.listDayCopies().some(({ state }) => state === 'current');
  });
  furnish(stage);
  const hosts = listServers(stage.db).map(({ url }) => new URL(url).host);
  for (const [name, options] of Object.entries(LOOKS)) {
    const page = await signIn(owner, '/server', options);
    await page.getByRole('link', { name: 'Cluster', exact: true }).click();
    await page.getByRole('heading', { name: hosts[3] ?? '' }).waitFor();
    await drawn(page);
    assert.deepEqual(await page.locator('h3').allTextContents(), [...hosts, 'This server', 'one', 'two'], name);
    const items = await page.locator('.server-finding').allTextContents();
    const texts: RegExp[] = [
      /Complete.*Shard 1, replica 1.*Behind by.*Disk.* free.*Memory.*Parts\d.*Deletions0 waiting.*Concurrent queries\d/,
      /Not in use.*its disk is new or was emptied.*How to fix it:Run daybook cluster fill/,
      /Being filled.*getting its data since/,
      /Shard 2, replica 2/,
      /^127.0.0.1:2Does not answerShard 3, replica 1It gets hits once all collectors know it.*Start the server, or/,
      /Accepts hits.*Size of the outbox/,
      /Disk is full.*Oldest waiting hit3m 20s.*33 MB/,
      /Not started yet.*Oldest waiting hit–/,
    ];
    for (const [i, text] of texts.entries()) assert.match(items[i] ?? '', text, name);
    assert.match(await page.locator('table').innerText(), /example\.com\s+Tue, 10 Mar 2026\s+12\s+Current/);
    assert.deepEqual(await faults(page), [], name);
    assert.equal(await page.evaluate(IS_TOO_WIDE), false, name);
  }
  for (const locale of ['de-DE', 'fr-FR', 'es-ES']) {
    const page = await signIn(owner, '/cluster', { ...LOOKS.phone, locale });
    await page.getByRole('heading', { name: hosts[3] ?? '' }).waitFor();
    await drawn(page);
    assert.equal(await page.evaluate(IS_TOO_WIDE), false, locale);
  }
  const page = await signIn(manager, '/cluster');
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
});
