// The sign at a day with unusual traffic. A click on the sign opens a suggestion. It names conditions that many visits
// of this day match, and says how the figures would change without these visits. Nothing is excluded before a user
// confirms this. If a user dismisses the suggestion, no user of the site sees it again. A day with a note never gets a
// sign.
//
// Example: 900 visits of one day come from spam.example. On other days, this source brings about 3 visits. The
// suggestion is to exclude this source on this day. chart.tsx shows `Suggested` over the chart.

import { useState } from 'preact/hooks';
import type { Draft } from '../../../api/suggestions.ts';
import { coded } from '../../../lang/coded.ts';
import { sitePath } from '../../core/address.ts';
import { send, useData } from '../../core/api.ts';
import { conditionTexts } from '../../core/conditions.ts';
import { day, number } from '../../core/format.ts';
import { useSiteScope } from '../../core/scope.ts';
import { said } from '../../core/server-text.ts';
import { plural, t } from '../../core/texts.ts';
import type { Span } from '../../dates/range.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import type { FigureName } from '../model/figures.ts';
import type { Point } from '../model/points.ts';
import { findOutlierDay } from './outlier-day.ts';

type Props = { span: Span; points: readonly Point[]; figure: FigureName; place(index: number): number };

export function Suggested({ span, points, figure, place }: Props) {
  const { domain } = useSiteScope();
  const [isOpen, setOpen] = useState(false);
  const date = findOutlierDay(span, points);
  const path = sitePath(domain, '/exclusions');
  const drafts = useData<Draft[]>(date && `${path}/suggestions`, date ? { date } : {});
  const draft = date === undefined || drafts.isStale ? undefined : drafts.data?.[0];
  const index = points.findIndex(({ span: { from } }) => from === date);
  return (
    <>
      {draft && index >= 0 && (
        <button
          type="button"
          class="suggested-sign"
          style={{ left: `${place(index)}%` }}
          title={titleOf(draft)}
          aria-label={titleOf(draft)}
          onClick={() => setOpen(true)}
        >
          !
        </button>
      )}
      {draft && isOpen && (
        <Dialog title={titleOf(draft)} onClose={() => setOpen(false)}>
          <SuggestedDraft
            draft={draft}
            points={points}
            figure={figure}
            exclude={async () => {
              const { from, to, filters, visits, usual } = draft;
              const note = said(coded('suggested', { visits, usual }), draft.note);
              await send('POST', path, { from, to, filters, note });
              // The exclusion may change all figures of the page, so the page is loaded again.
              location.reload();
            }}
            dismiss={async () => {
              await send('POST', `${path}/suggestions/dismissals`, { date: draft.from });
              setOpen(false);
              drafts.reload();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

const titleOf = ({ from }: Draft): string => t('Unusual traffic on {day}', { day: day(from) });

type DraftProps = {
  draft: Draft;
  points: readonly Point[];
  figure: FigureName;
  exclude(): Promise<unknown>;
  dismiss(): Promise<unknown>;
};

export function SuggestedDraft({ draft, points, figure, exclude, dismiss }: DraftProps) {
  const { isBusy, error, run } = useSubmit();
  const { filters, visits, visitors, pageviews, usual } = draft;
  return (
    <div class="suggested">
      <p>
        {plural(visits, '{count} visit matches these conditions:', '{count} visits match these conditions:')}{' '}
        <b>{conditionTexts(filters).join(', ')}</b>
      </p>
      {figure === 'visitors' && <SuggestedBars draft={draft} points={points} />}
      <p class="soft small">
        {plural(visits, '{count} similar visit (usually {usual}).', '{count} similar visits (usually {usual}).', {
          usual: number(usual),
        })}{' '}
        {t('This removes {visitors} and {pageviews} from all reports. You can undo it at any time.', {
          visitors: plural(visitors, '{count} visitor', '{count} visitors'),
          pageviews: plural(pageviews, '{count} pageview', '{count} pageviews'),
        })}
      </p>
      <FormError error={error} />
      <div class="form-actions">
        <button type="button" aria-disabled={isBusy} onClick={() => run(dismiss)}>
          {t('Dismiss')}
        </button>
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => run(exclude)}>
          {t('Exclude visits')}
        </button>
      </div>
    </div>
  );
}

const [WIDTH, HEIGHT] = [300, 48];

/** Draws a bar for the visitors of each day. Visitors that the exclusion would leave out have another colour. */
function SuggestedBars({ draft: { from, visitors }, points }: Pick<DraftProps, 'draft' | 'points'>) {
  const days = points.filter(({ interval }) => interval === 'day');
  if (!days.some(({ date }) => date === from)) return null;
  const scale = HEIGHT / Math.max(1, ...days.map(({ value }) => value ?? 0));
  const step = WIDTH / days.length;
  const sides = (i: number) => ({ x: (i + 0.1) * step, width: step * 0.8 });
  return (
    <svg
      class="suggested-bars"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Visitors per day. Visitors on {day} that would be excluded: {visitors}', {
        day: day(from),
        visitors,
      })}
    >
      {days.map(({ date, value }, i) => {
        const top = (value ?? 0) * scale;
        const gone = date === from ? Math.min(visitors * scale, top) : 0;
        return (
          <g key={date}>
            <rect {...sides(i)} y={HEIGHT - top + gone} height={top - gone} />
            {gone > 0 && <rect class="is-gone" {...sides(i)} y={HEIGHT - top} height={gone} />}
          </g>
        );
      })}
    </svg>
  );
}
