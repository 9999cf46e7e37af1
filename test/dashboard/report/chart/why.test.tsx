import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { Explanation } from '../../../../src/api/explain.ts';
import { Explained } from '../../../../src/dashboard/report/chart/why.tsx';
import { textIn } from '../../components.tsx';

const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-07T23:59:59Z' };
const FRAME = {
  ...span,
  filters: {},
  by: 'visitors',
  total: 80,
  previous: { ...span, total: 100 },
  difference: -20,
} as const;
const NAMES = { tried: ['plan'], left_out: [] as string[] };
const REASON = {
  ...{ filters: { country: 'DE', source: '' }, total: 30, previous: 48 },
  ...{ difference: -18, share: 90, certain: true },
};

const show = (more: Pick<Explanation, 'verdict' | 'reasons'> & Partial<Pick<Explanation, 'properties'>>): string =>
  textIn(renderToString(<Explained explanation={{ ...FRAME, properties: NAMES, ...more }} onChoose={() => {}} />));

test('why: the groups of visitors have their figures and their share of the difference', () => {
  assert.equal(
    show({ verdict: 'explained', reasons: [REASON] }),
    '100 → 80 (−20) Mar 1 – 7, 2026 → Mar 1 – 7, 2026 Most of the difference comes from: Country is Germany, Source is Direct 48 → 30 (−18) · 90.0% of the difference',
  );
  const against = { ...REASON, total: 52, difference: 4, share: -21.8 };
  assert.match(show({ verdict: 'explained', reasons: [against] }), /48 → 52 \(\+4\) · −21\.8% of the difference$/);
  const withoutShare = { ...REASON, share: null };
  assert.match(show({ verdict: 'explained', reasons: [withoutShare] }), /48 → 30 \(−18\)$/);
});

test('why: each verdict has a sentence of its own', () => {
  assert.match(show({ verdict: 'unsure', reasons: [REASON] }), /But chance alone can cause such a difference:/);
  assert.match(show({ verdict: 'even', reasons: [] }), /All groups of visitors changed by about the same share\./);
  assert.match(show({ verdict: 'chance', reasons: [] }), /The difference may be chance\.$/);
});

test('why: a reason may have a host name and a property, and properties that were not tried are counted', () => {
  const filters = { hostname: 'shop.example.com', 'property:plan': 'pro' };
  const reasons = [{ ...REASON, filters }];
  assert.match(
    show({ verdict: 'explained', reasons, properties: { tried: ['plan'], left_out: ['seats', 'size'] } }),
    /Host name is shop\.example\.com, Property plan is pro 48 → 30 .* 2 properties that are used less were not tried\.$/,
  );
});
