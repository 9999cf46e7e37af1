// Advice while a page waits for a hit of the site. First comes the last request that the site's snippet sent. If the
// server dropped this request, the reason follows. A warning names another host that uses the snippet. Then come
// today's dropped hits and general advice. install-check.tsx and pages/welcome.tsx show `NothingArrives`.

import type { Drops } from '../../api/answers.ts';
import type { Arrivals } from '../../api/arrivals.ts';
import type { Site } from '../../api/sites.ts';
import { useData } from '../core/api.ts';
import { dropReason } from '../core/drop-reasons.ts';
import { time } from '../core/format.ts';
import { apiPath, scriptOf } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { withParts } from '../ui/with-parts.ts';
import { DroppedToday } from './dropped-today.tsx';

type Props = { site: Site; drops: Drops['drops']; pollSeconds: number };

export function NothingArrives({ site, drops, pollSeconds }: Props) {
  const { data } = useData<Arrivals>(apiPath(site, '/arrivals'), {}, pollSeconds);
  return (
    <>
      {data && <Seen seen={data} domain={site.domain} />}
      <DroppedToday drops={drops} isOpen />
      <Advice site={site} />
    </>
  );
}

export function Seen({ seen: { last, foreign }, domain }: { seen: Arrivals; domain: string }) {
  return (
    <div class="nothing-arrives-seen" aria-live="polite">
      <p>
        {last === null
          ? t('Since the last server start, no page with this snippet has sent a request.')
          : last.dropped === null
            ? t('Last request: {time}. It was counted.', { time: time(last.at) })
            : t('Last request: {time}. It was not counted. Reason: {name}. {why}', {
                time: time(last.at),
                ...dropReason(last.dropped),
              })}
      </p>
      {foreign && (
        <p class="bad">
          {t('A page on {host} uses this snippet. This host is not {domain} or one of its subdomains.', {
            host: foreign.host,
            domain,
          })}
        </p>
      )}
    </div>
  );
}

function Advice({ site }: { site: Site }) {
  const { origin } = scriptOf(site);
  return (
    <details>
      <summary>{t('No hits?')}</summary>
      <ul class="nothing-arrives-advice">
        <li>{t('An ad blocker in your browser may block the script. Try a browser without one.')}</li>
        <li>
          {t('The page must be on {domain} or one of its subdomains. Hits from other hosts are not counted.', {
            domain: site.domain,
          })}
        </li>
        <li>
          {t(
            'A cache or CDN may still serve old pages without the snippet. Search for data-site in the source of a page.',
          )}
        </li>
        <li>
          {withParts(
            t('If your pages send a Content-Security-Policy, script-src and connect-src must allow {origin}.'),
            { origin: <code>{origin}</code> },
          )}
        </li>
        <li>
          {t(
            'If you opened the site with #daybook-off, this browser is not counted. Open it with #daybook-on to count it again.',
          )}
        </li>
      </ul>
    </details>
  );
}
