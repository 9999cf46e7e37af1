import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { makeReceiptKey } from '../../src/catalog/receipts.ts';
import { makeDueReceipts } from '../../src/jobs/receipts.ts';
import type { Receipt } from '../../src/receipts/receipt.ts';
import { listReceipts } from '../../src/store/sites/receipts.ts';
import { type App, openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';

export const now = (app: App): number => Math.floor(app.clock.now() / 1000);

const readChain = (app: App, siteId: number): Receipt[] =>
  listReceipts(app.db, siteId, 0, 1e9).map(({ body }) => JSON.parse(body));

/** An app that has a key, and a site without hits. */
export async function stage(t: TestContext, keyBefore = 10) {
  const app = await startApp(t);
  const site = await openSite(app);
  const { siteId, domain } = site.known;
  makeReceiptKey(app.db, randomBytes, now(app) - keyBefore);
  const read = () => readChain(app, siteId);
  return {
    ...{ app, site, siteId, domain, read },
    /** Makes the receipts that are due. Returns the days and reasons of the new ones. */
    async make(): Promise<string[]> {
      const before = read().length;
      assert.deepEqual(await makeDueReceipts(app.db, app.engine, { random: randomBytes, now: now(app) }), []);
      return read()
        .slice(before)
        .map(({ date, reason }) => `${date} ${reason}`);
    },
  };
}
