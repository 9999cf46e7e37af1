// Adds the users and sites of the demo to an empty database file, without visits. past.ts makes the visits.
//
// Example: from the scenarios of a bakery and a manual, `furnish` makes one user with two sites. Each site has its
// goals, funnels and notes. cli/demo.ts calls `furnish`.
import { DAY, formatDay } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { acceptInvitation, findInvitation, inviteMember } from '../store/people/team.ts';
import { addUser } from '../store/people/users.ts';
import { changeCurrency } from '../store/sites/currency.ts';
import { addFunnel } from '../store/sites/funnels.ts';
import { addGoal } from '../store/sites/goals.ts';
import { addNote } from '../store/sites/notes.ts';
import { addSite, changeMainGoal, changeShareSlug, changeSwitch } from '../store/sites/sites.ts';
import { DAYS, type Scenario } from './scenario.ts';

const OWNER = 'demo@example.com';

type Furnished = { userId: number; accountId: number; sites: { id: number; scenario: Scenario }[] };

/**
 * Adds a user with the sites of the scenarios. Each site gets its goals, funnels and notes, but no visits. Only the
 * first site gets a share link.
 */
export const furnish = (
  db: Db,
  scenarios: readonly Scenario[],
  { now, slug }: { now: number; slug: string },
): Furnished =>
  db.write(() => {
    const { id: userId, accountId } = addUser(db, { email: OWNER, password: null, now });
    const sites = scenarios.map((scenario) => {
      const id = addSite(db, {
        accountId,
        domain: scenario.domain,
        timeZone: scenario.timeZone,
        now: now - DAYS * DAY,
      });
      changeSwitch(db, id, 'places', true);
      changeSwitch(db, id, 'track_vitals', true);
      changeCurrency(db, id, scenario.currency);
      const [main] = scenario.goals.map((goal) => addGoal(db, id, goal, now));
      changeMainGoal(db, id, main?.id ?? null);
      for (const funnel of scenario.funnels) addFunnel(db, id, funnel, now);
      const today = findZone(scenario.timeZone).dayAt(now);
      for (const { on, text } of scenario.notes) {
        addNote(db, id, { date: formatDay((today - on) * DAY), text, url: null, effect: false }, now);
      }
      return { id, scenario };
    });
    if (sites[0]) changeShareSlug(db, sites[0].id, slug);
    return { userId, accountId, sites };
  });

/**
 * Adds a viewer of all sites of the demo. Visitors of the public demo act as this user. `secret` is the secret of the
 * viewer's invitation. The invitation is made and accepted here, so nobody else can accept it.
 */
export const addGuest = (
  db: Db,
  { accountId, now, secret }: { accountId: number; now: number; secret: string },
): number =>
  db.write(() => {
    const { id, email } = addUser(db, { email: 'guest@example.com', password: null, now });
    inviteMember(db, { accountId, owner: OWNER, email, role: 'viewer', secret, now });
    const invitation = findInvitation(db, secret, now);
    if (invitation) acceptInvitation(db, invitation, id);
    return id;
  });
