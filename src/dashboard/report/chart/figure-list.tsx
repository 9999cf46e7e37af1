// The figures of a report, which stand above its chart: visitors, pageviews, visits and so on. Only a site with a
// currency has revenue. Each figure has a trend: its change since the comparison period, such as the month before. If
// one of the two periods lacks days, a dash replaces the trend. A click on a figure shows it in the chart, if the chart
// can show this figure.
//
// Example: 1,200 visitors after 1,000 are shown as "1,200 ↑ 20%".
//
// summary.tsx shows `FigureList`.

import type { ComponentChildren } from 'preact';
import type { Figures, Overview } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { computePoints } from '../../../lib/percent.ts';
import { isAnyLeftOut } from '../../../stats/left-out.ts';
import { changeView } from '../../core/address.ts';
import type { Loaded } from '../../core/api.ts';
import { known } from '../../core/format.ts';
import { mayExplore, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { spanOf } from '../../dates/range.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { lazy, NOTHING } from '../../ui/lazy.tsx';
import { Answer } from '../../ui/loaded.tsx';
import type { Conversion } from '../model/conversion.ts';
import type { IsEmptyBefore } from '../model/empty-comparison.ts';
import { chartFigureOf, chartFigures, FIGURES, type FigureName, isExplained } from '../model/figures.ts';
import { leftOutOf, NO_VALUE } from '../model/missing-days.ts';
import { notCompared, notCounted, notKnown, type Trend, trendOf, trendOfPart } from '../model/trend.ts';

const WhyButton = lazy(async () => (await import('../later.ts')).WhyButton, NOTHING);

/**
 * The figures in one answer of the API about a report (`Overview`). The conversion rate is not among them, because the
 * page computes it from two such answers.
 */
type OverviewFigure = Exclude<FigureName, 'conversion_rate'>;
const NAMES = (Object.keys(FIGURES) as FigureName[]).filter((name) => name !== 'conversion_rate');

type WithFigures = Figures & Pick<Overview, 'revenue'>;

/**
 * Reads a figure from an answer of the API (`Overview`). Revenue is a decimal text and becomes a number. Returns null
 * if the figure is unknown.
 */
function valueIn(figures: WithFigures | undefined, name: OverviewFigure): number | null {
  const value = figures?.[name];
  return value == null ? null : Number(value);
}

type Help = { question: DashboardMessage; answer: DashboardMessage };

const HELPS: Record<FigureName, Help> = {
  visitors: {
    question: 'What is a visitor?',
    answer:
      'daybook counts each visitor once a day. It does not recognise visitors on another day. If you visit on three days, you count as three visitors.',
  },
  pageviews: {
    question: 'What is a pageview?',
    answer: 'Each time a visitor opens a page, this counts as one pageview. If you open a page twice, it counts twice.',
  },
  visits: {
    question: 'What is a visit?',
    answer:
      'A visit is everything that a visitor does without a break of more than 30 minutes. A visit also ends at midnight.',
  },
  bounce_rate: {
    question: 'What is the bounce rate?',
    answer: 'The share of visits with one pageview and no event.',
  },
  visit_duration: {
    question: 'What is the visit duration?',
    answer:
      'The average time from the first to the last activity in a visit. A visit continues while a page is visible.',
  },
  revenue: {
    question: 'What is the revenue?',
    answer: 'The sum of the amounts that your pages and servers sent with their hits.',
  },
  conversion_rate: {
    question: 'What is the conversion rate?',
    answer: 'The share of visitors that reached the goal.',
  },
};

type Props = {
  overview: Loaded<Overview>;
  rate?: { conversion: Conversion | undefined; isStale: boolean };
  /**
   * The id of the goal whose conversion rate is shown, or undefined if the rate is about several goals. Only a rate
   * about one goal has a button that explains the change (why.tsx).
   */
  goal?: string | undefined;
  /** The days of the comparison period, as text. */
  when: string;
  /**
   * True if nothing was counted in the first half of the comparison period, for example because the site is new. The
   * other half is too little for a comparison: "+1,178%" would mislead. So the figures show no trend.
   */
  isEmptyBefore?: IsEmptyBefore;
};

export function FigureList({ overview, rate, goal, when, isEmptyBefore = false }: Props) {
  const scope = useScope();
  const { kind, view, today, currency } = scope;
  const { data, error, isStale } = overview;
  if (error) return <Answer of={overview}>{() => null}</Answer>;
  const span = spanOf(view.range, today);
  const leftOut = span && data ? leftOutOf(span, data.left_out) : 'none';
  const mayExplain = mayExplore(scope) && !isEmptyBefore && data?.change?.visitors != null;
  const trendIn = (name: OverviewFigure): Trend | undefined => {
    const { previous } = data ?? {};
    if (data?.[name] === undefined) return undefined;
    if (isEmptyBefore === null) return undefined;
    if (isEmptyBefore) return notCounted(when);
    if (data.change && isAnyLeftOut(data.notice_codes)) return notCompared();
    const { text, isRate = false, isLessBetter = false } = FIGURES[name];
    const write = (value: number): string => text(value, currency ?? '');
    const [now, before] = [valueIn(data, name), valueIn(previous, name)];
    if (previous && (now === null || before === null)) return notKnown();
    const change = previous && { isRate, isLessBetter, change: changeIn(data, previous, name) };
    const trend = change && trendOf(change, known(before, write), when);
    const isPart = data.complete === false || previous?.complete === false;
    return trend && isPart ? trendOfPart(trend) : trend;
  };
  return (
    <ul class={isStale && data ? 'figure-list is-stale' : 'figure-list'} aria-busy={isStale || isEmptyBefore === null}>
      {NAMES.filter((name) => name !== 'revenue' || currency).map((name) => {
        const { name: title, text, large = text } = FIGURES[name];
        const now = leftOut === 'all' ? null : valueIn(data, name);
        const isThere = data?.[name] !== undefined;
        const value = now === null ? (isThere ? NO_VALUE : undefined) : large(now, currency ?? '');
        const exact = now === null ? undefined : text(now, currency ?? '');
        const figure = <Figure name={t(title)} value={value} exact={exact} trend={trendIn(name)} />;
        return (
          <li key={name}>
            {chartFigures(kind === 'site').includes(name) ? (
              <FigureButton name={name}>{figure}</FigureButton>
            ) : (
              <div class="figure">{figure}</div>
            )}
            <FigureHelp of={name} />
            {isExplained(name) && mayExplain && data.change?.[name] != null && <WhyButton by={name} />}
          </li>
        );
      })}
      {rate?.conversion && (
        <li class={rate.isStale && !isStale ? 'is-stale' : ''}>
          <FigureButton name="conversion_rate">
            <RateFigure
              {...rate.conversion}
              {...(isEmptyBefore !== false && { trend: isEmptyBefore ? notCounted(when) : undefined })}
            />
          </FigureButton>
          <FigureHelp of="conversion_rate" />
          {mayExplain && goal !== undefined && <WhyButton by="conversions" />}
        </li>
      )}
    </ul>
  );
}

function changeIn(now: Overview, previous: WithFigures, name: OverviewFigure): number | null {
  if (FIGURES[name].isRate) {
    return computePoints(valueIn(now, name), valueIn(previous, name), previous.visits === 0);
  }
  return now.change?.[name] ?? null;
}

function FigureButton({ name, children }: { name: FigureName; children: ComponentChildren }) {
  const { kind, view } = useScope();
  return (
    <button
      type="button"
      class="figure"
      aria-pressed={chartFigureOf(view, kind === 'site') === name}
      onClick={() => changeView({ show: name }, 'replace')}
    >
      {children}
    </button>
  );
}

function RateFigure({ goal, rate, trend }: Conversion) {
  const name = (
    <span title={t('Share of visitors that reached the goal {goal}', { goal })}>
      {t('Conversion rate')} <span class="figure-goal">{goal}</span>
    </span>
  );
  return <Figure name={name} value={rate} trend={trend} />;
}

type FigureProps = {
  name: ComponentChildren;
  value: string | undefined;
  exact?: string | undefined;
  trend: Trend | undefined;
};

function Figure({ name, value, exact, trend }: FigureProps) {
  return (
    <>
      <span class="figure-name">{name}</span>
      <span class="figure-value" title={exact === value ? undefined : exact}>
        {value ?? <span class="figure-blank" />}
      </span>
      <span class={`figure-trend ${trend?.kind ?? ''}`} title={trend?.sentence}>
        <span aria-hidden="true">
          {trend?.sign} {trend?.text}
        </span>
        <span class="unseen">{trend?.sentence}</span>
      </span>
    </>
  );
}

function FigureHelp({ of }: { of: FigureName }) {
  const { question, answer } = HELPS[of];
  const label = (
    <>
      <span aria-hidden="true">?</span>
      <span class="unseen">{t(question)}</span>
    </>
  );
  return (
    <Flyout label={label} title={t(question)} class="figure-help" buttonClass="figure-help-button">
      {() => <p>{t(answer)}</p>}
    </Flyout>
  );
}
