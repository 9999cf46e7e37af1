import type { Engine } from '../engine.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain, Email, TimeZone } from '../lib/fields.ts';
import { plural } from '../lib/plural.ts';
import { dayOfSite } from '../lib/zone.ts';
import type { CollectedSite } from '../store/sites.ts';
import { addSite, findCollectedSite, keepDays } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { changeTimeZone } from '../store/zones.ts';
import { type Command, type Invocation, now, validated, withEngine, withStore } from './command.ts';
import { existingUser } from './user.ts';

export const unknownSite = (domain: string) => new Refusal(`there is no site ${domain}; daybook site add makes one`);

export function existingSite(db: Db, domain: string): CollectedSite {
  const site = findCollectedSite(db, domain);
  if (!site) throw unknownSite(domain);
  return site;
}

const zoneIn = ({ 'time-zone': typed }: Invocation['flags']): string | undefined =>
  typed === undefined ? undefined : validated(TimeZone, '--time-zone', typed);

const add: Command = {
  name: 'site add',
  args: ['EMAIL', 'DOMAIN'],
  summary: 'Add a site to the account of a user, and print its id',
  settings: ['db'],
  flags: {
    'time-zone': { value: 'NAME', help: 'in which its days are counted, such as Europe/Berlin (default UTC)' },
  },
  async run({ args, flags, config, io }) {
    const timeZone = zoneIn(flags);
    const email = validated(Email, 'EMAIL', args[0]);
    const domain = validated(Domain, 'DOMAIN', args[1]);
    await withStore(config, (db) => {
      const id = db.write(() => {
        const { accountId } = existingUser(db, email);
        if (findCollectedSite(db, domain)) throw new Refusal(`${domain} is already a site on this server`);
        return addSite(db, { accountId, domain, timeZone, now: now() });
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
  summary: 'Change the time zone of a site, or how long it keeps its hits; for the latter it prints the disk space',
  settings: ['db'],
  flags: {
    'keep-days': {
      value: 'N',
      help: 'delete the hits of days that are older; reports without filters and funnels still count them; 0 keeps all hits',
    },
    'time-zone': {
      value: 'NAME',
      help: 'count its days in that zone from now on; those that are over stay as they were counted',
    },
  },
  async run({ args: [typed], flags, config, io }) {
    const domain = validated(Domain, 'DOMAIN', typed);
    const timeZone = zoneIn(flags);
    const days = flags['keep-days'];
    if (days === undefined && timeZone === undefined) {
      throw new Refusal('site change needs --keep-days, --time-zone or both', USAGE);
    }
    if (days !== undefined && !/^\d{1,6}$/.test(days)) {
      throw new Refusal(`--keep-days takes a whole number of days, not "${days}"`, USAGE);
    }
    await withEngine(config, async ({ db, engine }) => {
      const site = existingSite(db, domain);
      db.write(() => {
        if (timeZone !== undefined) changeTimeZone(db, site.id, timeZone, now());
        if (days !== undefined) keepDays(db, site.id, Number(days));
      });
      if (days === undefined) return;
      for (const line of await diskUse(engine, existingSite(db, domain), Number(days))) io.explain(line);
    });
  },
};

export const siteCommands = [add, change];
