// Commands for sites: list, add, change and remove sites. A site's domain, time zone and retention can change.
//
// The schemas of the API check the arguments. A removal cannot be undone, so without --yes the command asks for the
// domain as a confirmation. A running server then deletes the hits within minutes. commands.ts lists these commands.

import type { Engine } from '../engine/engine.ts';
import { makeSiteGone } from '../exchange/site-gone.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { Domain, Email, TimeZone } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import { formatDay, iso } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { type CollectedSite, findCollectedSite } from '../store/sites/collected-sites.ts';
import { changeDomain, findDomainFault } from '../store/sites/domains.ts';
import { addSite, keepDays, listAllSites, removeSite } from '../store/sites/sites.ts';
import { changeTimeZone } from '../store/sites/zones.ts';
import { type Command, type Flag, type Invocation, now, validated, withEngine, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';
import { existingUser } from './user.ts';

export const unknownSite = (domain: string) =>
  new Refusal(`there is no site ${domain}. To add it, run daybook site add`);

export function existingSite(db: Db, domain: string): CollectedSite {
  const site = findCollectedSite(db, domain);
  if (!site) throw unknownSite(domain);
  return site;
}

export const SITE_ID: Flag = { value: 'ID', help: 'for programs: refuse if the domain is of a site with another id' };

/** Finds the site of a domain. `id` is the value of --site-id, if given. Throws if the site has another id. */
export function meantSite(db: Db, domain: string, id: string | undefined): CollectedSite {
  if (id !== undefined && String(findCollectedSite(db, domain)?.id) !== id) throw makeSiteGone(domain);
  return existingSite(db, domain);
}

const zoneIn = ({ 'time-zone': typed }: Invocation['flags']): string | undefined =>
  typed === undefined ? undefined : validated(TimeZone, '--time-zone', typed);

const add: Command = {
  name: 'site add',
  args: ['EMAIL', 'DOMAIN'],
  summary: "Add a site to a user's account, and print its id",
  settings: ['db'],
  flags: {
    'time-zone': { value: 'NAME', help: 'time zone of its days, such as Europe/Berlin (default UTC)' },
  },
  async run({ args, flags, config, io }) {
    const timeZone = zoneIn(flags);
    const email = validated(Email, 'EMAIL', args[0]);
    const domain = validated(Domain, 'DOMAIN', args[1]);
    await withStore(config, (db) => {
      const id = db.write(() => {
        const { accountId } = existingUser(db, email);
        const fault = findDomainFault(db, domain, now());
        if (fault) throw new Refusal(inEnglish(fault).slice(0, -'.'.length));
        return addSite(db, { accountId, domain, timeZone, now: now() });
      });
      io.print(String(id));
    });
  },
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * Says how much disk space a site will take with a retention of `days` days. Also says how much the next deletion will
 * free. Must be called before that deletion, because the expired days are measured.
 */
async function diskUse(engine: Engine, site: CollectedSite, days: number): Promise<string[]> {
  const siteId = site.id;
  const today = findSiteDay(site, now());
  const daily = await engine.queries.measureGrowth(today, siteId);
  const { count, bytes } = await engine.queries.measureExpired(siteId, today);
  const [keptDays, span] = days === 0 ? [365, 'a year'] : [days, plural(days, 'day')];
  const due = `${plural(count, 'day')} ${count === 1 ? 'is' : 'are'} older. The server deletes their hits (${megabytes(bytes)}) tonight. To delete them now, run daybook seal`;
  return [
    ...(daily > 0
      ? [`a day has taken ${megabytes(daily)} lately. So ${span} would take ${megabytes(daily * keptDays)}`]
      : []),
    count > 0 ? due : 'no day is older, so no hits are deleted',
  ];
}

function daysIn(typed: string): number {
  if (!/^\d{1,6}$/.test(typed)) throw new Refusal(`--keep-days takes a whole number of days, not "${typed}"`, USAGE);
  return Number(typed);
}

function rename(db: Db, { id, domain: former }: CollectedSite, domain: string): string[] {
  const fault = findDomainFault(db, domain, now(), id);
  if (fault) throw new Refusal(inEnglish(fault).slice(0, -'.'.length));
  const until = changeDomain(db, id, domain, now());
  if (until === undefined) return [`the site's name is already ${domain}`];
  return [
    `${former} is now ${domain}. In the snippet, write data-site="${domain}"`,
    `hits of pages with the old snippet count until ${iso(until)}. Programs that call the API must use the new name now`,
  ];
}

const change: Command = {
  name: 'site change',
  args: ['DOMAIN'],
  summary: 'Rename a site, or change its time zone or how long it keeps hits',
  settings: ['db', 'engine'],
  flags: {
    domain: {
      value: 'NEW',
      help: 'rename the site. Its statistics stay, and hits under the old name count for 30 more days',
    },
    'keep-days': {
      value: 'N',
      help: 'delete the hits of older days. Reports without filters and funnels still count them. 0 keeps all hits',
    },
    'time-zone': {
      value: 'NAME',
      help: 'count its days in this zone from now on. Past days do not change',
    },
  },
  async run({ args: [typed], flags, config, io }) {
    const known = validated(Domain, 'DOMAIN', typed);
    const domain = flags.domain === undefined ? undefined : validated(Domain, '--domain', flags.domain);
    const timeZone = zoneIn(flags);
    const days = flags['keep-days'] === undefined ? undefined : daysIn(flags['keep-days']);
    if (domain === undefined && timeZone === undefined && days === undefined) {
      throw new Refusal('--domain, --time-zone or --keep-days is required', USAGE);
    }
    await withEngine(config, async ({ db, engine }) => {
      const site = existingSite(db, known);
      const renamed = db.write(() => {
        if (timeZone !== undefined) changeTimeZone(db, site.id, timeZone, now());
        if (days !== undefined) keepDays(db, site.id, days);
        return domain === undefined ? [] : rename(db, site, domain);
      });
      const disk = days === undefined ? [] : await diskUse(engine, site, days);
      for (const line of [...renamed, ...disk]) io.explain(line);
    });
  },
};

const list: Command = {
  name: 'site list',
  args: [],
  summary: 'List all sites, with their owner and time zone',
  settings: ['db'],
  flags: LIST_FLAGS,
  async run(invocation) {
    await withStore(invocation.config, (db) => {
      const rows = listAllSites(db).map(({ id, domain, owner, timeZone, keepDays, created_at }) => [
        ...[id, domain, owner, timeZone, keepDays === 0 ? 'all' : keepDays, formatDay(created_at)],
      ]);
      printTable(invocation, ['ID', 'DOMAIN', 'OWNER', 'TIME-ZONE', 'KEEP-DAYS', 'SINCE'], rows);
    });
  },
};

/** Asks the user to type the domain, unless --yes is given, because a deletion cannot be undone. */
export async function assertMeant({ flags, io }: Invocation, domain: string, loss: string): Promise<void> {
  if (flags.yes !== undefined) return;
  io.explain(`${loss} To continue, type ${domain}:`);
  if ((await io.readLine()).trim() !== domain) throw new Refusal(`that was not ${domain}. Nothing is deleted`);
}

const remove: Command = {
  name: 'site remove',
  // Otherwise the terminal would show the elapsed seconds, and overwrite the answer that a person types.
  isUntimed: true,
  args: ['DOMAIN'],
  summary: 'Permanently delete a site and all its statistics',
  settings: ['db'],
  flags: { yes: { help: 'do not ask for the name again' } },
  async run(invocation) {
    const domain = validated(Domain, 'DOMAIN', invocation.args[0]);
    await withStore(invocation.config, async (db) => {
      existingSite(db, domain);
      await assertMeant(invocation, domain, `This permanently deletes ${domain} and all its statistics.`);
      // The site may have been removed while the command waited for the answer, so the site is looked up again.
      db.write(() => removeSite(db, existingSite(db, domain).id));
      invocation.io.print(`${domain} deleted`);
      invocation.io.explain('its hits are deleted within minutes while a server runs');
    });
  },
};

export const siteCommands = [add, list, change, remove];
