import { useEffect, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { Drops, Overview, Realtime } from '../../api/stats.ts';
import { plural } from '../../lib/plural.ts';
import { useData } from '../api.ts';
import { number } from '../format.ts';
import { Answer } from '../parts/states.tsx';
import { Block } from './block.tsx';
import { DroppedToday } from './dropped-today.tsx';
import { apiPath, scriptOf } from './part.ts';

/** Short enough to wait for, and a third of the requests that a minute allows, with the two that are asked each time. */
const EVERY_SECONDS = 3;

/** Whether hits arrive. A site that has none yet is watched until the first comes. */
export function Check({ site }: { site: Site }) {
  const month = useData<Overview>(apiPath(site, '/stats/overview'));
  return (
    <Block title="Is it working?">
      <Answer of={month} lines={1}>
        {({ pageviews }) => <Watch site={site} pageviews={pageviews} />}
      </Answer>
    </Block>
  );
}

function Watch({ site, pageviews }: { site: Site; pageviews: number }) {
  const [isWatching, setWatching] = useState(pageviews === 0);
  const every = isWatching ? EVERY_SECONDS : 0;
  const now = useData<Realtime>(isWatching ? apiPath(site, '/stats/realtime') : undefined, {}, every);
  const drops = useData<Drops>(apiPath(site, '/stats/drops'), { range: 'today' }, every);
  const visitors = now.data?.visitors ?? 0;
  useEffect(() => {
    if (visitors > 0) setWatching(false);
  }, [visitors]);
  const isDone = visitors > 0;
  const isHappy = isDone || !isWatching;
  return (
    <div class="check">
      <p class={`lamp ${isHappy ? 'on' : 'waiting'}`} role="status">
        {isDone
          ? `It works: ${plural(visitors, 'visitor', number)} in the last five minutes.`
          : isWatching
            ? `Waiting for a hit. Open ${site.domain} in another tab; it shows here within seconds.`
            : `It works: ${plural(pageviews, 'pageview', number)} in the last 30 days.`}
      </p>
      {now.error && <p class="fault">{now.error.message}</p>}
      {isHappy && !isDone && (
        <button type="button" onClick={() => setWatching(true)}>
          Wait for the next hit
        </button>
      )}
      {drops.data && <DroppedToday drops={drops.data.drops} isOpen={!isHappy} />}
      {!isHappy && <Advice site={site} />}
    </div>
  );
}

function Advice({ site }: { site: Site }) {
  const { origin } = scriptOf(site);
  return (
    <details>
      <summary>Nothing arrives?</summary>
      <ul class="advice">
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
