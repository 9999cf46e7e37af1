import { useEffect, useState } from 'preact/hooks';
import type { Drops, Overview, Realtime } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { useData } from '../api.ts';
import { counted } from '../format.ts';
import { Answer } from '../parts/answer.tsx';
import { Block } from './block.tsx';
import { DroppedToday } from './dropped-today.tsx';
import { apiPath, scriptOf } from './site-part.ts';

/** With two requests each time it takes a third of the requests that are allowed in a minute. */
const POLL_SECONDS = 3;

/** Whether hits arrive. For a site that has none yet it waits for the first. */
export function InstallCheck({ site }: { site: Site }) {
  const month = useData<Overview>(apiPath(site, '/stats/overview'));
  return (
    <Block title="Is it working?">
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
          ? `It works: ${counted(visitors, 'visitor')} in the last five minutes.`
          : isWaiting
            ? `Waiting for a hit. Open ${site.domain} in another tab; it shows here within seconds.`
            : `It works: ${counted(pageviews, 'pageview')} in the last 30 days.`}
      </p>
      {live.error && <p class="form-error">{live.error.message}</p>}
      {isWorking && !hasArrived && (
        <button type="button" onClick={() => setWaiting(true)}>
          Wait for the next hit
        </button>
      )}
      {drops.data && <DroppedToday drops={drops.data.drops} isOpen={!isWorking} />}
      {!isWorking && <Troubleshooting site={site} />}
    </div>
  );
}

function Troubleshooting({ site }: { site: Site }) {
  const { origin } = scriptOf(site);
  return (
    <details>
      <summary>Nothing arrives?</summary>
      <ul class="install-check-advice">
        <li>An ad blocker in your own browser may stop the script. Try a browser without one.</li>
        <li>The page must be on {site.domain} or a subdomain of it. Hits from other hosts are not counted.</li>
        <li>On localhost nothing is counted, unless the snippet has the attribute data-local.</li>
        <li>
          A cache or a content delivery network may still send the pages without the snippet. Look for data-site in the
          source of a page.
        </li>
        <li>
          If the pages send a Content-Security-Policy, its script-src and connect-src must allow <code>{origin}</code>.
        </li>
        <li>
          If you once opened the site with #daybook-off, this browser is left out. Opening it with #daybook-on counts it
          again.
        </li>
      </ul>
    </details>
  );
}
