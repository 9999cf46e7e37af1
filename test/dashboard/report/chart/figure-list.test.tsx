import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Overview } from '../../../../src/api/answers.ts';
import { describeNotices } from '../../../../src/api/notices.ts';
import { FigureList } from '../../../../src/dashboard/report/chart/figure-list.tsx';
import { type Conversion, conversionOf } from '../../../../src/dashboard/report/model/conversion.ts';
import { coded } from '../../../../src/lang/coded.ts';
import { loaded, renderIn, SCOPE, textIn, VIEW } from '../../components.tsx';

const FIGURES = { visitors: 50, pageviews: 90, visits: 60, bounce_rate: 25, visit_duration: 75 };
const OVERVIEW: Overview = {
  from: '2026-03-04T00:00:00Z',
  to: '2026-03-10T23:59:59Z',
  filters: {},
  ...FIGURES,
  previous: { from: '2026-02-25T00:00:00Z', to: '2026-03-03T23:59:59Z', ...FIGURES, visitors: 0, bounce_rate: 20 },
  change: { visitors: null, pageviews: 0, visits: -10, bounce_rate: 25, visit_duration: 5 },
};

function html(change: Partial<Overview> = {}, conversion?: Conversion, view = VIEW): string {
  const overview = loaded({ ...OVERVIEW, ...change });
  const rate = { conversion, isStale: false };
  return renderIn({ ...SCOPE, view }, <FigureList overview={overview} rate={rate} when="then" />);
}

const kinds = (text: string): (string | undefined)[] =>
  [...text.matchAll(/class="figure-trend ?(\w*)"/g)].map(([, kind]) => kind);

test('each figure is shown with its change, which is good or bad by what the figure means', () => {
  assert.match(textIn(html()), /^Visitors 50 – The change cannot be calculated\. Previous value: 0 \(then\)\./);
  assert.match(textIn(html()), /Pageviews 90 = 0.0% No change from 90 \(then\)\./);
  assert.match(textIn(html()), /Visits 60 ↓ 10.0% Down 10.0% from 60 \(then\)\./);
  assert.match(textIn(html()), /Bounce rate 25.0% ↑ 5.0 pp Up 5.0 pp from 20.0% \(then\)\./);
  assert.match(
    textIn(html()),
    /Visit duration 1m 15s ↑ 5.0% Up 5.0% from 1m 15s \(then\)\. \? What is the visit duration\?$/,
  );
  assert.deepEqual(kinds(html()), ['', '', 'bad', 'bad', 'good']);
});

test('every figure is a button that puts it into the chart; of several sites those that add up over them', () => {
  const pressed = (text: string) => [...text.matchAll(/class="figure" aria-pressed="(\w+)"/g)].map(([, one]) => one);
  assert.deepEqual(pressed(html()), ['true', 'false', 'false', 'false', 'false']);
  const view = { ...VIEW, show: 'bounce_rate' } as const;
  assert.deepEqual(pressed(html({}, undefined, view)), ['false', 'false', 'false', 'true', 'false']);
  const list = <FigureList overview={loaded(OVERVIEW)} when="then" />;
  assert.deepEqual(
    pressed(renderIn({ kind: 'all', mayChange: false, currency: null, view, today: SCOPE.today }, list)),
    ['true', 'false'],
  );
});

test('the conversion rate says of which goal it is, and is a button as the others are', () => {
  const conversion = { goal: '/thanks', rate: '40.0%', trend: undefined };
  assert.match(textIn(html({}, conversion)), /Conversion rate \/thanks 40.0% \? What is the conversion rate\?$/);
  assert.equal(html({}, conversion).match(/class="figure" aria-pressed/g)?.length, 6);
  const view = { ...VIEW, show: 'conversion_rate' } as const;
  assert.match(
    html({}, conversion, view),
    /aria-pressed="true"[^>]*><span class="figure-name"><span title="Share of visitors that/,
  );
});

