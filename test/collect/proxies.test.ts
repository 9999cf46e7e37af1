import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asking } from '../support/requests.ts';
import { PAGE, reasonOf, type Stage, stage } from './sending.ts';
import { AMERICAN, CHROME, GERMAN, IPHONE, NOWHERE } from './stage.ts';

/** The country under which a pageview with these headers is stored. */
async function countryOf({ send, held }: Stage, asking: Asking): Promise<string | undefined> {
  assert.equal(reasonOf(await send(PAGE, asking)), null);
  return (await held.hits()).at(-1)?.country;
}

test('X-Forwarded-For is believed from trusted proxies only', async (t) => {
  const forwarded = { headers: { 'x-forwarded-for': `${AMERICAN}, ${GERMAN}` } };
  assert.equal(await countryOf(await stage(t), forwarded), '');

  const trusting = await stage(t, { 'trusted-proxies': '192.0.2.0/24', flood: '1' });
  assert.equal(await countryOf(trusting, forwarded), 'DE');
  assert.equal(await countryOf(trusting, { ...forwarded, address: '::ffff:192.0.2.7' }), 'DE');
  assert.equal(await countryOf(trusting, { ...forwarded, address: AMERICAN }), 'US');
  // One visitor by two proxies, and another who came directly.
  const [first, second, third] = (await trusting.held.hits()).map(({ visitor }) => visitor);
  assert.equal(first, second);
  assert.notEqual(first, third);
  // What is limited is whoever stands behind the proxy.
  const isStored = async (asking: Asking) => {
    const before = (await trusting.held.hits()).length;
    assert.equal(reasonOf(await trusting.send(PAGE, asking)), null);
    return (await trusting.held.hits()).length > before;
  };
  assert.equal(await isStored(forwarded), true);
  assert.equal(await isStored(forwarded), false);
  assert.equal(await isStored({ headers: { 'x-forwarded-for': AMERICAN } }), true);
});

test('the header with the country is believed from trusted proxies only', async (t) => {
  const french = { headers: { 'CF-IPCountry': 'FR' } };
  assert.equal(await countryOf(await stage(t), french), '');
  assert.equal(await countryOf(await stage(t, { 'country-header': 'CF-IPCountry' }), french), '');
  assert.equal(await countryOf(await stage(t, { 'trusted-proxies': NOWHERE }), french), '');

  const both = await stage(t, { 'trusted-proxies': NOWHERE, 'country-header': 'CF-IPCountry' });
  const behind = (country: string): Asking => ({ headers: { 'cf-ipcountry': country, 'x-forwarded-for': GERMAN } });
  assert.equal(await countryOf(both, behind('FR')), 'FR');
  assert.equal(await countryOf(both, behind('fr')), 'FR');
  assert.equal(await countryOf(both, { ...behind('FR'), address: AMERICAN }), 'US');
  // T1 is Tor and XX is nowhere, in the words of who sends this header.
  for (const none of ['T1', 'XX', '', 'FRA', 'F', 'F R', '--'])
    assert.equal(await countryOf(both, behind(none)), 'DE', none);
});

test('a visitor is known by address and agent, and the hints of a browser make no other one', async (t) => {
  const { send, held } = await stage(t);
  await send(PAGE);
  await send(PAGE, { headers: { 'sec-ch-ua-platform': '"Windows"', 'accept-language': 'en' } });
  await send(PAGE, { headers: { 'user-agent': `${CHROME} ` } });
  await send(PAGE, { headers: { 'user-agent': IPHONE } });
  const visitors = (await held.hits()).map(({ visitor }) => visitor);
  assert.equal(visitors[0], visitors[1]);
  assert.equal(new Set(visitors).size, 3);
});
