// This text helps if no hit of a site is counted. The text first shows the last request with this site's snippet, and why the server
// dropped the request. Then it shows today's dropped hits and general advice.
// install-check.tsx and welcome.tsx show `NothingArrives`.

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
          ? t('The server has seen no request of a page with this snippet since it was started.')
          : last.dropped === null
            ? t('The last request came {time} and was counted.', { time: time(last.at) })
            : t('The last request came {time}; it was not counted: {name}. {why}', {
                time: time(last.at),
                ...dropReason(last.dropped),
              })}
      </p>
      {foreign && (
        <p class="bad">
          {t('A page on {host} has this snippet, but that is neither {domain} nor a subdomain of it.', {
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
      <summary>{t('Nothing arrives?')}</summary>
      <ul class="nothing-arrives-advice">
        <li>{t('An ad blocker in your own browser may stop the script. Try a browser without one.')}</li>
        <li>
          {t('The page must be on {domain} or a subdomain of it. Hits from other hosts are not counted.', {
            domain: site.domain,
          })}
        </li>
        <li>
          {t(
            'On localhost nothing is counted, unless the snippet has the attribute data-local. The console of the browser says so.',
          )}
        </li>
        <li>
          {t(
            'A cache or a content delivery network may still send the pages without the snippet. Look for data-site in the source of a page.',
          )}
        </li>
        <li>
          {withParts(
            t('If the pages send a Content-Security-Policy, its script-src and connect-src must allow {origin}.'),
            { origin: <code>{origin}</code> },
          )}
        </li>
        <li>
          {t(
            'If you once opened the site with #daybook-off, this browser is left out. Opening it with #daybook-on counts it again.',
          )}
        </li>
      </ul>
    </details>
  );
}
