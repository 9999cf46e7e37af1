import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, HIT, outcomeOf, stage } from '../api/passed.ts';
import { BROWSER, GERMAN } from './stage.ts';

const EUR = { amount: '19.99', currency: 'EUR' };

async function shop(t: Parameters<typeof stage>[0]) {
  const { ask, held, owner, passHits } = await stage(t);
  const send = (message: object) =>
    ask('POST', '/day', {
      body: { site: 'example.com', url: 'https://example.com/', ...message },
      headers: BROWSER,
      address: GERMAN,
    });
  const currency = async () => (await owner.ask('GET', '/sites/example.com')).body.data.currency;
  const stored = async () => (await held.hits()).map(({ revenue }) => revenue);
  return { send, currency, stored, passHits };
}

test('revenue: a browser sends it with an event or a pageview, and the first one sets the currency', async (t) => {
  const { send, currency, stored } = await shop(t);
  await send({});
  assert.equal(await currency(), null);
  await send({ event: 'order', revenue: { amount: 19.99, currency: 'eur' } });
  assert.equal(await currency(), 'EUR');
  await send({ revenue: { amount: '150', currency: 'JPY' } });
  await send({ event: 'order', label: { label: 'a', revenue: EUR, amount: 5 } });
  assert.equal(await currency(), 'EUR');
  assert.deepEqual(await stored(), ['', 'EUR 1999', 'JPY 150', 'EUR 1999']);
});

test('revenue: what a browser sends malformed is left out, and the hit is counted', async (t) => {
  const { send, currency, stored } = await shop(t);
  const malformed = [
    5,
    null,
    [],
    {},
    { amount: 5 },
    { currency: 'EUR' },
    { amount: -5, currency: 'EUR' },
    { amount: 19.999, currency: 'EUR' },
    { amount: '0.30000000000000004', currency: 'EUR' },
    { amount: 10_000_000 - 1e-8, currency: 'EUR' },
    { amount: 10_000_000, currency: 'EUR' },
    { amount: 5, currency: 'XXX' },
    { amount: 5, currency: 'EUR', more: 1 },
  ];
  for (const revenue of malformed) assert.equal((await send({ revenue })).status, 202);
  assert.deepEqual(
    await stored(),
    malformed.map(() => ''),
  );
  assert.equal(await currency(), null);
});

test('revenue: a number that code has computed counts as the amount that it stands for', async (t) => {
  const { send, stored, passHits } = await shop(t);
  const cases: [amount: number, currency: string, kept: string][] = [
    [3 * 19.95, 'EUR', 'EUR 5985'],
    [0.1 + 0.2, 'EUR', 'EUR 30'],
    [1.1 * 1.1 * 100 - 21, 'JPY', 'JPY 100'],
    [0.3 - 0.1 - 0.2, 'EUR', 'EUR 0'],
    [9_999_999.99, 'EUR', 'EUR 999999999'],
    [1234.5678, 'CLF', 'CLF 12345678'],
  ];
  for (const [amount, currency] of cases) await send({ revenue: { amount, currency } });
  const hits = cases.map(([amount, currency]) => ({ ...HIT, revenue: { amount, currency } }));
  assert.deepEqual(outcomeOf(await passHits(hits)), [cases.length, 0]);
  const kept = cases.map(([, , text]) => text);
  assert.deepEqual(await stored(), [...kept, ...kept]);
});

test('revenue: a server learns which hit and field is wrong, and nothing is stored', async (t) => {
  const { passHits, currency, stored } = await shop(t);
  assert.deepEqual(outcomeOf(await passHits([HIT, { ...HIT, revenue: EUR }])), [2, 0]);
  assert.equal(await currency(), 'EUR');
  const cases: [revenue: unknown, field: string, why: RegExp][] = [
    [{ amount: '1.999', currency: 'EUR' }, '1.revenue.amount', /at most 2 digits after the point.*EUR/],
    [{ amount: -1, currency: 'EUR' }, '1.revenue.amount', /number from 0 to below 10000000/],
    [{ amount: '1.5', currency: 'JPY' }, '1.revenue.amount', /at most 0 digits/],
    [{ amount: '5', currency: 'euro' }, '1.revenue.currency', /code of a currency, such as EUR/],
    ['19.99 EUR', '1.revenue', /fields amount and currency/],
  ];
  for (const [revenue, field, why] of cases) {
    const refused = await passHits([HIT, { ...HIT, revenue }]);
    assert.equal(refused.status, 422);
    assert.deepEqual(fieldsOf(refused), [field]);
    assert.match(refused.body.error.fields[field], why);
  }
  assert.deepEqual(await stored(), ['', 'EUR 1999']);
});
