// The form that chooses where journeys start: at the entry pages, at a goal, or at a page. In place of a page, a
// pattern such as /guide/* is allowed. The URL has the choice.
//
// Example: after a click on the goal with the id 3, the URL has `journey=goal:3`. journeys.tsx shows `JourneyStart`.

import { useState } from 'preact/hooks';
import type { Breakdown } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { OTHER } from '../../../stats/dimensions.ts';
import { changeView, reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { nameTarget } from '../../core/goal-types.ts';
import { keptPath, readablePath } from '../../core/readable.ts';
import { useSiteScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';

const PAGE = 'page';
const LIST = 'journey-pages';

/**
 * Tells whether journeys start at a goal, which the URL names as the API does: `goal:3`. An empty text stands for the
 * entry pages.
 */
export const isGoal = (journey: string): boolean => journey.startsWith('goal:');

const isOfPage = (journey: string): boolean => journey !== '' && !isGoal(journey);

export function JourneyStart({ goals }: { goals: readonly Goal[] }) {
  const { view } = useSiteScope();
  const { journey } = view;
  const [isTyping, setTyping] = useState(false);
  const choose = (value: string) => {
    setTyping(value === PAGE);
    if (value !== PAGE) changeView({ journey: value, ...(value === '' && { direction: 'after' }) });
  };
  return (
    <div class="form-actions">
      <label class="panel-choice">
        {t('Start at')}
        <select
          value={isTyping || isOfPage(journey) ? PAGE : journey}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">{t('Entry pages')}</option>
          <option value={PAGE}>{t('A page')}</option>
          {goals.map((goal) => (
            <option key={goal.id} value={`goal:${goal.id}`}>
              {t('Goal {name}', { name: nameTarget(goal) })}
            </option>
          ))}
        </select>
      </label>
      {(isTyping || isOfPage(journey)) && <PageField key={journey} onDone={() => setTyping(false)} />}
    </div>
  );
}

function PageField({ onDone }: { onDone(): void }) {
  const { view, domain } = useSiteScope();
  const { journey } = view;
  const [typed, setTyped] = useState(isOfPage(journey) ? readablePath(journey) : '');
  const pages = useData<Breakdown>(sitePath(domain, '/stats/breakdown/pages'), { ...reportQuery(view), limit: '100' });
  const submit = (event: Event) => {
    event.preventDefault();
    onDone();
    changeView({ journey: keptPath(typed.trim()) });
  };
  return (
    <form class="form-actions" onSubmit={submit}>
      <input
        type="text"
        required
        style={{ width: '11rem' }}
        pattern="[\/*].*"
        maxLength={1_024}
        aria-label={t('Page or pattern')}
        title={t('A page such as /pricing, or a pattern such as /guide/*')}
        placeholder="/pricing"
        list={LIST}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <datalist id={LIST}>
        {pages.data?.rows.map(({ value }) => value !== OTHER && <option key={value} value={readablePath(value)} />)}
      </datalist>
      <button type="submit">{t('Show')}</button>
    </form>
  );
}
