// The goals of a site. A goal is a page or an event that visitors should reach, such as an order. Goals can be added,
// changed and removed here. Goals are counted from stored hits, so a new goal counts past visits too.
// pages/settings.tsx shows `GoalsPart`.

import type { Goal } from '../../api/goals.ts';
import { send, useData } from '../core/api.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { AddForm } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { PropertyFields, TargetFields, TargetLists, TargetText, targetIn, targetName } from './target.tsx';

export function GoalsPart({ site, reload, mayChange }: PartProps) {
  const goals = useData<Goal[]>(apiPath(site, '/goals'));
  const removal = (goal: Goal) =>
    mayChange
      ? {
          path: apiPath(site, `/goals/${goal.id}`),
          name: targetName(goal),
          warning: t('Remove this goal? Your visits are kept.'),
        }
      : undefined;
  const changeForm = (goal: Goal, close: (done?: string) => void) => (
    <AddForm
      label={t('Save')}
      done={t('Saved.')}
      add={async (data) => {
        const changed = await send<Goal>(
          'PATCH',
          apiPath(site, `/goals/${goal.id}`),
          // Without a value in the form, `null` removes the goal's stored property or stored depth (`scroll`).
          { property: null, scroll: null, ...targetIn(data, site.page_parameters) },
        );
        close(t('Goal changed to {goal}.', { goal: targetName(changed) }));
      }}
      cancel={close}
    >
      <TargetFields of={goal} hasDepth />
      <PropertyFields of={goal} />
    </AddForm>
  );
  return (
    <Block title={t('Goals')} about={t('A page or an event that you want visitors to reach. Past visits count too.')}>
      <ItemList
        of={{
          ...goals,
          reload() {
            goals.reload();
            // The removed goal may have been the site's main goal. So the site is loaded again.
            reload();
          },
        }}
        label={t('Goals')}
        empty={{ title: t('No goals yet'), next: t('For example, the page after an order, or a sign-up event.') }}
        removal={removal}
        change={mayChange ? changeForm : undefined}
      >
        {(goal) => (
          <p>
            <TargetText {...goal} /> {goal.id === site.main_goal_id && <span class="badge">{t('main goal')}</span>}
          </p>
        )}
      </ItemList>
      {mayChange && (
        <AddForm
          label={t('Add goal')}
          done={t('Added.')}
          add={(data) => send('POST', apiPath(site, '/goals'), targetIn(data, site.page_parameters)).then(goals.reload)}
        >
          <TargetFields hasDepth />
          <PropertyFields />
          <TargetLists site={site} />
        </AddForm>
      )}
    </Block>
  );
}
