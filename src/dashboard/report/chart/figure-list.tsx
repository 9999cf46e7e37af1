// The figures of a report stand above its chart: visitors, pageviews, visits and so on. Each figure has a trend: its change
// since the comparison period. Some figures are buttons. A click shows that figure in the chart. If one of the periods lacks
// days, a dash replaces the trend.
//
// Example: 1,200 visitors after 1,000 are shown as "1,200 ↑ 20%".
//
// summary.tsx shows `FigureList`.

import type { ComponentChildren } from 'preact';
import type { Figures, Overview } from '../../../api/answers.ts';
import { computePoints } from '../../../lib/percent.ts';
import { isAnyLeftOut } from '../../../stats/left-out.ts';
import { changeView } from '../../core/address.ts';
import type { Loaded } from '../../core/api.ts';
import { known, large } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { spanOf } from '../../dates/range.ts';
import { Flyout } from '../../ui/flyout.tsx';
import { Answer } from '../../ui/loaded.tsx';
import type { Conversion } from '../model/conversion.ts';
import { chartFigureOf, chartFigures, FIGURES, type FigureName } from '../model/figures.ts';
import { leftOutOf, NO_VALUE } from '../model/missing-days.ts';
import { notCompared, notKnown, type Trend, trendOf, trendOfPart } from '../model/trend.ts';

const NAMES = (Object.keys(FIGURES) as FigureName[]).filter((name) => name !== 'conversion_rate');

const VISITOR_HELP =
  'daybook counts each visitor once a day. It does not recognise visitors on another day. If you visit on three days, you count as three visitors.';

type Props = {
  view: View;
  today: string;
  overview: Loaded<Overview>;
  isOneSite?: boolean;
  rate?: { conversion: Conversion | undefined; isStale: boolean };
  /** The days of the comparison period, as text. */
  when: string;
};

export function FigureList({ view, today, overview, isOneSite = true, rate, when }: Props) {
  const { data, error, isStale } = overview;
  if (error) return <Answer of={overview}>{() => null}</Answer>;
  const span = spanOf(view.range, today);
  const leftOut = span && data ? leftOutOf(span, data.left_out) : 'none';
  const trendIn = (name: keyof Figures): Trend | undefined => {
    const { previous } = data ?? {};
    if (data?.change && isAnyLeftOut(data.notice_codes)) return notCompared();
    const { text, isSum: _, ...figure } = FIGURES[name];
    const [now, before] = [data?.[name] ?? null, previous?.[name] ?? null];
    if (data && previous && (now === null || before === null)) return notKnown();
    const trend =
      data && previous && trendOf({ ...figure, change: changeIn(data, previous, name) }, known(before, text), when);
    const isPart = data?.complete === false || previous?.complete === false;
    return trend && isPart ? trendOfPart(trend) : trend;
  };
  return (
    <ul class={isStale && data ? 'figure-list is-stale' : 'figure-list'} aria-busy={isStale}>
      {NAMES.map((name) => {
        const { isSum, name: title, text } = FIGURES[name];
        const now = leftOut === 'all' ? null : (data?.[name] ?? null);
        const value = now === null ? data && NO_VALUE : (isSum ? large : text)(now);
        const figure = (
          <Figure name={t(title)} value={value} exact={now === null ? undefined : text(now)} trend={trendIn(name)} />
        );
        return (
          <li key={name}>
            {chartFigures(isOneSite).includes(name) ? (
              <FigureButton name={name} view={view} isOneSite={isOneSite}>
                {figure}
              </FigureButton>
            ) : (
              <div class="figure">{figure}</div>
            )}
            {name === 'visitors' && <VisitorHelp />}
          </li>
        );
      })}
      {rate?.conversion && (
        <li class={rate.isStale && !isStale ? 'is-stale' : ''}>
          <FigureButton name="conversion_rate" view={view} isOneSite={isOneSite}>
            <RateFigure {...rate.conversion} />
          </FigureButton>
        </li>
      )}
    </ul>
  );
}

function changeIn(now: Overview, previous: Figures, name: keyof Figures): number | null {
  if (FIGURES[name].isRate) return computePoints(now[name], previous[name], previous.visits === 0);
  return now.change?.[name] ?? null;
}

type ButtonProps = { name: FigureName; view: View; isOneSite: boolean; children: ComponentChildren };

function FigureButton({ name, view, isOneSite, children }: ButtonProps) {
  const show = name === 'visitors' ? '' : name;
  return (
    <button
      type="button"
      class="figure"
      aria-pressed={chartFigureOf(view, isOneSite) === name}
      onClick={() => changeView({ more: { ...view.more, show } }, 'replace')}
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

function VisitorHelp() {
  const label = (
    <>
      <span aria-hidden="true">?</span>
      <span class="unseen">{t('What is a visitor?')}</span>
    </>
  );
  return (
    <Flyout label={label} title={t('What is a visitor?')} class="figure-help" buttonClass="figure-help-button">
      {() => <p>{t(VISITOR_HELP)}</p>}
    </Flyout>
  );
}
