import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { makePasswords } from '../../src/auth/passwords.ts';
import { makeTokenSecret } from '../../src/lib/secrets.ts';
import { type Clock, seconds } from '../../src/lib/time.ts';
import type { Db } from '../../src/store/db.ts';
import { acceptInvitation, findInvitation, inviteMember, type MemberRole } from '../../src/store/people/team.ts';
import { type Ability, addToken } from '../../src/store/people/tokens.ts';
import { addUser, type User } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { type Answer, type Asking, cookieOf } from './requests.ts';

/** Cheap passwords: what they cost is not what most tests are about. */
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** The password that everybody in a test has. */
export const passwordOf = ({ email }: { email: string }): string => `password of ${email}`;

/** Somebody with a token. */
export type Person = User & { token: string; ask(method: string, path: string, body?: unknown): Promise<Answer> };

/** How people and sites come into an app. */
export type People = {
  person(email: string, abilities?: Ability[]): Promise<Person>;
  /** Another token of somebody. */
  tokenOf(person: User, abilities: Ability[]): string;
  /** Signs somebody in at a browser; gives the cookie. */
  signIn(person: User): Promise<string>;
  /** Shares a site; gives the secret of the link. */
  share(owner: Person, siteId: number): Promise<string>;
  join(owner: User, person: User, role: MemberRole, sites?: number[]): void;
  site(owner: User, domain: string): number;
};

type Asked = Pick<People, 'tokenOf'> & {
  db: Db;
  clock: Clock;
  ask(method: string, path: string, asking?: Asking): Promise<Answer>;
};

/** Somebody whose user and token are in an app. */
export const personIn = (app: () => Pick<Asked, 'ask'>, user: User, token: string): Person => ({
  ...user,
  token,
  ask: (method, path, body) => app().ask(method, `/api/v1${path}`, { token, body }),
});

/** The ways to put people and sites into an app. */
export function peopleOf(app: () => Asked): People {
  return {
    async person(email, abilities = ['read', 'write']) {
      const password = await makePasswords(CHEAP).hash(passwordOf({ email }));
      const user = app().db.write(() => addUser(app().db, { email, password, now: seconds(app().clock) }));
      return personIn(app, user, app().tokenOf(user, abilities));
    },
    tokenOf(person, abilities) {
      const secret = makeTokenSecret(randomBytes);
      const now = seconds(app().clock);
      const { id } = app().db.write(() =>
        addToken(app().db, { userId: person.id, name: 'test', abilities, secret, now }),
      );
      return `${id}|${secret}`;
    },
    async signIn(person) {
      const body = { email: person.email, password: passwordOf(person) };
      const answer = await app().ask('POST', '/sign-in', { body, headers: { 'sec-fetch-site': 'same-origin' } });
      assert.equal(answer.status, 200, answer.text);
      return cookieOf(answer);
    },
    async share(owner, siteId) {
      const { body } = await owner.ask('PATCH', `/sites/${siteId}`, { shared: true });
      return body.data.share_url.split('/').at(-1);
    },
    join(owner, person, role, sites) {
      const now = seconds(app().clock);
      const secret = makeTokenSecret(randomBytes);
      const { accountId, email } = owner;
      const { db } = app();
      db.write(() => {
        inviteMember(db, { accountId, owner: email, email: person.email, role, sites, secret, now });
        const invitation = findInvitation(db, secret, now);
        if (invitation) acceptInvitation(db, invitation, person.id);
      });
    },
    site: (owner, domain) =>
      app().db.write(() => addSite(app().db, { accountId: owner.accountId, domain, now: seconds(app().clock) })),
  };
}
