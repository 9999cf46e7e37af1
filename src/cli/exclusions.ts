// Commands for exclusions: list, add and remove exclusions, and list suggested exclusions.
//
// The schemas of the API check the flags, so a command and a request accept the same values.
//
// Example: `daybook exclude example.com --from 2026-01-05 --filter country.is=SG` excludes the visits from Singapore
// from that day on. The stored sums of these days are then computed again. commands.ts lists these commands.

import { NewExclusion, readSelection } from '../api/exclusions.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { Day, Domain } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay, parseDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { listNotices } from '../stats/notices.ts';
import { makeDraft, makeSuggestQuery } from '../stats/suggestion.ts';
import type { Db } from '../store/db.ts';
import * as exclusions from '../store/sites/exclusions.ts';
import { type Command, type Invocation, now, validated, withEngine } from './command.ts';
import { FILTER_HELP, readTypedFilters } from './filters.ts';
import { existingSite } from './site.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const findSite = (db: Db, typed: string | undefined) => existingSite(db, validated(Domain, 'DOMAIN', typed));

function selectedBy(db: Db, siteId: number, { from, to, note, filter = '' }: Invocation['flags']) {
  try {
    const typed = checked(NewExclusion, {
      from,
      to: to ?? null,
      note,
      filters: readTypedFilters('filter', filter.split('\n')),
    });
    return { note: typed.note, ...readSelection(db, siteId, typed) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [name, fault] = Object.entries(error.fields ?? {})[0] ?? [];
    if (name === undefined || !fault) throw new Refusal('--filter goal: There is no such goal.', USAGE);
    throw new Refusal(`--${name.replace(/^filters\W/, 'filter ')}: ${inEnglish(fault)}`, USAGE);
  }
}

const exclude = ({ args, flags, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const site = findSite(db, args[0]);
    const selected = selectedBy(db, site.id, flags);
    const range = exclusions.readExclusionRange(selected);
    const { days, untouched } = await engine.queries.previewExclusion(site.id, range, selected.filters);
    const sum = (name: 'visits' | 'visitors') => days.reduce((sum, { totals }) => sum + totals[name], 0);
    for (const notice of listNotices({ untouched })) io.explain(inEnglish(notice));
    if (flags['dry-run'] !== undefined) {
      for (const { day, totals } of days) {
        io.print(`${formatDay(day * DAY)}: ${plural(totals.visits, 'visit')}, ${plural(totals.pageviews, 'pageview')}`);
      }
      io.print(`${plural(sum('visits'), 'visit')} of ${plural(days.length, 'day')} would be excluded`);
      return;
    }
    const { id } = db.write(() => {
      exclusions.assertRoomForExclusion(db, site.id);
      return exclusions.addExclusion(db, site.id, selected, now());
    });
    io.print(`exclusion ${id}: ${plural(sum('visits'), 'visit')} of ${plural(days.length, 'day')} excluded`);
    await engine.upkeep.remakeSums();
  });

const list = (invocation: Invocation): Promise<void> =>
  withEngine(invocation.config, async ({ db, engine }) => {
    const site = findSite(db, invocation.args[0]);
    const excluded = await engine.queries.countExcluded(site.id, { from: 0, to: findSiteDay(site, now()) + 2 });
    const rows = exclusions.listExclusions(db, site.id).map(({ id, from, to, applied, note }) => {
      const until = to === null ? '-' : formatDay((to - 1) * DAY);
      return [id, excluded[id] ?? 0, formatDay(from * DAY), until, applied, note];
    });
    printTable(invocation, ['ID', 'VISITS', 'FROM', 'TO', 'FILTERS', 'NOTE'], rows, {
      none: `nothing is excluded from ${site.domain}`,
    });
  });

const include = ({ args, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const { id: siteId, domain } = findSite(db, args[0]);
    const id = Number(args[1]);
    if (!exclusions.findExclusion(db, siteId, id)) {
      throw new Refusal(`${domain} has no exclusion ${args[1]}. To list all, run daybook exclusions ${domain}`);
    }
    db.write(() => exclusions.removeExclusion(db, siteId, id, now()));
    io.print(`exclusion ${id} removed: its visits count again`);
    await engine.upkeep.remakeSums();
  });

const suggest = (invocation: Invocation): Promise<void> => {
  const { args, flags, config } = invocation;
  const date = flags.date === undefined ? undefined : validated(Day, '--date', flags.date);
  return withEngine(config, async ({ db, engine }) => {
    const site = findSite(db, args[0]);
    const day = date === undefined ? findSiteDay(site, now()) : parseDay(date);
    const found = await engine.queries.suggestExclusions(makeSuggestQuery(site, day, now()));
    const rows = found.map(makeDraft).map(({ from, filters, note }) => [from, filters, note]);
    const none = `nothing on ${formatDay(day * DAY)} is unusual for ${site.domain}`;
    printTable(invocation, ['DATE', 'FILTERS', 'NOTE'], rows, { none });
  });
};

export const exclusionCommands: Command[] = [
  {
    name: 'exclude',
    args: ['DOMAIN'],
    summary: 'Exclude visits of a site from all reports. Nothing is deleted',
    settings: ['db', 'engine'],
    flags: {
      from: { value: 'DAY', help: 'the first day, such as 2026-01-31', required: true },
      to: { value: 'DAY', help: 'the last day (default: future days too)' },
      filter: {
        value: 'FILTER',
        help: `which visits: ${FILTER_HELP}. With several, all must match`,
        required: true,
        many: true,
      },
      note: { value: 'TEXT', help: 'why' },
      'dry-run': { help: 'only print what would be excluded, by day' },
    },
    run: exclude,
  },
  {
    name: 'suggestions',
    args: ['DOMAIN'],
    summary: 'Suggest exclusions for a day with unusually many visits. Changes nothing',
    settings: ['db', 'engine'],
    flags: { ...LIST_FLAGS, date: { value: 'DAY', help: 'a day of the site, such as 2026-01-31 (default today)' } },
    run: suggest,
  },
  {
    name: 'exclusions',
    args: ['DOMAIN'],
    summary: 'List the exclusions of a site, with the ids for include',
    settings: ['db', 'engine'],
    flags: LIST_FLAGS,
    run: list,
  },
  {
    name: 'include',
    args: ['DOMAIN', 'ID'],
    summary: 'Remove an exclusion: its visits count again',
    settings: ['db', 'engine'],
    run: include,
  },
];
