import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GoalRow } from '../../../../src/api/answers.ts';
import { GoalTable } from '../../../../src/dashboard/report/panels/goals.tsx';
import { renderIn, SCOPE, textIn, VIEW } from '../../components.tsx';

const GOALS: GoalRow[] = [
  { id: 1, type: 'page', value: '/thanks', visitors: 2, conversions: 3, conversion_rate: 40 },
  { id: 2, type: 'event', value: 'signup', visitors: 0, conversions: 0, conversion_rate: 0 },
];

test('a goal has its visitors, how often it was reached, and its rate; one is the main goal', () => {
  const html = renderIn(
    { ...SCOPE, view: { ...VIEW, filters: { goal: ['2'] } } },
    <GoalTable goals={GOALS} mainGoal={1} />,
  );
  assert.equal(
    textIn(html),
    'Goal Visitors Conversions Rate /thanks Page · main goal 2 visitors 3 conversions 40.0% signup Event 0 visitors 0 conversions 0.0%',
  );
  assert.deepEqual(
    [...html.matchAll(/class="panel-bar" style="width:\s*([\d.]+%)/g)].map(([, width]) => width),
    ['100%', '0%'],
  );
  assert.deepEqual(
    [...html.matchAll(/aria-pressed="(\w+)"/g)].map(([, pressed]) => pressed),
    ['false', 'true'],
  );
});

test('goals: a goal with a property says which', () => {
  const goal: GoalRow = {
    ...{ id: 3, type: 'event', value: 'signup', property: { name: 'plan', value: 'pro' } },
    ...{ visitors: 1, conversions: 1, conversion_rate: 10 },
  };
  assert.match(textIn(renderIn(SCOPE, <GoalTable goals={[goal]} mainGoal={null} />)), /signup with plan = pro Event 1/);
});

test('goals: on a site with a currency, each has its revenue, and an unknown one has a dash', () => {
  const goals = [
    { ...GOALS[0], revenue: '1234.50' },
    { ...GOALS[1], revenue: null },
  ] as GoalRow[];
  const html = renderIn({ ...SCOPE, currency: 'EUR' }, <GoalTable goals={goals} mainGoal={1} />);
  assert.match(textIn(html), /^Goal Visitors Conversions Rate Revenue .* 40\.0% €1,235 signup .* 0\.0% –$/);
  assert.match(html, /title="€1,234\.50"/);
});
