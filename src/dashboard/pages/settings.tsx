// The settings of a site have parts, such as goals and sharing. Each part has its own URL, such as
// /sites/example.com/settings/goals. A viewer sees all parts but can change nothing. So each part gets `mayChange`.
// main.tsx shows `SettingsPage` for the route `settings`.

import type { Site } from '../../api/sites.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { sitePath } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { ExclusionsPart } from '../exclusions/exclusions.tsx';
import { BlocksPart } from '../settings/blocks.tsx';
import { CollectionPart } from '../settings/collection.tsx';
import { DeletionPart } from '../settings/deletion.tsx';
import { FunnelsPart } from '../settings/funnels.tsx';
import { GeneralPart } from '../settings/general.tsx';
import { GoalsPart } from '../settings/goals.tsx';
import { NotesPart } from '../settings/notes.tsx';
import { NotificationsPart } from '../settings/notifications.tsx';
import { SharingPart } from '../settings/sharing.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Link } from '../ui/link.tsx';
import { Answer } from '../ui/loaded.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TabbedPage } from '../ui/tabbed-page.tsx';
import { NotFoundPage } from './not-found.tsx';
import { SiteNotFound } from './site-not-found.tsx';

const DataPart = lazy(async () => (await import('../settings/data.tsx')).DataPart, { waiting: <Skeleton lines={8} /> });

const PARTS = {
  general: GeneralPart,
  collection: CollectionPart,
  goals: GoalsPart,
  funnels: FunnelsPart,
  notes: NotesPart,
  exclusions: ExclusionsPart,
  blocks: BlocksPart,
  notifications: NotificationsPart,
  sharing: SharingPart,
  data: DataPart,
  deletion: DeletionPart,
};
const NAMES: Record<keyof typeof PARTS, DashboardMessage> = {
  general: 'General',
  collection: 'Collection',
  goals: 'Goals',
  funnels: 'Funnels',
  notes: 'Notes',
  exclusions: 'Excluded visits',
  blocks: 'Blocks',
  notifications: 'Notifications',
  sharing: 'Sharing',
  data: 'Data',
  deletion: 'Deletion',
};

export function SettingsPage({ domain, part }: { domain: string; part: string }) {
  const site = useData<Site>(sitePath(domain));
  if (!Object.hasOwn(PARTS, part)) return <NotFoundPage />;
  if (site.error?.status === 404) return <SiteNotFound domain={domain} />;
  const Part = PARTS[part as keyof typeof PARTS];
  return (
    <TabbedPage
      title={domain}
      about={
        <>
          {t('Settings')} · <Link href={sitePath(domain)}>{t('Reports')}</Link>
        </>
      }
      names={NAMES}
      part={part}
      pathOf={(key) => sitePath(domain, `/settings/${key}`)}
    >
      <Answer of={site} lines={8}>
        {(data) => (
          <>
            {data.role === 'viewer' && (
              <p class="card">{t('You have read-only access. A manager or the owner can make changes.')}</p>
            )}
            <Part key={part} site={data} reload={site.reload} mayChange={data.role !== 'viewer'} />
          </>
        )}
      </Answer>
    </TabbedPage>
  );
}
