import { boot } from '../boot.ts';
import { Password } from '../settings/password.tsx';
import { Plan } from '../settings/plan.tsx';
import { Server } from '../settings/server.tsx';
import { Sessions } from '../settings/sessions.tsx';
import { Tabbed } from '../settings/tabbed.tsx';
import { Team } from '../settings/team.tsx';
import { Tokens } from '../settings/tokens.tsx';
import { Nowhere } from './nowhere.tsx';

const PARTS = { tokens: Tokens, team: Team, sessions: Sessions, plan: Plan, password: Password, server: Server };
const { server, ...OF_EVERYBODY }: Record<keyof typeof PARTS, string> = {
  tokens: 'Tokens',
  team: 'Team',
  sessions: 'Sessions',
  plan: 'Plan',
  password: 'Password',
  server: 'Server',
};
const NAMES: Record<string, string> = boot.server ? { ...OF_EVERYBODY, server } : OF_EVERYBODY;

const pathOf = (key: string): string => (key === 'server' ? '/server' : `/account/${key}`);

/** What belongs to whoever is signed in, not to a site. */
export function Account({ part }: { part: string }) {
  if (!Object.hasOwn(NAMES, part)) return <Nowhere />;
  const Part = PARTS[part as keyof typeof PARTS];
  return (
    <Tabbed title="Account" about={boot.email} names={NAMES} part={part} pathOf={pathOf}>
      <Part key={part} />
    </Tabbed>
  );
}
