import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { rotateReceiptKey } from '../../src/catalog/receipts.ts';
import { checkChain, type Pinned } from '../../src/receipts/check-chain.ts';
import { NODE_CRYPTO } from '../../src/receipts/node-crypto.ts';
import type { Receipt } from '../../src/receipts/receipt.ts';
import { reportDays } from '../../src/receipts/report.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { now, stage } from './stage.ts';

const DAY = TODAY - 4;

/** A chain of three days, with an exclusion and a change of the key. */
async function chainOf(t: TestContext): Promise<Receipt[]> {
  const { app, site, make, read } = await stage(t);
  await site.store([0, 1, 2].map((n) => pageview({ day: DAY + n, country: n === 1 ? 'DE' : 'US' })));
  await app.seal();
  await make();
  await site.exclude(DAY, null, { 'filters[country]': 'DE' });
  await make();
  rotateReceiptKey(app.db, randomBytes, now(app));
  await site.store([pageview({ day: DAY + 3 })]);
  await app.seal();
  await make();
  assert.equal(read().length, 6);
  return read();
}

async function faultsOf(receipts: readonly unknown[], pinned: Pinned = {}): Promise<string[]> {
  const { days, faults } = reportDays(await checkChain(NODE_CRYPTO, receipts, pinned), undefined);
  return [
    ...faults.map(({ code }) => code),
    ...days.flatMap((day) => day.faults.map(({ code }) => `${day.date} ${code}`)),
  ];
}

test('chain: what the server made holds, and what was saved of it is found in it', async (t) => {
  const chain = await chainOf(t);
  assert.deepEqual(await faultsOf(chain), []);
  const { last, keys } = await checkChain(NODE_CRYPTO, chain.slice(0, 3));
  assert.deepEqual(await faultsOf(chain, { key: keys[0], hash: last }), []);
  assert.deepEqual(await faultsOf(chain, { hash: '0'.repeat(64) }), ['receipts_no_hash']);
  assert.deepEqual(await faultsOf(chain, { key: 'A'.repeat(43) }), ['receipts_other_key']);
  assert.deepEqual(await faultsOf([]), ['no_receipts']);
});

test('chain: a name that looks like lines of the result has a wrong form', async (t) => {
  const [first] = await chainOf(t);
  for (const name of ['a.example\nsigned with key A', 'a.example signed', 'a\u202eb', '\u001b[2J', ''])
    for (const member of ['site', 'zone'])
      assert.deepEqual(await faultsOf([{ ...first, [member]: name }]), ['receipt_form']);
});

test('chain: a member that was changed is named with its day', async (t) => {
  const chain = await chainOf(t);
  const edits: Partial<Receipt>[] = [
    { digest: '0'.repeat(64) },
    { figures: { visitors: 1, visits: 1, pageviews: 2, events: 0 } },
    { dropped: 7 },
    { exclusions: [{ id: 5, visits: 1 }] },
    { sealed_at: '2026-01-01T00:00:00Z' },
    { reason: 'removed' },
    { zone: 'Europe/Berlin' },
  ];
  for (const edit of edits) {
    const faults = await faultsOf(chain.map((one, i) => (i === 2 ? { ...one, ...edit } : one)));
    assert.ok(faults.includes(`${date(DAY + 2)} receipt_signature`), JSON.stringify([edit, faults]));
  }
});

test('chain: a date with another character is found by the signature', async (t) => {
  const chain = await chainOf(t);
  const signed = date(DAY + 2);
  for (const wrong of [signed.replace(/.$/, (last) => String((Number(last) + 1) % 10)), signed.replace('2', 'r')]) {
    const receipts = chain.map((one, i) => (i === 2 ? { ...one, date: wrong } : one));
    const { faults } = reportDays(await checkChain(NODE_CRYPTO, receipts), undefined);
    assert.equal(faults.length, 1);
    assert.match(JSON.stringify(faults), new RegExp(signed));
  }
});

test('chain: a receipt that was taken out, exchanged or added is found', async (t) => {
  const chain = await chainOf(t);
  const [first, second, third] = chain as [Receipt, Receipt, Receipt];
  assert.deepEqual(await faultsOf(chain.toSpliced(1, 1)), [
    `${date(DAY + 1)} receipt_replaces_none`,
    `${date(DAY + 1)} receipt_reason`,
    `${date(DAY + 2)} receipt_sequence`,
    `${date(DAY + 2)} receipt_previous`,
  ]);
  assert.notDeepEqual(await faultsOf([second, first, ...chain.slice(2)]), []);
  assert.notDeepEqual(await faultsOf([first, first, ...chain.slice(1)]), []);
  assert.deepEqual(await faultsOf([first, { ...second, more: 1 }, third]), [
    'receipt_form',
    `${date(DAY + 2)} receipt_previous`,
  ]);
  assert.deepEqual(await faultsOf(chain.slice(1)), [
    `${date(DAY + 1)} receipt_sequence`,
    `${date(DAY + 1)} receipt_previous`,
  ]);
});

test('chain: a key that the former key did not sign is refused', async (t) => {
  const chain = await chainOf(t);
  const place = chain.findIndex(({ reason }) => reason === 'key');
  const faults = await faultsOf(
    chain.map((one, i) => (i === place ? { ...one, former_signature: one.signature } : one)),
  );
  assert.ok(
    faults.some((fault) => fault.endsWith('receipt_former_signature')),
    faults.join(),
  );
});
