// The custom alerts of a site. Each alert has a condition for a day, such as "fewer than 10 visitors". When a day is
// over and meets the condition, the alert is sent by e-mail and to the notification channels.
//
// Example: the alert "Few from Germany" has the metric Visitors, the condition below 10, and the filter Country is DE.
// notifications.tsx shows `CustomAlerts`.

import { useState } from 'preact/hooks';
import type { Alert } from '../../api/alerts.ts';
import type { Goal } from '../../api/goals.ts';
import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import type { AlertCondition, AlertMetric } from '../../store/sites/alerts.ts';
import { send, useData } from '../core/api.ts';
import { conditionTexts, filtersOf } from '../core/conditions.ts';
import { number } from '../core/format.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { ConditionFields, linesIn } from '../exclusions/condition-fields.tsx';
import { AddForm } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { Field } from '../ui/form.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { targetName } from './target.tsx';

const METRICS: Record<AlertMetric, DashboardMessage> = {
  visitors: 'Visitors',
  visits: 'Visits',
  pageviews: 'Pageviews',
  conversions: 'Conversions',
};

const CONDITIONS: Record<AlertCondition, DashboardMessage> = {
  below: 'below',
  above: 'above',
  unusual: 'unusual for this weekday',
};

export function CustomAlerts({ site, mayChange }: PartProps) {
  const path = apiPath(site, '/alerts');
  const alerts = useData<Alert[]>(path);
  const goals = useData<Goal[]>(apiPath(site, '/goals')).data ?? [];
  return (
    <Block title={t('Custom alerts')} about={t('Each alert is checked when a day is over.')}>
      <ItemList
        of={alerts}
        label={t('Custom alerts')}
        empty={{ title: t('No custom alerts yet'), next: t('For example, fewer than 10 visitors on a day.') }}
        removal={({ id, name }) =>
          mayChange
            ? { path: `${path}/${id}`, name, warning: t('You will get no more messages about this.') }
            : undefined
        }
      >
        {(alert) => (
          <>
            <p class="strong">{alert.name}</p>
            <p class="soft small">{describe(alert, goals)}</p>
          </>
        )}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add custom alert')}
          done={t('Added.')}
          add={(data) => send('POST', path, readAlert(data, site)).then(alerts.reload)}
        >
          <AlertFields site={site} goals={goals} />
        </AddForm>
      )}
    </Block>
  );
}

function describe({ metric, goal_id: goalId, condition, threshold, filters }: Alert, goals: readonly Goal[]): string {
  const goal = goals.find(({ id }) => id === goalId);
  const limit = threshold === null ? [] : [number(threshold)];
  const figure = [t(METRICS[metric]), ...(goal ? [`(${targetName(goal)})`] : []), t(CONDITIONS[condition]), ...limit];
  return [figure.join(' '), ...conditionTexts(filters)].join(' · ');
}

function AlertFields({ site, goals }: { site: Site; goals: readonly Goal[] }) {
  const [metric, setMetric] = useState<AlertMetric>('visitors');
  const [condition, setCondition] = useState<AlertCondition>('below');
  const [isFiltered, setFiltered] = useState(false);
  return (
    <>
      <Field label={t('Name')} name="name">
        <input name="title" maxLength={100} autocomplete="off" />
      </Field>
      <Field label={t('Metric')} name="metric">
        <select name="metric" value={metric} onChange={(event) => setMetric(event.currentTarget.value as AlertMetric)}>
          {(Object.keys(METRICS) as AlertMetric[]).map((one) => (
            <option key={one} value={one}>
              {t(METRICS[one])}
            </option>
          ))}
        </select>
      </Field>
      {metric === 'conversions' && (
        <Field label={t('Goal')} name="goal_id">
          <select name="goal">
            {goals.map((goal) => (
              <option key={goal.id} value={goal.id}>
                {targetName(goal)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field label={t('On a day')} name="condition">
        <select
          name="comparison"
          value={condition}
          onChange={(event) => setCondition(event.currentTarget.value as AlertCondition)}
        >
          {(Object.keys(CONDITIONS) as AlertCondition[]).map((one) => (
            <option key={one} value={one}>
              {t(CONDITIONS[one])}
            </option>
          ))}
        </select>
      </Field>
      {condition !== 'unusual' && (
        <Field label={t('Limit')} name="threshold">
          <input name="threshold" type="number" min={0} step={1} inputMode="numeric" />
        </Field>
      )}
      <Field label={t('Only some visits')}>
        <input type="checkbox" checked={isFiltered} onChange={(event) => setFiltered(event.currentTarget.checked)} />
      </Field>
      {isFiltered && (
        <ConditionFields site={site} of={[{ name: 'country', condition: 'is', value: '' }]} onChange={() => {}} />
      )}
    </>
  );
}

/**
 * Reads the fields of the form. The fields `name`, `condition` and `value` belong to the filters of the alert. So the
 * fields `title` and `comparison` have the name and the condition of the alert.
 */
function readAlert(data: FormData, site: Site): object {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  return {
    ...{ name: text('title'), metric: text('metric'), condition: text('comparison') },
    ...(text('goal') && { goal_id: Number(text('goal')) }),
    ...(text('threshold') && { threshold: Number(text('threshold')) }),
    filters: filtersOf(linesIn(data), site.page_parameters),
  };
}
