import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { Currency } from '../../../src/dashboard/settings/currency.tsx';
import { SITE, textIn } from '../components.tsx';

const html = (currency: string | null, mayChange = true): string =>
  renderToString(<Currency site={{ ...SITE, currency }} reload={() => {}} mayChange={mayChange} />);

test('currency: without one, the block says that the first revenue sets it, and how to send revenue', () => {
  const text = textIn(html(null));
  assert.match(text, /None yet .* The first revenue sets the currency\. You can also choose it now\./);
  assert.ok(text.includes("daybook('order', { revenue: { amount: 19.99, currency: 'EUR' } })"));
  assert.doesNotMatch(html(null), /<details/);
});

test('currency: the chosen one is selected, and the call that sends revenue names it', () => {
  const shown = html('JPY');
  assert.match(shown, /<option selected value="JPY">JPY – Japanese Yen</);
  assert.ok(textIn(shown).includes("currency: 'JPY' } })"));
});

test('currency: a viewer sees it, and has no form', () => {
  assert.match(textIn(html('EUR', false)), /Currency: EUR – Euro$/);
  assert.match(textIn(html(null, false)), /No revenue has arrived yet\.$/);
  for (const currency of ['EUR', null]) assert.doesNotMatch(html(currency, false), /<select|<button/);
});
