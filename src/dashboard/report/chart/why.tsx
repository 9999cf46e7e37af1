// The dialog "Why?" explains why visitors, visits, pageviews or conversions changed. The dialog names the groups of
// visitors that make up most of the difference. It also says whether the difference may be chance. A click on a group
// filters the report by the conditions of this group, such as "Country is Germany".
//
// Invariant: the URL says which change is explained. So people can send a link to an explanation, and the cards of
// sites lead to one. A row is explained for the days that its change compares (row-changes.ts).
//
// Example: "Country is Germany, Channel is Organic Search: 300 → 480, +180. 90% of the difference."
//
// figure-list.tsx shows `WhyButton` next to the change of a figure. summary.tsx and explore/result-table.tsx show the
// dialog, which rows of panels and of the page "Explore" open too.

import type { Explanation } from '../../../api/explain.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { changeView, NO_WHY, reportQuery, sitePath, viewOf } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { conditionTexts } from '../../core/conditions.ts';
import { added } from '../../core/filters.ts';
import { number, percent, signedNumber, spanText } from '../../core/format.ts';
import { useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import type { FilterName, Filters } from '../../core/view.ts';
import { compareQuery } from '../../dates/comparison.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { closeDetails } from '../details/details-address.ts';
import { periodsIn, writePeriods } from '../model/row-changes.ts';

type By = Explanation['by'];
type Reason = Explanation['reasons'][number];

const TITLES: Record<By, DashboardMessage> = {
  visitors: 'Why did the visitors change?',
  visits: 'Why did the visits change?',
  pageviews: 'Why did the pageviews change?',
  conversions: 'Why did the conversions change?',
};

const VERDICTS: Record<Explanation['verdict'], DashboardMessage> = {
  explained: 'Most of the difference comes from:',
  unsure: 'One group of visitors stands out. But chance alone can cause such a difference:',
  even: 'All groups of visitors changed by about the same share. So no group explains the difference.',
  chance: 'No group of visitors stands out. The difference may be chance.',
};

export const WhyButton = ({ by }: { by: By }) => (
  <button
    type="button"
    class="why"
    aria-haspopup="dialog"
    aria-label={t(TITLES[by])}
    onClick={() => changeView({ why: by, row: '' })}
  >
    {t('Why?')}
  </button>
);

/** Shows the dialog if the URL names a figure. For conversions, `goal` is the id of their goal. */
export function WhyDialog({ goal }: { goal?: string | undefined }) {
  const { why: by } = useSiteScope().view;
  if (by === '' || (by === 'conversions' && goal === undefined)) return null;
  return (
    <Dialog title={t(TITLES[by])} onClose={() => changeView(NO_WHY, 'replace')}>
      <WhyAnswer by={by} goal={goal} />
    </Dialog>
  );
}

function WhyAnswer({ by, goal }: { by: By; goal: string | undefined }) {
  const { domain, view, today } = useSiteScope();
  // The conversion rate does not apply a filter by a goal (model/conversion.ts). A row applies it.
  const { goal: _, ...others } = view.filters;
  const ofRow = viewOf(view.row).filters;
  const filters = { ...(by === 'conversions' && view.row === '' ? others : view.filters), ...ofRow };
  const answer = useData<Explanation>(sitePath(domain, '/stats/explain'), {
    ...reportQuery({ ...view, filters }),
    ...(view.row === '' ? compareQuery(view, today) : writePeriods(periodsIn(view, today))),
    ...{ by, ...(goal !== undefined && by === 'conversions' && { goal }) },
  });
  const choose = (reason: Reason) => {
    changeView({ ...NO_WHY, filters: addAll({ ...view.filters, ...ofRow }, reason) });
    if (view.details !== '') closeDetails();
  };
  return (
    <>
      {view.row !== '' && <p>{writeConditions(ofRow)}</p>}
      <Answer of={answer} lines={5}>
        {(explanation) => <Explained explanation={explanation} onChoose={choose} />}
      </Answer>
    </>
  );
}

const writeConditions = (filters: Filters): string =>
  conditionTexts(Object.fromEntries(Object.entries(filters).map(([name, is]) => [name, { is }])) as Conditions).join(
    ', ',
  );

type Conditions = Parameters<typeof conditionTexts>[0];

const addAll = (filters: Filters, { filters: own }: Reason): Filters =>
  Object.entries(own).reduce((all, [name, value]) => added(all, name as FilterName, value ?? ''), filters);

type ExplainedProps = { explanation: Explanation; onChoose(reason: Reason): void };

export function Explained({
  explanation: { from, to, total, previous, difference, verdict, reasons, properties },
  onChoose,
}: ExplainedProps) {
  return (
    <div class="why-answer">
      <p class="soft">
        {number(previous.total)} → {number(total)} ({signedNumber(difference)})
        <br />
        <span class="small">
          {spanText(previous)} → {spanText({ from, to })}
        </span>
      </p>
      <p>{t(VERDICTS[verdict])}</p>
      <ol>
        {reasons.map((reason) => (
          <li key={JSON.stringify(reason.filters)}>
            <button type="button" title={t('Filter the report by this group')} onClick={() => onChoose(reason)}>
              <b>{conditionTexts(reason.filters as Conditions).join(', ')}</b>
              <ReasonBar {...reason} />
              <span class="soft small">
                {number(reason.previous)} → {number(reason.total)} ({signedNumber(reason.difference)})
                {reason.share !== null && ` · ${t('{share} of the difference', { share: percent(reason.share) })}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {properties.left_out.length > 0 && (
        <p class="soft small" title={properties.left_out.join(', ')}>
          {plural(
            properties.left_out.length,
            '{count} property that is used less was not tried.',
            '{count} properties that are used less were not tried.',
          )}
        </p>
      )}
    </div>
  );
}

/**
 * Draws the bar of a reason, which is a group of visitors. The bar shows the group's share of the difference. If the
 * share is above 100 %, the bar is full.
 */
const ReasonBar = ({ share, difference }: Reason) => (
  <span class="why-bar" aria-hidden="true">
    <span class={difference < 0 ? 'is-less' : ''} style={{ inlineSize: `${Math.min(100, Math.abs(share ?? 0))}%` }} />
  </span>
);