test('revenue: a site with a currency has it, in short in large type, with its change', () => {
  const sold = { ...OVERVIEW, revenue: '1234.50', change: { ...OVERVIEW.change, revenue: 20 } } as Overview;
  const previous = { ...OVERVIEW.previous, revenue: '1028.75' } as Overview['previous'];
  const list = (overview: Overview, currency: string | null = 'EUR', view = VIEW) =>
    renderIn({ ...SCOPE, currency, view }, <FigureList overview={loaded(overview)} when="then" />);
  const shown = list({ ...sold, previous });
  assert.match(textIn(shown), /Revenue €1,235 ↑ 20\.0% Up 20\.0% from €1,028\.75 \(then\)\. \? What is the revenue\?$/);
  assert.match(shown, /title="€1,234\.50"/);
  assert.match(textIn(list({ ...sold, revenue: '19.99', previous })), /Revenue €19\.99 /);
  assert.match(textIn(list({ ...sold, revenue: '12345678.90', previous })), /Revenue €12\.3M /);
  assert.match(textIn(list({ ...sold, revenue: '150' }, 'JPY')), /Revenue ¥150 /);
  assert.doesNotMatch(textIn(list(sold, null)), /Revenue/);
  assert.match(
    list({ ...sold, previous }, 'EUR', { ...VIEW, show: 'revenue' }),
    /aria-pressed="true"[^>]*><span[^>]*>Revenue/,
  );
});

test('revenue: a dash stands for an unknown sum, and a blank for one that is loading', () => {
  const list = (revenue: string | null | undefined) => {
    const overview = { ...OVERVIEW, ...(revenue === undefined ? {} : { revenue }) };
    return renderIn({ ...SCOPE, currency: 'EUR' }, <FigureList overview={loaded(overview)} when="then" />);
  };
  assert.match(textIn(list(null)), /Revenue – – Not compared, because an import does not include this figure\./);
  assert.equal(list(undefined).match(/figure-blank/g)?.length, 1);
  assert.equal(list('0.00').match(/figure-blank/g), null);
});

test('a conversion rate has no change from a period in which nobody came', () => {
  const { from, to } = OVERVIEW;
  const of = (visitors: number, before: number): Overview => ({
    ...OVERVIEW,
    visitors,
    previous: { from, to, ...FIGURES, visitors: before },
  });
  const asked = { view: VIEW, today: SCOPE.today, when: 'then' };
  const trendOf = (reachedBefore: number, before: number) =>
    conversionOf({ reached: of(10, reachedBefore), everybody: of(50, before), goal: 'Order' }, asked).trend;
  assert.equal(trendOf(0, 0)?.sign, '–');
  assert.equal(trendOf(0, 0)?.kind, '');
  assert.equal(trendOf(0, 40)?.text, '20.0 pp');
  assert.match(trendOf(4, 40)?.sentence ?? '', /^Up 10\.0 pp from 10\.0% \(then\)/);
});

test('a change from or to a period in which hits were missed says so, and is no news', () => {
  for (const part of [{ complete: false as const }, { previous: { ...FIGURES, complete: false as const } }]) {
    const shown = html({
      ...part,
      previous: { ...OVERVIEW.previous, ...FIGURES, ...part.previous } as Overview['previous'],
    });
    assert.match(textIn(shown), /Visits 60 ↓ ≈ 10\.0% .*Some hits are missing in one of the periods\./);
    assert.deepEqual(new Set(kinds(shown)), new Set(['']));
  }
  assert.doesNotMatch(html(), /Some hits are missing/);
});

test('compared with nothing, the figures stand alone', () => {
  const { previous: _, change: __, ...alone } = OVERVIEW;
  const list = <FigureList overview={loaded(alone)} when="" />;
  assert.match(
    textIn(renderIn(SCOPE, list)),
    /^Visitors 50 .*Visits 60 \? .* Bounce rate 25.0% \? .* Visit duration 1m 15s \? .*\?$/,
  );
});

