// The command `daybook delete` deletes some days of a site for good. `POST /sites/{site}/deletions` does the same.
//
// The command first prints what would be deleted, and asks for the domain as a confirmation. With --dry-run, the
// command only prints.
//
// Example: `daybook delete example.com --from 2026-03-01 --to 2026-03-31`. test/cli/delete.program.test.ts runs it.

import { count, DeletedDays, type Deletion, readDays } from '../api/deletions.ts';
import type { Engine } from '../engine/engine.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { checked } from '../lib/http/input.ts';
import { plural } from '../lib/plural.ts';
import { DAY, formatDay } from '../lib/time.ts';
import type { Range } from '../stats/query.ts';
import type { CollectedSite } from '../store/sites/collected-sites.ts';
import { type Command, type Invocation, now, validated, withEngine } from './command.ts';
import { assertMeant, existingSite } from './site.ts';

const run = (invocation: Invocation): Promise<void> =>
  withEngine(invocation.config, async ({ db, engine }) => {
    const { args, flags, io } = invocation;
    const site = existingSite(db, validated(Domain, 'DOMAIN', args[0]));
    const range = readRange(site, flags);
    await assertSealed(engine, site, range);
    const found = await count({ db, queries: engine.queries }, site.id, range);
    for (const line of describe(found)) io.print(line);
    if (flags['dry-run'] !== undefined) return io.explain('nothing is deleted, because of --dry-run');
    if (isEmpty(found)) return io.explain('nothing is deleted');
    const days = `${found.from} to ${found.to}`;
    await assertMeant(invocation, site.domain, `This permanently deletes ${days} of ${site.domain}.`);
    await engine.upkeep.deleteDays(site.id, range);
    io.explain(`${days} of ${site.domain} deleted. Backups still have these days`);
  });

function readRange(site: CollectedSite, { from, to }: Invocation['flags']): Range {
  try {
    return readDays(site, checked(DeletedDays, { from, to }), now());
  } catch (error) {
    const [name, fault] = error instanceof Problem ? (Object.entries(error.fields ?? {})[0] ?? []) : [];
    if (name === undefined || !fault) throw error;
    throw new Refusal(`--${name}: ${inEnglish(fault)}`, USAGE);
  }
}

async function assertSealed(engine: Engine, { id }: CollectedSite, range: Range): Promise<void> {
  const [open] = await engine.queries.listOpenDays(id, range);
  if (open === undefined) return;
  throw new Refusal(
    `hits of ${formatDay(open * DAY)} are not sealed yet. Nothing is deleted. Run daybook seal first, or end the range before that day`,
  );
}

const isEmpty = ({ days, searches, crawler_requests: requests, drops }: Deletion): boolean =>
  days + searches + requests + drops === 0;

function describe(found: Deletion): string[] {
  const { days, total_days: totalDays, visitors, visits, pageviews, events } = found;
  const only = totalDays === 0 ? '' : ` (${totalDays} with only daily totals)`;
  const figures = [
    plural(visitors, 'visitor'),
    plural(visits, 'visit'),
    plural(pageviews, 'pageview'),
    plural(events, 'event'),
  ];
  return [
    `${found.from} to ${found.to}: ${plural(days, 'day')}${only}`,
    figures.join(', '),
    ...found.imports.map(({ id, days: own, whole }) => `import ${id}: ${whole ? 'all of it' : plural(own, 'day')}`),
    ...list(found.searches, 'row of searches on Google', 'rows of searches on Google'),
    ...list(found.crawler_requests, 'request of AI crawlers', 'requests of AI crawlers'),
    ...list(found.drops, 'hit that was not counted', 'hits that were not counted'),
    ...(found.kept_searches === 0
      ? []
      : [`${plural(found.kept_searches, 'span')} of searches stay, because they have other days too`]),
  ];
}

const list = (number: number, one: string, many: string): string[] =>
  number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];

export const deleteCommands: Command[] = [
  {
    name: 'delete',
    // The elapsed time would overwrite the answer that a person types.
    isUntimed: true,
    args: ['DOMAIN'],
    summary: 'Permanently delete all hits, totals and imports of some days of a site',
    settings: ['db', 'engine'],
    flags: {
      from: { value: 'DAY', help: 'the first day, such as 2026-01-01', required: true },
      to: { value: 'DAY', help: 'the last day, which must be over', required: true },
      'dry-run': { help: 'only print what would be deleted' },
      yes: { help: 'do not ask for the domain' },
    },
    run,
  },
];
