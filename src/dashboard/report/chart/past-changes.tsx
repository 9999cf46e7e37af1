// A line below the figures, which says that figures of past days have changed since the user last looked. For example,
// somebody has excluded visits. A click opens the list of changes. Then the browser remembers that the user has seen
// these changes.
//
// Invariant: only this browser stores which changes the user has seen. The line names only changes of days that the
// page shows.
//
// Example: on Monday the user sees 1,320 visitors in March, and on Tuesday 1,200. The line says "Visitors −120". The
// list says who excluded visits, when, and on how many days. summary.tsx shows the line on pages of one site, but not
// on pages that a share link opened.

import { useState } from 'preact/hooks';
import type { Changes, PastChange } from '../../../api/changes.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { number, signedNumber, spanText, time } from '../../core/format.ts';
import { useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';

export function PastChanges() {
  const { domain, view } = useSiteScope();
  const [seen, setSeen] = useState(() => readSeen(domain));
  const [opened, setOpened] = useState<PastChange[]>();
  const asked = useData<Changes>(sitePath(domain, '/changes'), { range: view.range, after: String(seen ?? 0) });
  const found = asked.isStale ? undefined : asked.data;
  // If this browser has never shown the site, only changes after the last report by e-mail are new.
  const fresh = (found?.changes ?? []).filter(
    ({ at }) => seen !== undefined || (found?.mailed_at != null && at > found.mailed_at),
  );
  const isQuiet = fresh.every(({ days }) => days === 0);
  if (found && seen === undefined && fresh.length === 0) writeSeen(domain, found.latest);
  const open = () => {
    setOpened(fresh);
    writeSeen(domain, found?.latest ?? 0);
  };
  const close = () => {
    setOpened(undefined);
    setSeen(readSeen(domain) ?? 0);
  };
  return (
    <>
      {!isQuiet && (
        <p class="past-changes small">
          {sayChange(fresh)}{' '}
          <button type="button" class="plain small" onClick={open}>
            {t('What changed?')}
          </button>
        </p>
      )}
      {opened && (
        <Dialog title={t('Changes of past days')} onClose={close}>
          <ul class="past-changes-list">
            {opened.map((one) => (
              <PastChangeItem key={one.id} change={one} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

const NAMES = { visitors: 'Visitors', visits: 'Visits', pageviews: 'Pageviews', events: 'Events' } as const;
type FigureName = keyof typeof NAMES;
const FIGURES = Object.keys(NAMES) as FigureName[];

/**
 * Says by how much all changes together have changed the figures. Two changes may cancel each other out. Then no figure
 * is named.
 */
function sayChange(changes: readonly PastChange[]): string {
  const figures = FIGURES.flatMap((name) => {
    const sum = changes.reduce((sum, { before, after }) => sum + (after?.[name] ?? 0) - (before?.[name] ?? 0), 0);
    return sum === 0 ? [] : [`${t(NAMES[name])} ${signedNumber(sum)}`];
  });
  return figures.length === 0
    ? t('Past days have changed since you last looked.')
    : t('Past days have changed since you last looked: {figures}.', { figures: figures.join(', ') });
}

const REASONS: Record<PastChange['reason'], DashboardMessage> = {
  exclusion_added: 'Visits were excluded',
  exclusion_removed: 'Excluded visits count again',
  import_added: 'Hits were imported',
  import_removed: 'An import was removed',
  days_removed: 'Days were deleted',
  late_hits: 'Hits came late',
  retention: 'Hits were deleted after their retention',
  goal_added: 'A goal was added',
  goal_changed: 'A goal was changed',
  goal_removed: 'A goal was deleted',
  setting_changed: 'A setting was changed',
};

/**
 * The reasons of changes that affect only goals and revenue. `setting_changed` is about the main goal, the currency, or
 * the URL parameters that belong to a page. Such a change does not change the counts of visitors, visits and pageviews.
 * So it has no figures in the list.
 */
const OF_GOALS = new Set<PastChange['reason']>(['goal_added', 'goal_changed', 'goal_removed', 'setting_changed']);

function PastChangeItem({ change }: { change: PastChange }) {
  const { reason, name, by, at, from, to, days, before, after } = change;
  const who = by && (by.email ? `${by.email}${by.token ? ` (${by.token})` : ''}` : t('Command on the server'));
  return (
    <li>
      <p>
        <b>{t(REASONS[reason])}</b>
        {name !== null && <span class="soft">: {name}</span>}
      </p>
      <p class="soft small">{[time(at), who, spanText({ from, to })].filter(Boolean).join(' · ')}</p>
      {!OF_GOALS.has(reason) && (
        <p class="small">
          {days === null
            ? t('It is not known by how much.')
            : days === 0
              ? t('No figure of these days has changed.')
              : plural(days, '{count} day: {figures}', '{count} days: {figures}', {
                  figures: FIGURES.filter((figure) => before?.[figure] !== after?.[figure])
                    .map(
                      (figure) =>
                        `${t(NAMES[figure])} ${number(before?.[figure] ?? 0)} → ${number(after?.[figure] ?? 0)}`,
                    )
                    .join(', '),
                })}
        </p>
      )}
    </li>
  );
}

const keyOf = (domain: string): string => `daybook-changes ${domain}`;

/**
 * Reads the id of the latest change that the user has seen. Returns undefined if this browser has not shown the site
 * yet.
 */
function readSeen(domain: string): number | undefined {
  try {
    const stored = localStorage.getItem(keyOf(domain));
    return stored === null ? undefined : Number(stored) || 0;
  } catch {
    return undefined;
  }
}

function writeSeen(domain: string, latest: number): void {
  try {
    localStorage.setItem(keyOf(domain), String(latest));
  } catch {
    // If the browser forbids storage, the page always behaves as if it had never shown this site.
  }
}