test('while figures are loading their places are blank', () => {
  const waiting = { data: undefined, error: undefined, isStale: true, reload() {} };
  const blank = renderIn(SCOPE, <FigureList overview={waiting} when="" />);
  assert.equal(blank.match(/figure-blank/g)?.length, 5);
});

test('where days are left out there is no change to be green about, and no value where all are', () => {
  const lacking = (to: string) => describeNotices([coded('left_out', { days: [{ from: '2026-02-01', to }] })]);
  const before = html(lacking('2026-03-03'), undefined, { ...VIEW, range: '7d' });
  assert.match(textIn(before), /^Visitors 50 – Not compared, because only daily totals are stored for some days\./);
  assert.deepEqual(kinds(before), ['', '', '', '', '']);
  const all = html(lacking('2026-03-10'), undefined, { ...VIEW, range: '7d' });
  assert.match(textIn(all), /^Visitors – – Not compared/);
});

test('a figure that an import did not have is a dash, and is compared with nothing', () => {
  const { from, to } = OVERVIEW;
  const unknown = html({ bounce_rate: null });
  assert.match(
    textIn(unknown),
    /Bounce rate – – Not compared, because an import does not include this figure\. .* Visit duration 1m 15s/,
  );
  const previous = { from, to, ...FIGURES, visit_duration: null };
  assert.match(textIn(html({ previous })), /Visit duration 1m 15s – Not compared, because an import does not/);
});

test('nine digits stand shortened, with the whole under the pointer', () => {
  const figure = /title="123,456,789">\s*123.5M</;
  assert.match(html({ visitors: 123_456_789 }), figure);
  assert.doesNotMatch(html({ visitors: 9_999_999 }), /figure-value" title/);
});

test('a rate has no change where there were no visits before', () => {
  const { from, to } = OVERVIEW;
  const previous = { from, to, ...FIGURES, visits: 0, bounce_rate: 0 };
  assert.match(textIn(html({ previous })), /Bounce rate 25\.0% – The change cannot be calculated/);
});

test('a conversion rate changes by the difference of the rates that are shown', () => {
  const { from, to } = OVERVIEW;
  const of = (visitors: number, before: number): Overview => ({
    ...OVERVIEW,
    visitors,
    previous: { from, to, ...FIGURES, visitors: before },
  });
  // 10.64 % and 10.26 % are written 10.6 % and 10.3 %.
  const { rate, trend } = conversionOf(
    { reached: of(1064, 1026), everybody: of(10_000, 10_000), goal: 'Order' },
    { view: VIEW, today: SCOPE.today, when: 'then' },
  );
  assert.deepEqual([rate, trend?.text], ['10.6%', '0.3 pp']);
  assert.match(trend?.sentence ?? '', /^Up 0\.3 pp from 10\.3%/);
});

test('figures have no change from a period whose first half is empty', () => {
  const conversion = { goal: '/thanks', rate: '40.0%', trend: undefined };
  const rate = { conversion, isStale: false };
  const shown = renderIn(SCOPE, <FigureList overview={loaded(OVERVIEW)} rate={rate} when="then" isEmptyBefore />);
  assert.equal(textIn(shown).match(/– Not compared with then, because nothing was counted/g)?.length, 6);
  assert.deepEqual(new Set(kinds(shown)), new Set(['']));
});

test('figures have no change, and are busy, until it is known whether the first half of the period is empty', () => {
  const conversion = { goal: '/thanks', rate: '40.0%', trend: undefined };
  const rate = { conversion, isStale: false };
  const shown = renderIn(
    SCOPE,
    <FigureList overview={loaded(OVERVIEW)} rate={rate} when="then" isEmptyBefore={null} />,
  );
  assert.doesNotMatch(textIn(shown), /then/);
  assert.match(shown, /^<ul [^>]*aria-busy="true"/);
});
