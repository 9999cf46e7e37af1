import { useEffect, useRef, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { Realtime } from '../../api/stats.ts';
import { sitePath } from '../address.ts';
import { ApiError, useData } from '../api.ts';
import { change, compact, number } from '../format.ts';
import { Link } from '../parts/link.tsx';
import type { Figures } from './card-figures.ts';
import { Sparkline } from './sparkline.tsx';

const NOW_EVERY = 15;

/** Whether an element can be seen, or nearly. */
function useInView(margin = '200px') {
  const element = useRef<HTMLLIElement>(null);
  const [isInView, set] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => set(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: margin,
    });
    if (element.current) watch.observe(element.current);
    return () => watch.disconnect();
  }, [margin]);
  return { element, isInView };
}

function Change({ value }: { value: number | null }) {
  if (value === null) return null;
  return (
    <span class={`site-change ${value > 0 ? 'good' : value < 0 ? 'bad' : 'soft'}`}>
      {change(value)}
      <span class="unseen"> on the 30 days before</span>
    </span>
  );
}

function Nothing({ site: { domain, role } }: { site: Site }) {
  return (
    <p class="soft site-nothing">
      Nothing counted lately.
      {role === 'viewer' ? null : (
        <Link href={sitePath(domain, '/settings/general')} class="site-check">
          Check the snippet
        </Link>
      )}
    </p>
  );
}

function Counts({ figures }: { figures: Figures }) {
  const { visitors, points } = figures;
  return (
    <>
      <p class="site-count">
        <span class="site-visitors" title={number(visitors)}>
          {compact(visitors)}
        </span>{' '}
        <span class="soft">{visitors === 1 ? 'visitor' : 'visitors'}</span> <Change value={figures.change} />
      </p>
      <Sparkline points={points} />
    </>
  );
}

type Props = { site: Site; figures: Figures | ApiError | undefined; onSeen(domain: string): void };

/** A site at a glance; it asks for nothing before somebody can see it. */
export function SiteCard({ site, figures, onSeen }: Props) {
  const { domain, role } = site;
  const { element, isInView } = useInView();
  const { data: now } = useData<Realtime>(isInView ? sitePath(domain, '/stats/realtime') : undefined, {}, NOW_EVERY);
  useEffect(() => {
    if (isInView) onSeen(domain);
  }, [isInView, domain, onSeen]);
  return (
    <li class="card site-card" ref={element}>
      <h2>
        <Link href={sitePath(domain)}>{domain}</Link>
      </h2>
      <p class={now?.visitors ? 'site-now' : 'site-now soft'}>{now ? `${number(now.visitors)} now` : ' '}</p>
      <div class="site-figures">
        {figures === undefined ? (
          <span class="site-waiting" />
        ) : figures instanceof ApiError ? (
          <p class="soft">{figures.message}</p>
        ) : figures.visitors === 0 && figures.change === null ? (
          <Nothing site={site} />
        ) : (
          <Counts figures={figures} />
        )}
      </div>
      {role === 'owner' ? null : <p class="site-role soft">You are {role} here</p>}
    </li>
  );
}
