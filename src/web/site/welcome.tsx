import { useEffect } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { Drops, Realtime } from '../../api/stats.ts';
import { sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { Copy } from '../parts/copy.tsx';
import { DroppedToday } from '../settings/dropped-today.tsx';

type Props = { site: Site; onHit(): void };

/** A new site: what to put into its pages, and whether it works. */
export function Welcome({ site: { domain, snippet }, onHit }: Props) {
  return (
    <section class="card welcome">
      <h2>Put this into every page of {domain}</h2>
      <p>
        Paste this line into your pages, anywhere before <code>{'</head>'}</code>. Then open one of them.
      </p>
      <Copy text={snippet} label="the snippet" />
      <Waiting domain={domain} onHit={onHit} />
    </section>
  );
}

function Waiting({ domain, onHit }: { domain: string; onHit(): void }) {
  const now = useData<Realtime>(sitePath(domain, '/stats/realtime'), {}, 3);
  const drops = useData<Drops>(sitePath(domain, '/stats/drops'), { range: 'today' }, 9);
  const isThere = (now.data?.visitors ?? 0) > 0;
  useEffect(() => {
    if (!isThere) return undefined;
    const timer = setTimeout(onHit, 2_000);
    return () => clearTimeout(timer);
  }, [isThere, onHit]);
  return (
    <>
      <p class={isThere ? 'working live' : 'working'} role="status">
        {isThere ? 'It works. The first visit has been counted.' : 'Is it working? Waiting for the first visit.'}
      </p>
      {!isThere && drops.data && <DroppedToday drops={drops.data.drops} isOpen />}
    </>
  );
}
