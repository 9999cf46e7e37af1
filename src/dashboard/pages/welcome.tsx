// The welcome page stands in place of the reports until a site has its first visit. It shows the snippet to paste, and
// waits for the first visit. When the first visit has arrived, the page calls `onVisit`, and the reports are shown.
//
// Example: the user adds example.com, pastes the snippet and opens a page. Within three seconds the page shows the
// visit. site.tsx shows `Welcome`.

import { useEffect } from 'preact/hooks';
import type { Drops, Realtime } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { sitePath } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { NothingArrives } from '../settings/nothing-arrives.tsx';
import { SnippetLine } from '../settings/snippet.tsx';
import { Link } from '../ui/link.tsx';
import { LiveText } from '../ui/live-text.tsx';
import { withParts } from '../ui/with-parts.ts';

const POLL_SECONDS = 9;

type Props = { site: Site; onVisit(): void };

export function Welcome({ site, onVisit }: Props) {
  const { domain, snippet } = site;
  return (
    <section class="card welcome">
      <h2>{t('Add this snippet to every page of {domain}', { domain })}</h2>
      <p>
        {withParts(t('Paste this line into your pages, anywhere before {head}. Then open one of the pages.'), {
          head: <code>{'</head>'}</code>,
        })}
      </p>
      <SnippetLine site={site} snippet={snippet} />
      {site.role === 'viewer' ? null : (
        <Link href={sitePath(domain, '/settings/general')} class="button">
          {t('Where to paste it')}
        </Link>
      )}
      <FirstVisit site={site} onVisit={onVisit} />
      {site.role === 'viewer' ? null : (
        <p class="soft">
          {withParts(t('To import visits from another product, run {command} on the server.'), {
            command: <code>daybook import {domain} FILE</code>,
          })}
        </p>
      )}
    </section>
  );
}

function FirstVisit({ site, onVisit }: Props) {
  const { domain } = site;
  const live = useData<Realtime>(sitePath(domain, '/stats/realtime'), {}, 3);
  const drops = useData<Drops>(sitePath(domain, '/stats/drops'), { range: 'today' }, POLL_SECONDS);
  const hasVisit = (live.data?.visitors ?? 0) > 0;
  useEffect(() => {
    if (!hasVisit) return undefined;
    const timer = setTimeout(onVisit, 2_000);
    return () => clearTimeout(timer);
  }, [hasVisit, onVisit]);
  return (
    <>
      <LiveText isLive={hasVisit} role="status">
        {t(hasVisit ? 'The snippet works. Your first visit was counted.' : 'Waiting for the first visit …')}
      </LiveText>
      {!hasVisit && <NothingArrives site={site} drops={drops.data?.drops ?? []} pollSeconds={POLL_SECONDS} />}
    </>
  );
}
