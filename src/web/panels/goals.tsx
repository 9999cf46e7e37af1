import type { Site } from '../../api/sites.ts';
import type { GoalRow, Goals } from '../../api/stats.ts';
import { changeView, reportQuery, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { number, percent } from '../format.ts';
import { Answer, Empty } from '../parts/states.tsx';
import { fileName } from './csv.ts';
import { Download } from './download.tsx';
import { Card } from './panel.tsx';
import { SettingsLink } from './settings-link.tsx';
import { toggled } from './toggle-filter.ts';
import { targetOf } from './words.ts';

type Props = { domain: string; view: View; site: Site | undefined };

function GoalLine({ goal, view, isMain }: { goal: GoalRow; view: View; isMain: boolean }) {
  const { type, value, visitors, conversions, conversion_rate } = goal;
  const id = String(goal.id);
  const isOn = view.filters.goal === id;
  return (
    <tr class={isOn ? 'on' : ''}>
      <th scope="row">
        <button
          type="button"
          class="value"
          title={value}
          aria-pressed={isOn}
          onClick={() => changeView({ filters: toggled(view.filters, 'goal', id) })}
        >
          {value}
        </button>
        <span class="note">
          {targetOf(type)}
          {isMain ? <strong> · main goal</strong> : null}
        </span>
      </th>
      <td class="number">{number(visitors)}</td>
      <td class="number times">{number(conversions)}</td>
      <td class="number">{percent(conversion_rate)}</td>
    </tr>
  );
}

function Body({ domain, view, site }: Props) {
  const loaded = useData<Goals>(sitePath(domain, '/stats/goals'), reportQuery(view));
  return (
    <div class="body">
      <Answer of={loaded} lines={8}>
        {({ from, to, goals }) =>
          goals.length === 0 ? (
            <Empty title="No goals yet">
              <p>A goal is a page or an event that visitors should reach.</p>
              <SettingsLink site={site} part="goals">
                Add a goal
              </SettingsLink>
            </Empty>
          ) : (
            <>
              <div class="long">
                <table class="goals">
                  <thead>
                    <tr>
                      <th scope="col">Goal</th>
                      <th scope="col" class="number">
                        Visitors
                      </th>
                      <th scope="col" class="number times" title="Conversions: how often the goal was reached">
                        Times
                      </th>
                      <th scope="col" class="number" title="Conversion rate: how many of all visitors reached the goal">
                        Rate
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {goals.map((goal) => (
                      <GoalLine key={goal.id} goal={goal} view={view} isMain={goal.id === site?.main_goal_id} />
                    ))}
                  </tbody>
                </table>
              </div>
              <footer>
                <Download
                  title="Goals"
                  of={{
                    name: fileName(domain, 'goals', { from, to }),
                    rows: () => [
                      ['Type', 'Goal', 'Visitors', 'Conversions', 'Conversion rate'],
                      ...goals.map((goal) => [
                        goal.type,
                        goal.value,
                        goal.visitors,
                        goal.conversions,
                        goal.conversion_rate,
                      ]),
                    ],
                  }}
                />
              </footer>
            </>
          )
        }
      </Answer>
    </div>
  );
}

export function GoalsPanel(props: Props) {
  return (
    <Card id="goals" title="Goals" view={props.view}>
      {(view) => <Body {...props} view={view} />}
    </Card>
  );
}
