import type { DashboardMessage } from '../../lang/dashboard.ts';
import { AuditPart } from '../account/audit.tsx';
import { ClusterPart } from '../account/cluster.tsx';
import { PersonPart } from '../account/person.tsx';
import { PlanPart } from '../account/plan.tsx';
import { ServerPart } from '../account/server.tsx';
import { SessionsPart } from '../account/sessions.tsx';
import { TeamPart } from '../account/team.tsx';
import { TokensPart } from '../account/tokens.tsx';
import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { TabbedPage } from '../ui/tabbed-page.tsx';
import { NotFoundPage } from './not-found.tsx';

const PARTS = {
  you: PersonPart,
  sessions: SessionsPart,
  team: TeamPart,
  tokens: TokensPart,
  changes: AuditPart,
  plan: PlanPart,
  server: ServerPart,
  cluster: ClusterPart,
};
const { server, cluster, ...OF_EVERYBODY }: Record<keyof typeof PARTS, DashboardMessage> = {
  you: 'You',
  sessions: 'Sessions',
  team: 'Team',
  tokens: 'Tokens',
  changes: 'Changes',
  plan: 'Plan',
  server: 'Server',
  cluster: 'Cluster',
};
const NAMES: Record<string, DashboardMessage> = {
  ...OF_EVERYBODY,
  ...(boot.server && { server }),
  ...(boot.cluster && { cluster }),
};

const pathOf = (key: string): string => (key === 'server' || key === 'cluster' ? `/${key}` : `/account/${key}`);

/**
 * The page of the user's account. In a public demo, everybody shares one account that nobody can change. So the
 * demo does not have this page.
 */
export function AccountPage({ part }: { part: string }) {
  if (boot.isPublicDemo || !Object.hasOwn(NAMES, part)) return <NotFoundPage />;
  const Part = PARTS[part as keyof typeof PARTS];
  return (
    <TabbedPage title={t('Account')} about={boot.email} names={NAMES} part={part} pathOf={pathOf}>
      <Part key={part} />
    </TabbedPage>
  );
}
