import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { DayStatusText } from '../../../../src/dashboard/report/chart/day-details.tsx';
import { textIn } from '../../components.tsx';

type Props = Parameters<typeof DayStatusText>[0];

const STATUS: NonNullable<Props['day']> = {
  ...{ date: '2026-03-10', state: 'sealed', visitors: 1_204, recounted_at: '2026-03-12T02:00:00Z' },
  ...{ import_id: null, excluded_visits: 0, dropped: 0, complete: true },
};

const shown = (props: Partial<Props>): string =>
  textIn(
    renderToString(
      <DayStatusText day={STATUS} drops={[]} outages={[]} settings="/there" receipts="/verify.html" {...props} />,
    ),
  );

test('a day says how it was counted', () => {
  assert.match(
    shown({}),
    /The figures are final\. Visitors 1,204 Verified .*2026.*: no differences found Signed receipt Check the receipts of all days Excluded visits 0 visits/,
  );
  assert.match(shown({}), /Not counted 0 hits Complete Yes$/);
  assert.match(
    shown({ day: { ...STATUS, state: 'open', recounted_at: null } }),
    /The day is still in progress\. .* Verified Not yet/,
  );
  assert.match(
    shown({ day: { ...STATUS, state: 'sums', import_id: 3 } }),
    /Only daily totals are stored\. The figures come from import 3\./,
  );
  assert.match(shown({ day: undefined }), /Nothing was counted on this day/);
});

test('a day says what was left out and why, with the names that the panel has', () => {
  const drops = [
    { reason: 'bot', hits: 12 },
    { reason: 'spam', hits: 3 },
  ];
  assert.match(shown({ drops }), /Not counted 15 hits Bots: 12 Spam: 3/);
  const html = renderToString(
    <DayStatusText
      day={{ ...STATUS, excluded_visits: 412 }}
      drops={[]}
      outages={[]}
      settings="/there"
      receipts="/verify.html"
    />,
  );
  assert.match(html, /<a href="\/there"[^>]*>412 visits<\/a>/);
});

test('a day says when hits were missed, and why', () => {
  const outages: Props['outages'] = [
    { from: '2026-03-10T10:00:00Z', to: '2026-03-10T10:10:00Z', reason: 'down' },
    { from: '2026-03-10T12:00:00Z', to: '2026-03-10T12:05:00Z', reason: 'refused' },
  ];
  const text = shown({ day: { ...STATUS, complete: false }, outages });
  assert.match(
    text,
    /Complete The server was not running from .* to .*\. From .* to .*, the server rejected hits, because it was overloaded/,
  );
  assert.match(shown({ day: { ...STATUS, complete: false } }), /Complete No, some hits are missing$/);
});
