import type { Engine } from '../engine.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain, Email } from '../lib/fields.ts';
import { plural } from '../lib/plural.ts';
import { dayOfSite } from '../lib/zone.ts';
import type { CollectedSite } from '../store/sites.ts';
import { addSite, findCollectedSite, keepDays } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { type Command, now, validated, withEngine, withStore } from './command.ts';
import { existingUser } from './user.ts';

export const unknownSite = (domain: string) => new Refusal(`there is no site ${domain}; daybook site add makes one`);

export function existingSite(db: Db, domain: string): CollectedSite {
  const site = findCollectedSite(db, domain);
  if (!site) throw unknownSite(domain);
  return site;
}

const add: Command = {
  name: 'site add',
  args: ['EMAIL', 'DOMAIN'],
  summary: 'Add a site to the account of a user, and print its id',
  settings: ['db'],
  async run({ args, config, io }) {
    const email = validated(Email, 'EMAIL', args[0]);
    const domain = validated(Domain, 'DOMAIN', args[1]);
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

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Lines on the disk space of a site that keeps its hits for `days`. Call it before anything is deleted. */
async function diskUse(engine: Engine, site: CollectedSite, days: number): Promise<string[]> {
  const siteId = site.id;
  const today = dayOfSite(site, now());
  const daily = await engine.growth(today, siteId);
  const { count, bytes } = await engine.expired(siteId, today);
  const [keptDays, span] = days === 0 ? [365, 'a year'] : [days, plural(days, 'day')];
  const due = `${plural(count, 'day')} ${count === 1 ? 'is' : 'are'} older; the server deletes their hits (${megabytes(bytes)}) tonight, and daybook seal at once`;
  return [
    ...(daily > 0
      ? [`a day has taken ${megabytes(daily)} lately; ${span} would take ${megabytes(daily * keptDays)}`]
      : []),
    count > 0 ? due : 'no day is older, so no hits are deleted',
  ];
}

const change: Command = {
  name: 'site change',
  args: ['DOMAIN'],
  summary: 'Change how long a site keeps its hits, and print the disk space that they take',
  settings: ['db'],
  flags: {
    'keep-days': {
      value: 'N',
      help: 'delete the hits of days that are older; reports without filters and funnels still count them; 0 keeps all hits',
      required: true,
    },
  },
  async run({ args: [typed], flags, config, io }) {
    const domain = validated(Domain, 'DOMAIN', typed);
    const days = flags['keep-days'] ?? '';
    if (!/^\d{1,6}$/.test(days)) throw new Refusal(`--keep-days takes a whole number of days, not "${days}"`, USAGE);
    await withEngine(config, async ({ db, engine }) => {
      const site = existingSite(db, domain);
      db.write(() => keepDays(db, site.id, Number(days)));
      for (const line of await diskUse(engine, site, Number(days))) io.explain(line);
    });
  },
};

export const siteCommands = [add, change];
