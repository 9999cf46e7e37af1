import { randomBytes } from 'node:crypto';
import { Abilities, TokenName } from '../api/tokens.ts';
import { Email } from '../lib/fields.ts';
import { tokenSecret } from '../lib/secrets.ts';
import { addToken } from '../store/tokens.ts';
import { type Command, now, validated, withStore } from './command.ts';
import { existingUser } from './user.ts';

const add: Command = {
  name: 'token add',
  args: ['EMAIL'],
  summary: 'Add an access token for a user, and print it: it is never shown again',
  settings: ['db'],
  flags: {
    name: { value: 'NAME', help: 'what it is for', required: true },
    abilities: { value: 'LIST', help: 'read, write or collect, separated by commas', required: true },
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
      const secret = tokenSecret(randomBytes);
      const userId = () => existingUser(db, email).id;
      const { id } = db.write(() => addToken(db, { userId: userId(), name, abilities, secret, now: now() }));
      io.print(`${id}|${secret}`);
    });
  },
};

export const tokenCommands = [add];
