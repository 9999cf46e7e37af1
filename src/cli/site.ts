import { Refusal } from '../lib/errors.ts';
import { Domain, Email } from '../lib/fields.ts';
import { addSite, findCollectedSite } from '../store/sites.ts';
import { type Command, now, withStore, word } from './command.ts';
import { existingUser } from './user.ts';

const add: Command = {
  name: 'site add',
  args: ['EMAIL', 'DOMAIN'],
  summary: 'Add a site to the account of a user, and print its id',
  settings: ['db'],
  async run({ args, config, io }) {
    const email = word(Email, 'EMAIL', args[0]);
    const domain = word(Domain, 'DOMAIN', args[1]);
    await withStore(config, (db) => {
      const id = db.write(() => {
        const { accountId } = existingUser(db, email);
        if (findCollectedSite(db, domain)) throw new Refusal(`${domain} is already a site on this server`);
        return addSite(db, { accountId, domain, now: now() });
      });
      io.print(String(id));
    });
  },
};

export const siteCommands = [add];
