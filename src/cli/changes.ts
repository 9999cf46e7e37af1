// The command `daybook changes` lists what changed figures of past days. `GET /sites/{site}/changes` gives the same
// list.
//
// Each minute, a running server computes how much each change changed the figures. The command computes this too, in
// case no server runs.
//
// Example: `daybook changes example.com --range last-month`. test/cli/changes.test.ts runs it.

import { RangeName, readRange } from '../api/query.ts';
import { countChanges } from '../jobs/changes.ts';
import { Domain } from '../lib/http/fields.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import {
  type ChangedSums,
  type Figures,
  type JournalChange,
  listChanges,
  sumChangedDays,
} from '../store/sites/changes.ts';
import { type Command, clock, type Invocation, now, validated, withEngine } from './command.ts';
import { existingSite } from './site.ts';
import { LIST_FLAGS, printTable } from './table.ts';

const MOST = 1_000;

const list = (invocation: Invocation): Promise<void> =>
  withEngine(invocation.config, async ({ db, engine }) => {
    const site = existingSite(db, validated(Domain, 'DOMAIN', invocation.args[0]));
    const typed = validated(RangeName, '--range', invocation.flags.range ?? '30d');
    const range = readRange(typed, findSiteDay(site, now()));
    await countChanges({ db, queries: engine.queries, clock });
    const rows = listChanges(db, site.id, { ...range, after: 0, limit: MOST }).map((one) => [
      ...[one.id, iso(one.at), describeBy(one), one.reason],
      ...[formatDay(Math.max(one.from, range.from) * DAY), formatDay((Math.min(one.to, range.to) - 1) * DAY)],
      ...[...listAmounts(sumChangedDays(db, one, range)), one.name || '-'],
    ]);
    const header = [
      'ID',
      'AT',
      'BY',
      'REASON',
      'FROM',
      'TO',
      'DAYS',
      'VISITORS',
      'VISITS',
      'PAGEVIEWS',
      'EVENTS',
      'NAME',
    ];
    printTable(invocation, header, rows, { none: `nothing has changed figures of these days of ${site.domain}` });
  });

const describeBy = ({ by }: JournalChange): string => by?.email || by?.way || '-';

/** Writes the number of days, and each figure before and after the change, such as 120>80. */
function listAmounts(sums: ChangedSums | undefined): (string | number)[] {
  if (!sums) return ['-', '-', '-', '-', '-'];
  const { days, before, after } = sums;
  const names: (keyof Figures)[] = ['visitors', 'visits', 'pageviews', 'events'];
  return [days, ...names.map((name) => `${before[name]}>${after[name]}`)];
}

export const changesCommands: Command[] = [
  {
    name: 'changes',
    args: ['DOMAIN'],
    summary: 'List what changed figures of past days: why, by whom, when and by how much',
    settings: ['db', 'engine'],
    flags: {
      ...LIST_FLAGS,
      range: { value: 'RANGE', help: '7d, 30d, month, last-month, year or 2026-01-01~2026-01-31 (default 30d)' },
    },
    run: list,
  },
];
