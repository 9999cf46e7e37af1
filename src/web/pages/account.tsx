import { boot } from '../boot.ts';
import { LanguagePart } from '../settings/language.tsx';
import { PasswordPart } from '../settings/password.tsx';
import { PlanPart } from '../settings/plan.tsx';
import { ServerPart } from '../settings/server.tsx';
import { SessionsPart } from '../settings/sessions.tsx';
import { TabbedPage } from '../settings/tabbed-page.tsx';
import { TeamPart } from '../settings/team.tsx';
import { TokensPart } from '../settings/tokens.tsx';
import { NotFoundPage } from './not-found.tsx';

const PARTS = {
  tokens: TokensPart,
  team: TeamPart,
  sessions: SessionsPart,
  plan: PlanPart,
  password: PasswordPart,
  language: LanguagePart,
  server: ServerPart,
};
const { server, ...OF_EVERYBODY }: Record<keyof typeof PARTS, string> = {
  tokens: 'Tokens',
  team: 'Team',
  sessions: 'Sessions',
  plan: 'Plan',
  password: 'Password',
  language: 'Language',
  server: 'Server',
};
const NAMES: Record<string, string> = boot.server ? { ...OF_EVERYBODY, server } : OF_EVERYBODY;

const pathOf = (key: string): string => (key === 'server' ? '/server' : `/account/${key}`);

/** The settings of whoever is signed in, and for the owner of the server those of the server. */
export function AccountPage({ part }: { part: string }) {
  if (!Object.hasOwn(NAMES, part)) return <NotFoundPage />;
  const Part = PARTS[part as keyof typeof PARTS];
  return (
    <TabbedPage title="Account" about={boot.email} names={NAMES} part={part} pathOf={pathOf}>
      <Part key={part} />
    </TabbedPage>
  );
}
