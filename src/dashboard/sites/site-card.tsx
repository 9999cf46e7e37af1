// A card of the site list. It shows a site's visitors in the last 30 days, and its visitors now. Only a card in or near
// the window sends requests. The whole card is a link to the report of the site. site-list.tsx shows `SiteCard`.
// all-sites-card.tsx shows `Visitors` for all sites together.

import { useEffect } from 'preact/hooks';
import type { Realtime } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { sitePath } from '../core/address.ts';
import { ApiError, useData } from '../core/api.ts';
import { change, compact, number } from '../core/format.ts';
import { plural, t } from '../core/texts.ts';
import { useInView } from '../ui/in-view.ts';
import { Link } from '../ui/link.tsx';
import type { CardFigures } from './card-figures.ts';
import { Sparkline } from './sparkline.tsx';

const POLL_SECONDS = 15;
/**
 * A card outside of the window begins to load when it is closer than this many pixels. So it is usually loaded when the
 * user has scrolled to it.
 */
const AHEAD = 200;

/** Shows the card of a site. `onInView` is called when the card comes into view, so that its figures are requested. */
export function SiteCard({ site, figures, onInView }: Props) {
  const { domain, role } = site;
  const [element, isInView] = useInView<HTMLLIElement>(AHEAD);
  const path = isInView ? sitePath(domain, '/stats/realtime') : undefined;
  const { data: live } = useData<Realtime>(path, {}, POLL_SECONDS);
  useEffect(() => {
    if (isInView) onInView(domain);
  }, [isInView, domain, onInView]);
  return (
    <li class="card site-card" ref={element}>
      <h2>
        <Link href={sitePath(domain)}>{domain}</Link>
      </h2>
      <p class={live?.visitors ? 'site-card-now' : 'site-card-now soft'}>
        {live ? t('{visitors} now', { visitors: number(live.visitors) }) : ' '}
      </p>
      <div class="site-card-figures">
        {figures === undefined ? (
          <span class="site-card-waiting" />
        ) : figures instanceof ApiError ? (
          <p class="soft">{figures.isUnreachable ? t('Not loaded') : figures.message}</p>
        ) : figures.visitors === 0 && figures.change === null ? (
          <NoVisitors site={site} />
        ) : (
          <Visitors figures={figures} domain={domain} />
        )}
      </div>
      {role === 'owner' ? null : <p class="site-card-role soft">{t(ROLES[role])}</p>}
    </li>
  );
}

function Change({ value }: { value: number | null }) {
  if (value === null) return null;
  return (
    <span class={`site-card-change ${value > 0 ? 'good' : value < 0 ? 'bad' : 'soft'}`}>
      {change(value)}
      <span class="unseen"> {t('compared with the previous 30 days, up to the same time of day')}</span>
    </span>
  );
}

function NoVisitors({ site: { domain, role } }: { site: Site }) {
  return (
    <p class="soft site-card-nothing">
      {t('No recent hits.')}
      {role === 'viewer' ? null : (
        <Link href={sitePath(domain, '/settings/general')} class="site-card-check">
          {t('Check the snippet')}
        </Link>
      )}
    </p>
  );
}

/** Shows the visitors and their change. A link explains the change, but only if the figures are of one site. */
export function Visitors({ figures: { visitors, change, points }, domain }: { figures: CardFigures; domain?: string }) {
  return (
    <>
      <p class="site-card-count">
        <span class="site-card-visitors" title={number(visitors)}>
          {compact(visitors)}
        </span>{' '}
        <span class="soft">{plural(visitors, 'visitor', 'visitors')}</span> <Change value={change} />
        {change !== null && domain !== undefined && (
          <Link
            href={sitePath(domain, '?why=visitors')}
            class="site-card-why"
            label={`${domain}: ${t('Why did the visitors change?')}`}
          >
            {t('Why?')}
          </Link>
        )}
      </p>
      <Sparkline points={points} />
    </>
  );
}

const ROLES = { viewer: 'You are a viewer', manager: 'You are a manager' } as const;

type Props = { site: Site; figures: CardFigures | ApiError | undefined; onInView(domain: string): void };
