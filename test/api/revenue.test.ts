import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageview } from '../collect/stage.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('revenue: a manager sets the currency of a site, and everybody with access reads it', async (t) => {
  const { owner, manager, viewer, stranger, siteId } = await startApp(t);
  const path = `/sites/${siteId}`;
  const change = (who: typeof owner, currency: unknown) => who.ask('PATCH', path, { currency });
  assert.equal((await viewer.ask('GET', path)).body.data.currency, null);
  assert.equal(dataOf(await change(manager, 'usd'), 'PATCH', path).currency, 'USD');
  assert.equal((await viewer.ask('GET', path)).body.data.currency, 'USD');
  assert.equal((await change(viewer, 'EUR')).status, 403);
  assert.equal((await change(stranger, 'EUR')).status, 404);
  for (const wrong of ['XXX', '', 5, []]) {
    const { status, body } = await change(owner, wrong);
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['currency']], String(wrong));
  }
  assert.equal((await change(owner, null)).body.data.currency, null);
});

test('revenue: a report is in the currency of the site, unless another is named', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const path = `/sites/${site.known.siteId}`;
  await site.store([pageview({ revenue: 'EUR 1050' }), pageview({ revenue: 'JPY 70' })]);
  const ask = (query: string) => app.owner.ask('GET', `${path}/stats/overview?range=today&${query}`);
  const refused = async (query: string) => (await ask(query)).body.error.fields;
  assert.match((await refused('metrics=revenue')).currency, /no currency yet. Name one/);
  assert.match((await refused('currency=EUR')).currency, /only with the metrics revenue/);
  assert.match((await refused('metrics=revenue&currency=X')).currency, /code of a currency/);
  await app.owner.ask('PATCH', path, { currency: 'EUR' });
  const { data } = (await ask('metrics=revenue')).body;
  assert.deepEqual([data.revenue, data.revenue_per_visitor, data.previous.revenue], ['10.50', '10.50', '0.00']);
  assert.deepEqual(data.notices, ['Revenue in JPY is not included, because this report is in EUR.']);
  assert.equal((await ask('metrics=revenue&currency=jpy')).body.data.revenue, '70');
  assert.equal('revenue' in (await ask('')).body.data, false);
});

test('revenue: several sites are added up in one currency, and two currencies need a choice', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await openSite(app), await openSite(app)];
  await one.store([pageview({ revenue: 'EUR 1050' })]);
  await other.store([pageview({ revenue: 'EUR 50' }), pageview({ revenue: 'USD 200' })]);
  const sites = [one, other].map(({ known }) => known.siteId).join();
  const ask = (query: string) => app.owner.ask('GET', `/stats/overview?range=today&sites=${sites}&${query}`);
  const change = (site: typeof one, currency: string) =>
    app.owner.ask('PATCH', `/sites/${site.known.siteId}`, { currency });
  await change(one, 'EUR');
  assert.equal((await ask('metrics=revenue')).body.data.revenue, '11.00');
  await change(other, 'USD');
  const { fields } = (await ask('metrics=revenue')).body.error;
  assert.match(fields.currency, /several currencies: EUR, USD/);
  const { data } = (await ask('metrics=revenue&currency=USD')).body;
  assert.equal(data.revenue, '2.00');
  assert.deepEqual(data.notices, ['Revenue in EUR is not included, because this report is in USD.']);
});
