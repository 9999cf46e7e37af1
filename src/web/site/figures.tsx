import type { Site } from '../../api/sites.ts';
import type { Figures as Counts, Goals, Overview } from '../../api/stats.ts';
import { changeOf } from '../../lib/percent.ts';
import { changeView, reportQuery, sitePath, type View } from '../address.ts';
import { type Loaded, useData } from '../api.ts';
import { percent } from '../format.ts';
import { Answer } from '../parts/states.tsx';
import { Flyout } from './flyout.tsx';
import { shownOf } from './points.ts';
import { FIGURES, spanText, type Trend, trendOf, trendSoFar, VISITORS_HELP } from './words.ts';

const NAMES = Object.keys(FIGURES) as (keyof Counts)[];

type Props = { domain: string; view: View; today: string; site: Site | undefined; overview: Loaded<Overview> };

/** The sums of the period, beside those of the period before. Two of them choose what the chart shows. */
export function Figures({ domain, view, today, site, overview }: Props) {
  const { data, error, isStale } = overview;
  const shown = shownOf(view);
  const isSoFar = data?.from.slice(0, 10) === today;
  if (error) return <Answer of={overview}>{() => null}</Answer>;
  const when = data ? spanText({ from: data.previous.from.slice(0, 10), to: data.previous.to.slice(0, 10) }) : '';
  return (
    <ul class={isStale && data ? 'figures old' : 'figures'} aria-busy={isStale}>
      {NAMES.map((name) => {
        const { name: title, text, isLessBetter, isSum } = FIGURES[name];
        const change = data && trendOf(data.change[name], text(data.previous[name]), when, isLessBetter);
        const trend = isSum && change && isSoFar ? trendSoFar(change) : change;
        const figure = <Figure name={title} value={data && text(data[name])} trend={trend} />;
        return (
          <li key={name}>
            {name === 'visitors' || name === 'pageviews' ? (
              <button
                type="button"
                class="figure"
                aria-pressed={shown === name}
                onClick={() => changeView({ more: { ...view.more, show: name === 'visitors' ? '' : name } }, 'replace')}
              >
                {figure}
              </button>
            ) : (
              <div class="figure">{figure}</div>
            )}
            {name === 'visitors' && <Why />}
          </li>
        );
      })}
      {site?.main_goal_id != null && (
        <MainGoal domain={domain} view={view} id={site.main_goal_id} data={data} when={when} />
      )}
    </ul>
  );
}

type FigureProps = { name: string; value: string | undefined; trend: Trend | undefined };

function Figure({ name, value, trend }: FigureProps) {
  return (
    <>
      <span class="figure-name">{name}</span>
      <span class="figure-value">{value ?? <span class="blank" />}</span>
      <span class={`trend ${trend?.kind ?? ''}`} title={trend?.words}>
        <span aria-hidden="true">
          {trend?.sign} {trend?.text}
        </span>
        <span class="unseen">{trend?.words}</span>
      </span>
    </>
  );
}

function Why() {
  const label = (
    <>
      <span aria-hidden="true">?</span>
      <span class="unseen">What is a visitor?</span>
    </>
  );
  return (
    <Flyout label={label} title="What is a visitor?" class="why" buttonClass="hint">
      {() => <p>{VISITORS_HELP}</p>}
    </Flyout>
  );
}

type GoalProps = { domain: string; view: View; id: number; data: Overview | undefined; when: string };

/** How many of the visitors reached the goal that the site is about. */
function MainGoal({ domain, view, id, data, when }: GoalProps) {
  const path = sitePath(domain, '/stats/goals');
  const before = data && `${data.previous.from.slice(0, 10)}~${data.previous.to.slice(0, 10)}`;
  const now = useData<Goals>(path, reportQuery(view));
  const past = useData<Goals>(before ? path : undefined, reportQuery({ ...view, range: before ?? '' }));
  const goal = now.data?.goals.find((one) => one.id === id);
  const last = past.data?.goals.find((one) => one.id === id);
  if (now.data && !goal) return null;
  const trend =
    goal && last && trendOf(changeOf(goal.conversion_rate, last.conversion_rate), percent(last.conversion_rate), when);
  return (
    <li>
      <div
        class={now.isStale && goal ? 'figure old' : 'figure'}
        title={goal && `Visitors who reached the goal ${goal.value}`}
      >
        <Figure name="Conversion rate" value={goal && percent(goal.conversion_rate)} trend={trend} />
      </div>
    </li>
  );
}
