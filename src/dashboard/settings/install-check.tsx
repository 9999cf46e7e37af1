// The installation check says whether hits of a site arrive. The check waits for a hit if the last 30 days had no
// visitors, or if the user asks for it. While the check waits, the page asks the server every 3 s, and a dot before the
// text blinks. Advice is below the text (nothing-arrives.tsx). Imported days do not count here, because they say
// nothing about the snippet. general.tsx shows `InstallCheck`.
import { useEffect, useState } from 'preact/hooks';
import type { Drops, Realtime } from '../../api/answers.ts';
import type { DayReport } from '../../api/day-status.ts';
import type { Site } from '../../api/sites.ts';
import { sitePath } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { apiPath } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Link } from '../ui/link.tsx';
import { Answer } from '../ui/loaded.tsx';
import { withParts } from '../ui/with-parts.ts';
import { DroppedToday } from './dropped-today.tsx';
import { NothingArrives } from './nothing-arrives.tsx';

/**
 * While the page waits for a hit, it sends two requests every `POLL_SECONDS`. Every `SEEN_SECONDS`, it also asks which
 * request the snippet sent last. These are fewer than 50 requests a minute. By default, the API allows a session 1,200.
 */
const POLL_SECONDS = 3;
const SEEN_SECONDS = 9;

export function InstallCheck({ site }: { site: Site }) {
  const month = useData<DayReport>(apiPath(site, '/stats/days'));
  return (
    <Block title={t('Installation check')}>
      <Answer of={month} lines={3}>
        {({ days }) => <HitCheck site={site} monthVisitors={countVisitors(days)} />}
      </Answer>
    </Block>
  );
}

const countVisitors = (days: DayReport['days']): number =>
  days.reduce((sum, { visitors, import_id }) => (import_id === null ? sum + visitors : sum), 0);

function HitCheck({ site, monthVisitors }: { site: Site; monthVisitors: number }) {
  const [isWaiting, setWaiting] = useState(monthVisitors === 0);
  const pollSeconds = isWaiting ? POLL_SECONDS : 0;
  const live = useData<Realtime>(isWaiting ? apiPath(site, '/stats/realtime') : undefined, {}, pollSeconds);
  const drops = useData<Drops>(apiPath(site, '/stats/drops'), { range: 'today' }, pollSeconds);
  const visitors = live.data?.visitors ?? 0;
  useEffect(() => {
    if (visitors > 0) setWaiting(false);
  }, [visitors]);
  const hasArrived = visitors > 0;
  const isWorking = hasArrived || !isWaiting;
  return (
    <div class="install-check">
      <p class={isWorking ? 'install-check-lamp' : 'install-check-lamp is-waiting'} role="status">
        <span>
          {hasArrived
            ? plural(
                visitors,
                'The snippet works: {count} visitor in the last five minutes.',
                'The snippet works: {count} visitors in the last five minutes.',
              )
            : isWaiting
              ? withParts(t('Waiting for a hit. Open {domain} in another tab. The hit appears here within seconds.'), {
                  domain: (
                    <a href={`//${site.domain}`} target="_blank" rel="noopener noreferrer">
                      {site.domain}
                    </a>
                  ),
                })
              : plural(
                  monthVisitors,
                  'The snippet works: {count} visitor in the last 30 days.',
                  'The snippet works: {count} visitors in the last 30 days.',
                )}
        </span>
      </p>
      {live.error && <p class="form-error">{live.error.message}</p>}
      {isWorking && (
        <div class="form-actions">
          {/* If the last 30 days had no visitors, the first new hit has just arrived. So the link opens the report of
              today. */}
          <Link href={sitePath(site.domain, monthVisitors === 0 ? '?range=today' : '')} class="button primary">
            {t('See your reports')}
          </Link>
          {!hasArrived && (
            <button type="button" onClick={() => setWaiting(true)}>
              {t('Wait for the next hit')}
            </button>
          )}
        </div>
      )}
      {isWorking && drops.data && <DroppedToday drops={drops.data.drops} isOpen={false} />}
      {!isWorking && <NothingArrives site={site} drops={drops.data?.drops ?? []} pollSeconds={SEEN_SECONDS} />}
    </div>
  );
}
