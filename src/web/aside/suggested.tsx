import { useState } from 'preact/hooks';
import type { Draft } from '../../api/suggestions.ts';
import { sitePath } from '../address.ts';
import { send, useData } from '../api.ts';
import { day } from '../format.ts';
import { FormError, useSubmit } from '../parts/form.tsx';
import type { Point } from '../site/points.ts';
import type { Span } from '../site/range.ts';
import { plural, retold, t } from '../texts.ts';
import { conditionTexts } from './conditions.ts';
import { standingOut } from './standing-out.ts';

const KEY = 'daybook-no';
const MOST_KEPT = 100;

/** Browsers may forbid storage; then a No lasts as long as the page. */
function refused(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

function refuse(name: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...refused(), name].slice(-MOST_KEPT)));
  } catch {}
}

type Props = { domain: string; span: Span; points: readonly Point[] };

/** What may be set aside of a day that stands out. Nothing happens unless somebody says so, and a No is not asked again. */
export function Suggested({ domain, span, points }: Props) {
  const date = standingOut(span, points);
  const path = sitePath(domain, '/exclusions');
  const drafts = useData<Draft[]>(date && `${path}/suggestions`, date ? { date } : {});
  const [answered, setAnswered] = useState<readonly string[]>(refused);
  const nameOf = ({ from, filters }: Draft) => `${domain} ${from} ${JSON.stringify(filters)}`;
  const draft = drafts.isStale ? undefined : drafts.data?.find((one) => !answered.includes(nameOf(one)));
  if (!date || !draft) return null;
  const { from, to, filters, note } = draft;
  return (
    <SuggestedDraft
      key={nameOf(draft)}
      draft={draft}
      points={points}
      setAside={async () => {
        await send('POST', path, { from, to, filters, note });
        // Every figure of the page is another now.
        location.reload();
      }}
      onNo={() => {
        refuse(nameOf(draft));
        setAnswered([...answered, nameOf(draft)]);
      }}
    />
  );
}

type DraftProps = { draft: Draft; points: readonly Point[]; setAside(): Promise<unknown>; onNo(): void };

export function SuggestedDraft({ draft, points, setAside, onNo }: DraftProps) {
  const { isBusy, error, run } = useSubmit();
  const { from, filters, visits, visitors, pageviews, note } = draft;
  return (
    <section class="card suggested" aria-label={t('A suggestion')}>
      {/* One line until somebody opens it, because it lies over the page. */}
      <details>
        <summary>
          {plural(visits, '{count} visit of {day} look alike:', '{count} visits of {day} look alike:', {
            day: day(from),
          })}{' '}
          <span class="soft">{conditionTexts(filters).join(', ')}</span>
        </summary>
        <SuggestedBars draft={draft} points={points} />
        <p class="soft small">
          {retold(note.replace(/^Suggested: /, ''))}{' '}
          {t('Setting them aside takes {visitors} and {pageviews} out of all reports; you can put them back.', {
            visitors: plural(visitors, '{count} visitor', '{count} visitors'),
            pageviews: plural(pageviews, '{count} pageview', '{count} pageviews'),
          })}
        </p>
        <FormError error={error} />
        <div class="form-actions">
          <button type="button" class="primary" aria-disabled={isBusy} onClick={() => run(setAside)}>
            {t('Set them aside')}
          </button>
          <button type="button" onClick={onNo}>
            {t('No')}
          </button>
        </div>
      </details>
    </section>
  );
}

const [WIDTH, HEIGHT] = [300, 48];

/** The visitors of the days around, with those that would go. */
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
      aria-label={t('Visitors by day; of {day}, {visitors} would go', { day: day(from), visitors })}
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
