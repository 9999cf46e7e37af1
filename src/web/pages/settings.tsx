import { sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { Link } from '../parts/link.tsx';
import { Show } from '../parts/states.tsx';
import { Deletion } from '../settings/deletion.tsx';
import { Funnels } from '../settings/funnels.tsx';
import { General } from '../settings/general.tsx';
import { Goals } from '../settings/goals.tsx';
import { Notes } from '../settings/notes.tsx';
import { Sharing } from '../settings/sharing.tsx';
import { Tabbed } from '../settings/tabbed.tsx';
import type { SiteData } from '../shapes.ts';
import { Nowhere } from './nowhere.tsx';

const PARTS = { general: General, goals: Goals, funnels: Funnels, notes: Notes, sharing: Sharing, deletion: Deletion };
const NAMES: Record<keyof typeof PARTS, string> = {
  general: 'General',
  goals: 'Goals',
  funnels: 'Funnels',
  notes: 'Notes',
  sharing: 'Sharing',
  deletion: 'Deletion',
};

/** What can be changed about a site. */
export function Settings({ domain, part }: { domain: string; part: string }) {
  const site = useData<SiteData>(sitePath(domain));
  if (!Object.hasOwn(PARTS, part)) return <Nowhere />;
  const Part = PARTS[part as keyof typeof PARTS];
  return (
    <Tabbed
      title={domain}
      about={
        <>
          Settings · <Link href={sitePath(domain)}>Reports</Link>
        </>
      }
      names={NAMES}
      part={part}
      pathOf={(key) => sitePath(domain, `/settings/${key}`)}
    >
      <Show of={site} lines={8}>
        {(data) => (
          <>
            {data.role === 'viewer' && (
              <p class="card">You may look here. To change something, ask a manager or the owner of this site.</p>
            )}
            <Part key={part} site={data} again={site.again} mayChange={data.role !== 'viewer'} />
          </>
        )}
      </Show>
    </Tabbed>
  );
}
