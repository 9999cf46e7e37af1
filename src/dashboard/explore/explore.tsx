// The page "Explore" answers a question of the user: figures by up to three keys. A key is a dimension, a property or a
// time. The page shows the figures as rows, as a pivot or as a chart. The URL contains the question. So people can send
// the question as a link, and save it as a view. The question has the range and the filters of the report.
//
// Example: `?explore=1&by=channel,week&metrics=revenue` asks for the revenue of each channel in each week. The table
// has a row for each pair of channel and week. The chart has a line for each channel.
//
// pages/site.tsx shows `Explore` in place of the reports.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Goal } from '../../api/goals.ts';
import { isTimeKey } from '../../stats/table-keys.ts';
import { changeView, sitePath } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { Guard } from '../ui/error-boundary.tsx';
import { focusBack } from '../ui/focus.ts';
import { Answer } from '../ui/loaded.tsx';
import { Builder } from './builder.tsx';
import { Chooser } from './chooser.tsx';
import { GroupList } from './group-list.tsx';
import { OverTime } from './over-time.tsx';
import { PivotTable } from './pivot-table.tsx';
import { chooseFigure, readQuestion } from './question.ts';
import { ResultTable } from './result-table.tsx';

/**
 * Changes the URL from a question back to the reports. The range and the filters of the report stay. Groups of filters
 * are removed.
 */
const NO_QUESTION = { explore: false, by: '', pivot: false, metrics: '', conversions: '', any: '', sort: '' };

export function Explore() {
  const { domain, currency, mainGoal } = useSiteScope();
  const goals = useData<Goal[]>(sitePath(domain, '/goals'));
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The button that opened this page has disappeared with the report. So the heading gets the focus.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
    return () => queueMicrotask(() => focusBack(null));
  }, []);
  const isReady = currency !== undefined && mainGoal !== undefined && (goals.data ?? goals.error) !== undefined;
  return (
    <section class="explore" aria-labelledby="explore">
      <header class="explore-head">
        <h2 id="explore" ref={heading} tabIndex={-1}>
          {t('Explore')}
        </h2>
        <button type="button" class="plain" onClick={() => changeView(NO_QUESTION)}>
          ← {t('Reports')}
        </button>
      </header>
      {isReady ? <Question goals={goals.data ?? []} /> : <Answer of={goals}>{() => null}</Answer>}
    </section>
  );
}

function Question({ goals }: { goals: readonly Goal[] }) {
  const { view, currency = null, mainGoal } = useSiteScope();
  const [chosen, main] = [Number(view.conversions), mainGoal].map((id) => goals.find((goal) => goal.id === id));
  const goal = chosen ?? main ?? goals[0];
  const has = { goal: goal !== undefined, currency: currency !== null };
  const question = readQuestion(view, has);
  const asked = { view, goal: goal?.id, currency };
  const { by, isPivot } = question;
  return (
    <>
      <div class="card explore-question">
        <Builder {...{ question, has, goals, goal }} />
        <GroupList />
      </div>
      {by.length === 0 && <Chooser />}
      {view.chart === 'line' && by.some(isTimeKey) && (
        <Guard>
          <OverTime key={chooseFigure(question)} {...{ asked, question }} />
        </Guard>
      )}
      <Guard>
        {isPivot ? (
          <PivotTable key={by.join()} {...{ asked, question }} />
        ) : (
          <ResultTable key={by.join()} {...{ asked, question }} />
        )}
      </Guard>
    </>
  );
}
