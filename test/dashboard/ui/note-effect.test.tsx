import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { Effect } from '../../../src/api/effects.ts';
import { EffectText } from '../../../src/dashboard/ui/note-effect.tsx';
import { coded } from '../../../src/lang/coded.ts';
import { textIn } from '../components.tsx';

const side = (total: number, days: number) => ({
  from: '2026-03-01T00:00:00Z',
  to: '2026-03-14T23:59:59Z',
  total,
  days,
});

test('an effect is said in the words of the server, with what was counted before and after', () => {
  const effect: Effect = {
    ...{ metric: 'visitors', before: side(1_300, 13), after: side(1_560, 13), change: 20, interval: [-2, 31] },
    ...{ verdict: 'unclear', sentence: 'Visitors: +20 %. This may be pure chance.' },
    sentence_code: coded('visitors_unclear', { change: 20, days: 13, low: -2, high: 31 }),
  };
  assert.equal(
    textIn(renderToString(<EffectText effect={effect} />)),
    'Visitors: +20.0% in the 13 days after the note, compared with the 13 days before it (95% confidence interval: −2.0% to +31.0%). This may be pure chance. Before: 1,300 over 13 days. After: 1,560 over the same number of days, with the same weekdays.',
  );
});

test('where no days can be compared only that is said', () => {
  const effect: Effect = {
    ...{ metric: 'visitors', before: side(0, 0), after: side(0, 0), change: null, interval: null },
    ...{ verdict: 'too_few_days', sentence: 'Not enough comparable days.' },
    sentence_code: coded('too_few_days', { days: 0, all: 14, needed: 7 }),
  };
  assert.equal(
    textIn(renderToString(<EffectText effect={effect} />)),
    'Not enough comparable days: 0 of 14. At least 7 are needed.',
  );
});
