import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCommonCurrency } from '../../../src/dashboard/pages/all-sites.tsx';

test('all sites: revenue is added up only if all sites with a currency have the same one', () => {
  const of = (...currencies: (string | null)[]) => findCommonCurrency(currencies.map((currency) => ({ currency })));
  assert.equal(of('EUR', null, 'EUR'), 'EUR');
  assert.equal(of('EUR', 'USD'), null);
  assert.equal(of(null), null);
  assert.equal(of(), null);
});
