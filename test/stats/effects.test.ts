import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../src/lang/sentences.ts';
import {
  type CountPair,
  EFFECT_METRICS,
  measureEffect,
  measureRateEffect,
  pairDays,
  type RatePair,
  sayEffect,
} from '../../src/stats/effects.ts';
import { chance, randomFrom } from '../support/random.ts';

const WEEK = [110, 120, 120, 110, 100, 70, 80];

/** Pairs of days with a weekday's pattern, whose days after have so many times as much; `noise` is how much a day may differ. */
const pairsOf = (count: number, times: number, noise = (): number => 0): CountPair[] =>
  Array.from({ length: count }, (_, i) => {
    const usual = WEEK[i % WEEK.length] ?? 0;
    return { before: Math.round(usual * (1 + noise())), after: Math.round(usual * times * (1 + noise())) };
  });

const swapped = (pairs: readonly CountPair[]): CountPair[] =>
  pairs.map(({ before, after }) => ({ before: after, after: before }));

test('each day of the two weeks after a day has one of the same weekday in the two weeks before, and the day itself has no part', () => {
  for (const day of [0, 20_500, 20_503]) {
    const pairs = pairDays(day);
    const week = (from: number) => Array.from({ length: 14 }, (_, i) => from + i);
    assert.deepEqual(
      pairs.map(({ before }) => before),
      week(day - 14),
    );
    assert.deepEqual(
      pairs.map(({ after }) => after).sort((one, other) => one - other),
      week(day + 1),
    );
    for (const { before, after } of pairs) assert.equal((after - before) % 7, 0);
  }
});

test('where each weekday changed alike, the week has no part in the interval', () => {
  assert.deepEqual(measureEffect(pairsOf(14, 1.2)), { change: 20, interval: [20, 20], verdict: 'up' });
  assert.deepEqual(measureEffect(pairsOf(7, 0.5)), { change: -50, interval: [-50, -50], verdict: 'down' });
  assert.deepEqual(measureEffect(pairsOf(14, 1)), { change: 0, interval: [0, 0], verdict: 'unclear' });
});

test('below a week of pairs there is no figure, and from a week on there is one', () => {
  const nothing = { change: null, interval: null, verdict: 'too_few_days' };
  for (let count = 0; count < 7; count++) assert.deepEqual(measureEffect(pairsOf(count, 2)), nothing);
  assert.equal(measureEffect(pairsOf(7, 2)).verdict, 'up');
});

test('where one side has nothing, or all of it on a day or two, there is no figure either', () => {
  const nothing = { change: null, interval: null, verdict: 'too_few_counted' };
  const busy = pairsOf(14, 1);
  const cases: CountPair[][] = [
    busy.map(({ before }) => ({ before, after: 0 })),
    busy.map(({ after }) => ({ before: 0, after })),
    busy.map(() => ({ before: 0, after: 0 })),
    busy.map(({ before }, i) => ({ before, after: i < 2 ? 500 : 0 })),
  ];
  for (const pairs of cases) assert.deepEqual(measureEffect(pairs), nothing);
});

/** The interval of a textbook: Student's t over the differences that the pairs make to the ratio. */
function expected(pairs: readonly CountPair[], student: number): [number, number] {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [before, after] = [mean(pairs.map((pair) => pair.before)), mean(pairs.map((pair) => pair.after))];
  const parts = pairs.map((pair) => pair.after / after - pair.before / before);
  const error = Math.sqrt(mean(parts.map((part) => part ** 2)) / (pairs.length - 1));
  const ratio = Math.log(after / before);
  return [ratio - student * error, ratio + student * error];
}

test('the interval is near that of a textbook', (t) => {
  const random = chance(t);
  for (const [count, student] of [
    [7, 2.447],
    [10, 2.262],
    [14, 2.16],
  ] as const) {
    for (let round = 0; round < 50; round++) {
      const pairs = pairsOf(count, 1.1, () => (random() - 0.5) * 0.4);
      const [low, high] = (measureEffect(pairs).interval ?? []).map((percent) => Math.log1p(percent / 100));
      const [wantedLow, wantedHigh] = expected(pairs, student);
      const width = wantedHigh - wantedLow;
      assert.ok(Math.abs((low ?? 0) - wantedLow) < width * 0.25, JSON.stringify(pairs));
      assert.ok(Math.abs((high ?? 0) - wantedHigh) < width * 0.25, JSON.stringify(pairs));
    }
  }
});

