// The dialog "Why?" explains why visitors, visits, pageviews or conversions changed. The dialog names the groups of
// visitors that make up most of the difference. It also says whether the difference may be chance. A click on a group
// filters the report by the conditions of this group, such as "Country is Germany".
//
// Example: "Country is Germany, Channel is Organic Search: 300 → 480, +180. 90% of the difference."
//
// figure-list.tsx shows `Why` next to the change of a figure.

import { useState } from 'preact/hooks';
import type { Explanation } from '../../../api/explain.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { conditionTexts } from '../../core/conditions.ts';
import { added } from '../../core/filters.ts';
import { number, percent, signedNumber } from '../../core/format.ts';
import { useChangeFilters, useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import type { FilterName, Filters } from '../../core/view.ts';
import { compareQuery } from '../../dates/comparison.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Answer } from '../../ui/loaded.tsx';

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

/** The button "Why?" with its dialog. For conversions, `goal` is the id of their goal. */
export function Why({ by, goal }: { by: By; goal?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="why" aria-haspopup="dialog" aria-label={t(TITLES[by])} onClick={() => setOpen(true)}>
        {t('Why?')}
      </button>
      {isOpen && (
        <Dialog title={t(TITLES[by])} onClose={() => setOpen(false)}>
          <WhyAnswer by={by} {...(goal !== undefined && { goal })} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function WhyAnswer({ by, goal, onClose }: { by: By; goal?: string; onClose(): void }) {
  const { domain, view, today } = useSiteScope();
  const changeFilters = useChangeFilters();
  const { goal: _, ...others } = view.filters;
  const filters = by === 'conversions' ? others : view.filters;
  const answer = useData<Explanation>(sitePath(domain, '/stats/explain'), {
    ...reportQuery({ ...view, filters }),
    ...compareQuery(view, today),
    ...{ by, ...(goal !== undefined && { goal }) },
  });
  const choose = (reason: Reason) => {
    changeFilters(addAll(view.filters, reason));
    onClose();
  };
  return (
    <Answer of={answer} lines={5}>
      {(explanation) => <Explained explanation={explanation} onChoose={choose} />}
    </Answer>
  );
}

const addAll = (filters: Filters, { filters: own }: Reason): Filters =>
  Object.entries(own).reduce((all, [name, value]) => added(all, name as FilterName, value ?? ''), filters);

type ExplainedProps = { explanation: Explanation; onChoose(reason: Reason): void };

export function Explained({
  explanation: { total, previous, difference, verdict, reasons, properties },
  onChoose,
}: ExplainedProps) {
  return (
    <div class="why-answer">
      <p class="soft">
        {number(previous.total)} → {number(total)} ({signedNumber(difference)})
      </p>
      <p>{t(VERDICTS[verdict])}</p>
      <ol>
        {reasons.map((reason) => (
          <li key={JSON.stringify(reason.filters)}>
            <button type="button" title={t('Filter the report by this group')} onClick={() => onChoose(reason)}>
              <b>{conditionTexts(reason.filters as Parameters<typeof conditionTexts>[0]).join(', ')}</b>
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
