import { dueToGo } from '../jobs/keep.ts';
import { Refusal } from '../lib/errors.ts';
import { Domain, Email } from '../lib/fields.ts';
import { addSite, findCollectedSite, keepDays } from '../store/sites.ts';
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

const keep: Command = {
  name: 'site keep',
  args: ['DOMAIN', 'DAYS'],
  summary:
    'Keep only the sums of days that are older, of which filters and funnels then know nothing; 0 keeps everything',
  settings: ['db'],
  async run({ args: [typed, days = ''], config, io }) {
    const domain = word(Domain, 'DOMAIN', typed);
    if (!/^\d{1,6}$/.test(days)) throw new Refusal(`DAYS: a whole number of days, not "${days}"`, 2);
    await withStore(config, (db) => {
      const site = findCollectedSite(db, domain);
      if (!site) throw new Refusal(`there is no site ${domain}; daybook site add makes one`);
      db.write(() => keepDays(db, site.id, Number(days)));
      const { count, bytes } = dueToGo(db, site.id, Math.floor(now() / 86_400));
      if (count > 0) {
        const freed = `${(bytes / 1e6).toFixed(1)} MB`;
        io.explain(`${count} days are older; the server lets ${freed} of them go tonight, and daybook seal at once`);
      }
    });
  },
};

export const siteCommands = [add, keep];