test('the same days have the same answer, whichever way they are asked for their change stays within its interval, and back is the other way', (t) => {
  const random = chance(t);
  const opposite = { up: 'down', down: 'up', unclear: 'unclear' } as Record<string, string>;
  for (let round = 0; round < 100; round++) {
    const times = 0.7 + random() * 0.6;
    const pairs = pairsOf(7 + Math.floor(random() * 8), times, () => (random() - 0.5) * 0.5);
    const effect = measureEffect(pairs);
    assert.deepEqual(effect, measureEffect(pairs));
    const [low = 0, high = 0] = effect.interval ?? [];
    assert.ok(effect.change !== null && low <= effect.change && effect.change <= high, JSON.stringify(pairs));
    assert.equal(effect.verdict, low > 0 ? 'up' : high < 0 ? 'down' : 'unclear');
    const back = measureEffect(swapped(pairs));
    const isNearZero = Math.min(Math.abs(low), Math.abs(high)) < 1;
    assert.ok(isNearZero || back.verdict === opposite[effect.verdict], JSON.stringify(pairs));
  }
});

/** Pairs of days with 100 visits each, of which some bounce. */
const ratePairs = (count: number, bounces: (isAfter: boolean) => number): RatePair[] =>
  Array.from({ length: count }, () => ({
    before: { part: bounces(false), whole: 100 },
    after: { part: bounces(true), whole: 100 },
  }));

test('a rate changes in points, and only where both sides have visits', () => {
  const up = ratePairs(14, (isAfter) => (isAfter ? 50 : 40));
  assert.deepEqual(measureRateEffect(up), { change: 10, interval: [10, 10], verdict: 'up' });
  const even = ratePairs(7, () => 40);
  assert.deepEqual(measureRateEffect(even), { change: 0, interval: [0, 0], verdict: 'unclear' });
  assert.equal(measureRateEffect(even.slice(1)).verdict, 'too_few_days');
  const none = even.map(({ before }) => ({ before, after: { part: 0, whole: 0 } }));
  assert.deepEqual(measureRateEffect(none), { change: null, interval: null, verdict: 'too_few_counted' });
});

test('a rate that did not change is called a change in 5 of 100 cases, and one of 10 points is found', () => {
  const random = randomFrom(1);
  const bounce = (share: number) => Array.from({ length: 100 }, random).filter((one) => one < share).length;
  const rounds = 300;
  const verdicts = (share: number) =>
    Array.from(
      { length: rounds },
      () => measureRateEffect(ratePairs(14, (isAfter) => bounce(isAfter ? share : 0.4))).verdict,
    );
  const wrong = verdicts(0.4).filter((verdict) => verdict !== 'unclear').length;
  assert.ok(wrong >= rounds * 0.02 && wrong <= rounds * 0.08, `${wrong} of ${rounds}`);
  const found = verdicts(0.5).filter((verdict) => verdict === 'up').length;
  assert.ok(found >= rounds * 0.99, `${found} of ${rounds}`);
});

test('the words say that it cannot be told from chance where the interval holds zero, and there only, and never why', (t) => {
  const random = chance(t);
  const seen = new Set<string>();
  for (let round = 0; round < 200; round++) {
    const metric = EFFECT_METRICS[round % EFFECT_METRICS.length] ?? 'visitors';
    const isEmpty = round % 20 === 0;
    const times = isEmpty ? 0 : 0.6 + random() * 0.8;
    const pairs = pairsOf(4 + Math.floor(random() * 11), times, () => (random() - 0.5) * 0.5);
    const effect = measureEffect(pairs);
    const sentence = inEnglish(sayEffect(metric, pairs, effect));
    seen.add(effect.verdict);
    assert.equal(sentence.includes('This may be pure chance'), effect.verdict === 'unclear', sentence);
    assert.doesNotMatch(sentence, /cause|because|effect|due to/i);
    assert.equal(sentence.includes('%'), effect.change !== null, sentence);
  }
  assert.deepEqual([...seen].sort(), ['down', 'too_few_counted', 'too_few_days', 'unclear', 'up']);
});

test('the words name the figures', () => {
  const words = (pairs: CountPair[]) => inEnglish(sayEffect('visitors', pairs, measureEffect(pairs)));
  assert.equal(
    words(pairsOf(14, 0.5)),
    'Visitors: −50 % in the 14 days after the note, compared with the 14 days before it (95% confidence interval: −50 % to −50 %).',
  );
  assert.equal(words(pairsOf(3, 1)), 'Not enough comparable days: 3 of 14. At least 7 are needed.');
  assert.equal(
    words(pairsOf(7, 0)),
    'Not enough visitors to compare: 710 before the note, 0 after it. Both periods need visitors on several days.',
  );
});
