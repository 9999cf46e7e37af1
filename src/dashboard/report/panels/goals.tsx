// The panel of a site's goals, with their visitors, conversions and rate. A click on a goal filters by the goal. The
// goal with the most visitors has the longest bar.
//
// If the site has a currency, each goal also has its revenue.
//
// Example: 12 of 480 visitors reached a goal 15 times. The line says 12, 15 and 2.5%.
//
// secondary-panels.tsx shows `GoalsPanel`.

import type { GoalRow, Goals } from '../../../api/answers.ts';
import { changeView, reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { hasValue, isForAnother, toggled } from '../../core/filters.ts';
import { known, largeMoney, money, number, percent } from '../../core/format.ts';
import { GOAL_TYPES, nameTarget } from '../../core/goal-types.ts';
import { useScope, useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Download } from '../details/download.tsx';
import { revenueQuery } from '../model/figures.ts';
import { exploring, exploringRow } from './breakdown.tsx';
import { Panel } from './panel.tsx';
import { BreakDown } from './ranking.tsx';
import { EXPLORE_KEY, ExploreButton, JourneyButton } from './rows.tsx';
import { SettingsLink } from './settings-link.tsx';

export function GoalsPanel() {
  return (
    <Panel id="goals" title={t('Goals')}>
      <Body />
    </Panel>
  );
}

type LineProps = { goal: GoalRow; isMain: boolean; most: number };

function GoalLine({ goal, isMain, most }: LineProps) {
  const scope = useScope();
  const { view, currency } = scope;
  const onExplore = exploringRow('goal', scope, String(goal.id));
  const { type, visitors, conversions, conversion_rate, revenue = null } = goal;
  const name = nameTarget(goal);
  const id = String(goal.id);
  const isSelected = hasValue(view.filters, 'goal', id);
  return (
    <li class={`rows-line ${isSelected ? 'is-selected' : ''}`}>
      <span class="panel-bar" style={{ width: `${((visitors ?? 0) / most) * 100}%` }} />
      <span class="rows-name">
        <span class="goals-name">
          <button
            type="button"
            class="panel-value"
            title={name}
            aria-pressed={isSelected}
            aria-keyshortcuts={onExplore && EXPLORE_KEY}
            onClick={(event) => changeView({ filters: toggled(view.filters, 'goal', id, isForAnother(event)) })}
            onKeyDown={({ key }) => key === EXPLORE_KEY && onExplore?.()}
          >
            {name}
          </button>
          <span class="panel-note">
            {t(GOAL_TYPES[type])}
            {isMain ? <strong> · {t('main goal')}</strong> : null}
          </span>
        </span>
        {onExplore && <ExploreButton onClick={onExplore} />}
        <JourneyButton onClick={() => changeView({ journey: `goal:${id}`, direction: 'before' })} />
      </span>
      <span class="rows-count">
        {known(visitors, number)}
        <span class="unseen"> {plural(visitors ?? 0, 'visitor', 'visitors')}</span>
      </span>
      <span class="rows-count goals-times">
        {known(conversions, number)}
        <span class="unseen"> {plural(conversions ?? 0, 'conversion', 'conversions')}</span>
      </span>
      <span class="rows-share">{known(conversion_rate, percent)}</span>
      {currency && (
        <span class="rows-count" title={money(revenue, currency)}>
          {known(revenue === null ? null : Number(revenue), (amount) => largeMoney(amount, currency))}
        </span>
      )}
    </li>
  );
}

type TableProps = { goals: readonly GoalRow[]; mainGoal: number | null | undefined };

export function GoalTable({ goals, mainGoal }: TableProps) {
  const { currency } = useScope();
  const most = Math.max(1, ...goals.map(({ visitors }) => visitors ?? 0));
  return (
    <div class={currency ? 'rows goals-table is-earning' : 'rows goals-table'}>
      <div class="rows-head">
        <span>{t('Goal')}</span>
        <span>{t('Visitors')}</span>
        <span class="goals-times" title={t('Conversions: how often visitors reached the goal')}>
          {t('Conversions')}
        </span>
        <span class="rows-share" title={t('Conversion rate: share of all visitors that reached the goal')}>
          {t('Rate')}
        </span>
        {currency && <span title={t('Revenue: sum of the hits that reached the goal')}>{t('Revenue')}</span>}
      </div>
      <ol>
        {goals.map((goal) => (
          <GoalLine key={goal.id} goal={goal} isMain={goal.id === mainGoal} most={most} />
        ))}
      </ol>
    </div>
  );
}

const csvRows = (goals: readonly GoalRow[], currency: string | null | undefined) => [
  ['Type', 'Goal', 'Visitors', 'Conversions', 'Conversion rate', ...(currency ? [`Revenue (${currency})`] : [])],
  ...goals.map((goal) => [
    goal.type,
    nameTarget(goal),
    goal.visitors ?? '',
    goal.conversions ?? '',
    goal.conversion_rate ?? '',
    ...(currency ? [goal.revenue ?? ''] : []),
  ]),
];

function Body() {
  const scope = useSiteScope();
  const { domain, view, mainGoal, currency } = scope;
  const report = useData<Goals>(sitePath(domain, '/stats/goals'), {
    ...reportQuery(view),
    ...revenueQuery(currency),
  });
  return (
    <div class="panel-body">
      <Answer of={report} lines={8}>
        {({ from, to, goals }) =>
          goals.length === 0 ? (
            <Empty title={t('No goals yet')}>
              <p>{t('A goal is a page or an event that you want visitors to reach.')}</p>
              <SettingsLink part="goals">{t('Add a goal')}</SettingsLink>
            </Empty>
          ) : (
            <>
              <GoalTable goals={goals} mainGoal={mainGoal} />
              <footer class="panel-foot">
                <BreakDown
                  title={t('Goals')}
                  onExplore={exploring(scope, { metrics: 'visitors,conversions,conversion_rate' })}
                />
                <Download
                  title={t('Goals')}
                  file={{ name: 'goals', span: { from, to }, rows: () => csvRows(goals, currency) }}
                />
              </footer>
            </>
          )
        }
      </Answer>
    </div>
  );
}
