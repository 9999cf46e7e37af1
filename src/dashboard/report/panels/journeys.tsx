// The panel of journeys: which pages visits saw next after a start, or before it. The start is the entry pages, a page,
// a pattern of pages, or a goal. The URL has the start and the direction.
//
// Example: 40 visits saw the start page. 15 of them saw /pricing next, and 12 ended. A click on /pricing shows what
// these 15 visits saw next. secondary-panels.tsx shows `JourneysPanel`.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Goal } from '../../../api/goals.ts';
import type { Journeys } from '../../../api/journeys.ts';
import { isAnyLeftOut } from '../../../stats/left-out.ts';
import { changeView, reportQuery, sitePath } from '../../core/address.ts';
import { type Loaded, useData } from '../../core/api.ts';
import { number, percent } from '../../core/format.ts';
import { nameTarget } from '../../core/goal-types.ts';
import { readablePath } from '../../core/readable.ts';
import { useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import { Empty } from '../../ui/empty.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Tabs, tabId, tabPanelId } from '../../ui/tabs.tsx';
import { Download } from '../details/download.tsx';
import { type Column, layOut, listNodes, type Node } from '../model/journey-layout.ts';
import { JourneyColumns, nameEntry } from './journey-columns.tsx';
import { isGoal, JourneyStart } from './journey-start.tsx';
import { Panel } from './panel.tsx';

const ID = 'journeys';
const [USUAL_STEPS, MOST_STEPS] = [3, 5];
const [FEW, MANY] = [5, 20];

export function JourneysPanel() {
  return (
    <Panel id={ID} title={t('Journeys')} class="is-wide">
      <Body />
    </Panel>
  );
}

/** Scrolls this panel into view if the start has changed, because a click in another panel may have changed it. */
function useShown(start: string): void {
  const shown = useRef(start);
  useEffect(() => {
    if (shown.current === start) return;
    shown.current = start;
    // When a dialog closes, an element on the page gets the focus, and the browser scrolls there. So the page scrolls
    // to the panel only after that.
    requestAnimationFrame(() => document.getElementById(`panel-${ID}`)?.scrollIntoView({ block: 'nearest' }));
  }, [start]);
}

function Body() {
  const { domain, view } = useSiteScope();
  const { journey, direction } = view;
  useShown(journey);
  const goals = useData<Goal[]>(sitePath(domain, '/goals')).data ?? [];
  const isEntry = journey === '';
  return (
    <div class="panel-body">
      <div class="form-actions" style={{ justifyContent: 'space-between' }}>
        <JourneyStart goals={goals} />
        {isEntry ? null : (
          <Tabs
            of={ID}
            label={t('Direction')}
            tabs={[
              { id: 'after', label: t('Next pages') },
              { id: 'before', label: t('Pages before') },
            ]}
            selected={direction}
            onSelect={(chosen: typeof direction) => changeView({ direction: chosen }, 'replace')}
          />
        )}
      </div>
      <div {...(isEntry ? {} : { role: 'tabpanel', id: tabPanelId(ID), 'aria-labelledby': tabId(ID, direction) })}>
        <LoadedJourney key={`${journey} ${direction}`} root={nameRoot(journey, goals)} />
      </div>
    </div>
  );
}

function nameRoot(journey: string, goals: readonly Goal[]): string {
  if (journey === '') return t('All visits');
  const goal = goals.find(({ id }) => journey === `goal:${id}`);
  return goal ? nameTarget(goal) : readablePath(journey);
}

function LoadedJourney({ root }: { root: string }) {
  const { domain, view } = useSiteScope();
  const { journey, direction } = view;
  const [steps, setSteps] = useState(USUAL_STEPS);
  const [limit, setLimit] = useState(FEW);
  const report = useData<Journeys>(sitePath(domain, '/stats/journeys'), {
    ...reportQuery(view),
    ...(journey === '' ? {} : { from: journey, direction }),
    ...{ steps: String(steps), limit: String(limit) },
  });
  return (
    <JourneyReport
      of={report}
      root={root}
      onStep={steps < MOST_STEPS ? () => setSteps(steps + 1) : undefined}
      onMore={limit < MANY ? () => setLimit(MANY) : undefined}
    />
  );
}

type Props = {
  of: Loaded<Journeys>;
  root: string;
  /** Shows one more step. This function is undefined if `MOST_STEPS` steps are shown. The API allows no more. */
  onStep: (() => void) | undefined;
  onMore: (() => void) | undefined;
};

export function JourneyReport({ of, root, onStep, onMore }: Props) {
  const { view } = useSiteScope();
  const isBefore = view.direction === 'before';
  const [path, setPath] = useState<readonly string[]>([]);
  return (
    <Answer of={of} lines={8}>
      {({ from, to, root: tree, notice_codes: notices }) => {
        if (tree.visits === 0) {
          return isAnyLeftOut(notices) ? <Empty title={t('Not available for these days')} /> : <Nothing />;
        }
        const columns = layOut(tree, path);
        const chosen = columns.slice(1).flatMap(({ entries }) => entries.filter(({ isChosen }) => isChosen));
        const [first] = chosen.slice(Math.max(0, path.length - 1));
        return (
          <>
            <p>
              {sayRoot(tree, view.journey)} <span class="soft small">{t('Choose a page to follow its visits.')}</span>
            </p>
            <JourneyColumns
              {...{ columns, root, isBefore, onMore }}
              onReset={() => setPath([])}
              onChoose={(level, value) => setPath([...chosen.slice(0, level).map((one) => one.value), value])}
            />
            <JourneyTable columns={columns} root={root} isBefore={isBefore} />
            <footer class="panel-foot">
              {first ? (
                <button type="button" class="plain" onClick={() => changeView({ journey: first.value })}>
                  {t('Journeys from {page}', { page: readablePath(first.value) })}
                </button>
              ) : null}
              {onStep && columns.length > USUAL_STEPS ? (
                <button type="button" class="plain" onClick={onStep}>
                  {t('Show another step')}
                </button>
              ) : null}
              <Download title={t('Journeys')} file={{ name: ID, span: { from, to }, rows: () => csvRows(tree) }} />
            </footer>
          </>
        );
      }}
    </Answer>
  );
}

function sayRoot({ visits, share }: Node, journey: string): string {
  const values = { share: percent(share) };
  if (journey === '')
    return plural(visits, '{count} visit began on one of these pages.', '{count} visits began on these pages.');
  return isGoal(journey)
    ? plural(
        visits,
        '{count} visit reached this goal: {share} of all visits.',
        '{count} visits reached this goal: {share} of all visits.',
        values,
      )
    : plural(
        visits,
        '{count} visit saw this page: {share} of all visits.',
        '{count} visits saw this page: {share} of all visits.',
        values,
      );
}

const Nothing = () => (
  <Empty title={t('No visits start here on these days.')}>
    <p>{t('Choose a page or a goal. You then see where its visits went, or where they came from.')}</p>
  </Empty>
);

/** Writes the content of the columns as a table for screen readers. */
function JourneyTable({ columns, root, isBefore }: { columns: readonly Column[]; root: string; isBefore: boolean }) {
  return (
    <div class="unseen">
      <table>
        <caption>{t('Journeys')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Step')}</th>
            <th scope="col">{t('Page')}</th>
            <th scope="col">{t('Visits')}</th>
            <th scope="col">{t('Share')}</th>
            <th scope="col">{isBefore ? t('Began here') : t('Ended here')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.flatMap(({ entries }, step) =>
            entries.map((entry) => (
              <tr key={`${step} ${entry.kind} ${entry.value}`}>
                <td>{number(step)}</td>
                <th scope="row">{nameEntry(entry, root, isBefore)}</th>
                <td>{number(entry.visits)}</td>
                <td>{percent(entry.share)}</td>
                <td>{number(entry.ended)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

const csvRows = (root: Node) => [
  ['Step', 'Pages', 'Visits', 'Share (percent)', 'Ended'],
  ...listNodes(root).map(({ step, way, node }) => [step, way.join(' > '), node.visits, node.share, node.ended]),
];
