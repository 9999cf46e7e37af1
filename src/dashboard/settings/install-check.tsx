// The check says whether hits of a site arrive. For a site without hits, it asks the server every 3 s, and a lamp before the
// text blinks. Below it is advice for a site whose hits do not arrive (nothing-arrives.tsx).
// general.tsx shows `InstallCheck`.

import { useEffect, useState } from 'preact/hooks';
import type { Drops, Overview, Realtime } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { useData } from '../core/api.ts';
import { apiPath } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Answer } from '../ui/loaded.tsx';
import { DroppedToday } from './dropped-today.tsx';
import { NothingArrives } from './nothing-arrives.tsx';

/**
 * The seconds between two checks. Each check sends two requests, so there are 40 in a minute. This is a third of the
 * requests that the API allows.
 */
const POLL_SECONDS = 3;
const SEEN_SECONDS = 9;

export function InstallCheck({ site }: { site: Site }) {
  const month = useData<Overview>(apiPath(site, '/stats/overview'));
  return (
    <Block title={t('Installation check')}>
      <Answer of={month} lines={1}>
        {({ pageviews }) => <HitCheck site={site} pageviews={pageviews} />}
      </Answer>
    </Block>
  );
}

function HitCheck({ site, pageviews }: { site: Site; pageviews: number }) {
  const [isWaiting, setWaiting] = useState(pageviews === 0);
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
        {hasArrived
          ? plural(
              visitors,
              'The snippet works: {count} visitor in the last five minutes.',
              'The snippet works: {count} visitors in the last five minutes.',
            )
          : isWaiting
            ? t('Waiting for a hit. Open {domain} in another tab. The hit appears here within seconds.', {
                domain: site.domain,
              })
            : plural(
                pageviews,
                'The snippet works: {count} pageview in the last 30 days.',
                'The snippet works: {count} pageviews in the last 30 days.',
              )}
      </p>
      {live.error && <p class="form-error">{live.error.message}</p>}
      {isWorking && !hasArrived && (
        <button type="button" onClick={() => setWaiting(true)}>
          {t('Wait for the next hit')}
        </button>
      )}
      {isWorking && drops.data && <DroppedToday drops={drops.data.drops} isOpen={false} />}
      {!isWorking && <NothingArrives site={site} drops={drops.data?.drops ?? []} pollSeconds={SEEN_SECONDS} />}
    </div>
  );
}
