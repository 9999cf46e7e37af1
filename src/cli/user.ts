// Commands for users: list and add users, set a password, change an e-mail address, and remove all second factors.
//
// A command never prints a password. Without --password-stdin, `user add` and `user password` print a link for setting
// the password. The link works once, for 24 hours. commands.ts lists these commands.

import { randomBytes } from 'node:crypto';
import { makePasswords, Password } from '../auth/passwords.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Email } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { makeLinkSecret } from '../lib/secrets.ts';
import { formatDay, HOUR } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { removeFactors } from '../store/people/second-factors.ts';
import { removeSessions } from '../store/people/sessions.ts';
import {
  type Access,
  addUser,
  changeEmail,
  countAccess,
  findUser,
  listUsers,
  resetPassword,
  setPasswordLink,
  type User,
} from '../store/people/users.ts';
import { type Command, type Invocation, now, publicUrl, validated, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const LINK_HOURS = 24;

const flags = { 'password-stdin': { help: 'read the password from standard input, instead of printing a link' } };

export function existingUser(db: Db, email: string): User {
  const user = findUser(db, email);
  if (!user) throw new Refusal(`there is no user ${email}. To add them, run daybook user add ${email}`);
  return user;
}

/** Reads a password from standard input and hashes it. Returns undefined without --password-stdin. */
async function passwordHash({ flags, io }: Invocation): Promise<string | undefined> {
  if (flags['password-stdin'] === undefined) return undefined;
  const typed = (await io.readInput()).replace(/\r?\n$/, '');
  return makePasswords().hash(validated(Password, 'password', typed));
}

/**
 * Makes a link for setting a password. Must be called inside a transaction. The link works only after the commit, so it
 * must be printed after that.
 */
function newLink(db: Db, { id }: User, { config }: Invocation): string {
  const secret = makeLinkSecret(randomBytes);
  setPasswordLink(db, id, secret, now() + LINK_HOURS * HOUR);
  return `${publicUrl(db, config)}/password/${secret}`;
}

function printLink(link: string, { io }: Invocation): void {
  io.explain(`Open this link to set the password. It works once, for ${LINK_HOURS} hours, while the server runs:`);
  io.print(link);
}

const accessWords = ({ sessions, tokens }: Access): string =>
  `${plural(sessions, 'session')} and ${plural(tokens, 'token')}`;

const add: Command = {
  name: 'user add',
  args: ['EMAIL'],
  summary: 'Add a user with an account of their own, and print a one-time link to set the password',
  settings: ['db', 'base-url'],
  flags,
  async run(invocation) {
    const email = validated(Email, 'EMAIL', invocation.args[0]);
    const password = await passwordHash(invocation);
    const work = (db: Db): void => {
      const link = db.write(() => {
        if (findUser(db, email)) {
          throw new Refusal(`${email} is already a user. To set a new password, run daybook user password ${email}`);
        }
        const user = addUser(db, { email, password: password ?? null, now: now() });
        return password === undefined ? newLink(db, user, invocation) : undefined;
      });
      if (link) printLink(link, invocation);
    };
    await withStore(invocation.config, work, { create: true });
  },
};

const password: Command = {
  name: 'user password',
  args: ['EMAIL'],
  summary: "Print a one-time link to set a user's password, or set it. Ends their sessions and tokens",
  settings: ['db', 'base-url'],
  flags,
  async run(invocation) {
    const email = validated(Email, 'EMAIL', invocation.args[0]);
    const hash = await passwordHash(invocation);
    await withStore(invocation.config, (db) => {
      const { link, access } = db.write(() => {
        const user = existingUser(db, email);
        if (hash !== undefined) return { access: resetPassword(db, user.id, hash) };
        return { link: newLink(db, user, invocation), access: countAccess(db, user.id, now()) };
      });
      if (link) printLink(link, invocation);
      invocation.io.explain(`${link ? 'setting it will end' : 'this has ended'} ${accessWords(access)} of ${email}`);
    });
  },
};

const email: Command = {
  name: 'user email',
  args: ['OLD', 'NEW'],
  summary: 'Change the e-mail address with which a user signs in. Ends their sessions',
  settings: ['db'],
  async run({ args, config, io }) {
    const [before, after] = [validated(Email, 'OLD', args[0]), validated(Email, 'NEW', args[1])];
    await withStore(config, (db) => {
      const { sessions } = db.write(() => {
        const user = existingUser(db, before);
        if (findUser(db, after)) throw new Refusal(`${after} is already a user`);
        return changeEmail(db, user, after);
      });
      io.print(`${before} is now ${after}, and ${plural(sessions, 'session')} ended`);
    });
  },
};

const change: Command = {
  name: 'user change',
  args: ['EMAIL'],
  summary: 'Turn off two-factor authentication for a user who has lost the second factor. Ends their sessions',
  settings: ['db'],
  flags: { 'without-factors': { help: 'remove their authenticator apps, passkeys and recovery codes' } },
  async run({ args, flags, config, io }) {
    const email = validated(Email, 'EMAIL', args[0]);
    if (flags['without-factors'] === undefined) throw new Refusal('say what to change: --without-factors', USAGE);
    await withStore(config, (db) => {
      const { factors, sessions } = db.write(() => {
        const { id } = existingUser(db, email);
        return { factors: removeFactors(db, id), sessions: removeSessions(db, id) };
      });
      io.print(`${email}: ${plural(factors, 'second factor')} removed, and ${plural(sessions, 'session')} ended`);
    });
  },
};

const list: Command = {
  name: 'user list',
  args: [],
  summary: 'List all users, with how many sites, people and tokens they have, and their plan',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    await withStore(invocation.config, (db) => {
      const rows = listUsers(db).map(({ email, created_at, sites, members, tokens, plan }) => [
        ...[email, formatDay(created_at)],
        ...[sites, members, tokens],
        plan ?? '-',
      ]);
      printTable(invocation, ['EMAIL', 'SINCE', 'SITES', 'PEOPLE', 'TOKENS', 'PLAN'], rows);
    });
  },
};

export const userCommands = [add, password, email, change, list];
