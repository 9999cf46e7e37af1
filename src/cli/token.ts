// Commands for access tokens of the API: list, add and revoke tokens.
//
// A token is printed when it is added, and never again, because the database file has only its hash.
//
// Example: `daybook token add me@example.com --name ci --abilities read` prints a new token. commands.ts lists these
// commands.

import { randomBytes } from 'node:crypto';
import { Abilities, TokenName } from '../api/tokens.ts';
import { Refusal } from '../lib/errors.ts';
import { Email } from '../lib/http/fields.ts';
import { writeInLine } from '../lib/printable.ts';
import { makeTokenSecret } from '../lib/secrets.ts';
import { formatDay } from '../lib/time.ts';
import { addToken, findToken, listHeldTokens, removeToken } from '../store/people/tokens.ts';
import { type Command, now, validated, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';
import { existingUser } from './user.ts';

const add: Command = {
  name: 'token add',
  args: ['EMAIL'],
  summary: 'Add an access token for a user, and print it once',
  settings: ['db'],
  flags: {
    name: { value: 'NAME', help: 'what it is for', required: true },
    abilities: { value: 'LIST', help: 'read, write, collect or note, separated by commas', required: true },
  },
  async run({ args, flags, config, io }) {
    const email = validated(Email, 'EMAIL', args[0]);
    const name = validated(TokenName, '--name', flags.name);
    const abilities = validated(
      Abilities,
      '--abilities',
      flags.abilities?.split(',').map((ability) => ability.trim()),
    );
    await withStore(config, (db) => {
      const secret = makeTokenSecret(randomBytes);
      const userId = () => existingUser(db, email).id;
      const { id } = db.write(() => addToken(db, { userId: userId(), name, abilities, secret, now: now() }));
      io.print(`${id}|${secret}`);
    });
  },
};

const list: Command = {
  name: 'token list',
  args: ['[EMAIL]'],
  summary: 'List all access tokens, or those of one user, with the ids for token revoke',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    const {
      args: [typed],
      config,
    } = invocation;
    const email = typed === undefined ? undefined : validated(Email, 'EMAIL', typed);
    await withStore(config, (db) => {
      const tokens = listHeldTokens(db, email === undefined ? null : existingUser(db, email).id);
      const rows = tokens.map(({ id, email, abilities, created_at, last_used_at, name }) => [
        ...[id, email, abilities.join(','), formatDay(created_at)],
        ...[last_used_at === null ? 'never' : formatDay(last_used_at), name],
      ]);
      printTable(invocation, ['ID', 'EMAIL', 'ABILITIES', 'MADE', 'USED', 'NAME'], rows);
    });
  },
};

const revoke: Command = {
  name: 'token revoke',
  args: ['EMAIL', 'ID'],
  summary: "Revoke a user's access token: programs that use it stop working at once",
  settings: ['db'],
  async run({ args, config, io }) {
    const email = validated(Email, 'EMAIL', args[0]);
    await withStore(config, (db) => {
      const name = db.write(() => {
        const { id: userId } = existingUser(db, email);
        const token = findToken(db, userId, Number(args[1]));
        if (!token) throw new Refusal(`${email} has no token ${args[1]}. To list all, run daybook token list ${email}`);
        removeToken(db, userId, token.id);
        return token.name;
      });
      io.print(`token ${args[1]} of ${email} revoked: ${writeInLine(name)}`);
    });
  },
};

export const tokenCommands = [add, list, revoke];
