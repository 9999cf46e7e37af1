import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { tokenSecret } from '../src/lib/secrets.ts';
import { openStore } from '../src/store/open.ts';
import { addSite } from '../src/store/sites.ts';
import { acceptInvitation, findInvitation, inviteMember } from '../src/store/team.ts';
import { type Ability, addToken } from '../src/store/tokens.ts';
import { addUser } from '../src/store/users.ts';
import { program, type Server } from '../test/program.ts';

type Plan = { sites?: string[]; flags?: string[]; env?: Record<string, string> };

export type Served = {
  server: Server;
  db: string;
  folder: string;
  /** Of the owner of the sites, to read and to change. */
  token: string;
  /** Of somebody who manages the sites of the owner, under an id that nobody guesses. */
  manager: string;
  /** In the order of their domains. */
  siteIds: number[];
};

const UNGUESSED = 987_654_321_012_345;

/** The real program, with an owner, their sites and their manager in its file. */
export async function serving(
  t: TestContext,
  { sites = ['example.com'], flags = [], env = {} }: Plan,
): Promise<Served> {
  const { serve, db: path, folder } = program(t);
  const { db, close } = openStore(path);
  const now = Math.floor(Date.now() / 1000);
  const tokenOf = (userId: number, abilities: Ability[]) => {
    const secret = tokenSecret(randomBytes);
    return { secret, id: addToken(db, { userId, name: 'test', abilities, secret, now }).id };
  };
  const { siteIds, token, manager } = db.write(() => {
    const owner = addUser(db, { email: 'owner@example.com', password: null, now });
    const member = addUser(db, { email: 'manager@example.com', password: null, now });
    const secret = tokenSecret(randomBytes);
    inviteMember(db, {
      accountId: owner.accountId,
      owner: owner.email,
      email: member.email,
      role: 'manager',
      secret,
      now,
    });
    const invitation = findInvitation(db, secret, now);
    if (invitation) acceptInvitation(db, invitation, member.id);
    const own = tokenOf(owner.id, ['write']);
    const other = tokenOf(member.id, ['write']);
    db.run('UPDATE token SET id = ? WHERE id = ?', UNGUESSED, other.id);
    return {
      siteIds: sites.map((domain) => addSite(db, { accountId: owner.accountId, domain, now })),
      token: `${own.id}|${own.secret}`,
      manager: `${UNGUESSED}|${other.secret}`,
    };
  });
  close();
  return { server: await serve(flags, { env }), db: path, folder, token, manager, siteIds };
}
