import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { Site } from '../../../src/api/sites.ts';
import { ApiError } from '../../../src/dashboard/core/api.ts';
import { percent } from '../../../src/dashboard/core/format.ts';
import type { CardFigures } from '../../../src/dashboard/sites/card-figures.ts';
import { SiteCard } from '../../../src/dashboard/sites/site-card.tsx';
import { SITE, textIn } from '../components.tsx';

const POINTS = Array.from({ length: 30 }, (_, i) => ({ date: `2026-03-${10 + (i % 20)}`, visitors: i, pageviews: i }));

const html = (figures: CardFigures | ApiError | undefined, site: Partial<Site> = {}): string =>
  renderToString(<SiteCard site={{ ...SITE, ...site }} figures={figures} onInView={() => {}} />);

test('a card has the visitors of its site and their change', () => {
  const shown = textIn(html({ visitors: 435, change: 12, points: POINTS }));
  assert.equal(
    shown,
    `example.com 435 visitors +${percent(12)} compared with the previous 30 days, up to the same time of day Why?`,
  );
  assert.match(
    html({ visitors: 435, change: 12, points: POINTS }),
    /<a [^>]*href="\/sites\/example\.com\?why=visitors"[^>]*aria-label="example\.com: Why did the visitors change\?"/,
  );
  assert.match(html({ visitors: 435, change: -12, points: POINTS }), /class="site-card-change bad"/);
  assert.match(textIn(html({ visitors: 1, change: null, points: POINTS })), /^example\.com 1 visitor$/);
});

test('a site without visitors leads to its snippet, but not who may not change it', () => {
  const nothing = { visitors: 0, change: null, points: [] };
  assert.equal(textIn(html(nothing)), 'example.com No recent hits. Check the snippet');
  assert.equal(textIn(html(nothing, { role: 'viewer' })), 'example.com No recent hits. You are a viewer');
});

test('figures that could not be had say why, and figures to come leave their place blank', () => {
  assert.match(textIn(html(new ApiError(402, { message: 'There is no plan.' }))), /There is no plan\./);
  assert.match(html(undefined), /class="site-card-waiting"/);
});
