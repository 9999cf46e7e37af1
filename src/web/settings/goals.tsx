import type { Goal } from '../../api/goals.ts';
import { send, useData } from '../api.ts';
import { AddForm } from './add-form.tsx';
import { Block } from './block.tsx';
import { ItemList } from './item-list.tsx';
import { apiPath, type PartProps } from './site-part.ts';
import { TargetFields, TargetLists, TargetText, targetIn, targetName } from './target.tsx';

/** The goals of a site. */
export function GoalsPart({ site, reload, mayChange }: PartProps) {
  const goals = useData<Goal[]>(apiPath(site, '/goals'));
  const removal = (goal: Goal) =>
    mayChange
      ? {
          path: apiPath(site, `/goals/${goal.id}`),
          name: targetName(goal),
          warning: 'Remove this goal? The visits stay.',
        }
      : undefined;
  const changeForm = (goal: Goal, close: (done?: string) => void) => (
    <AddForm
      label="Save"
      done="Saved."
      add={async (data) => {
        const changed = await send<Goal>('PATCH', apiPath(site, `/goals/${goal.id}`), targetIn(data));
        close(`The goal is ${targetName(changed)} now.`);
      }}
      cancel={close}
    >
      <TargetFields of={goal} />
    </AddForm>
  );
  return (
    <Block title="Goals" about="A page or an event that you hope visitors reach. Past visits count too.">
      <ItemList
        of={{
          ...goals,
          reload() {
            goals.reload();
            // The main goal may have been removed with it.
            reload();
          },
        }}
        label="Goals"
        empty={{ title: 'No goals yet', next: 'For example the page after an order, or the event of a sign-up.' }}
        removal={removal}
        change={mayChange ? changeForm : undefined}
      >
        {(goal) => (
          <p>
            <TargetText {...goal} /> {goal.id === site.main_goal_id && <span class="badge">main goal</span>}
          </p>
        )}
      </ItemList>
      {mayChange && (
        <AddForm
          label="Add goal"
          done="Added."
          add={(data) => send('POST', apiPath(site, '/goals'), targetIn(data)).then(goals.reload)}
        >
          <TargetFields />
          <TargetLists site={site} />
        </AddForm>
      )}
    </Block>
  );
}
