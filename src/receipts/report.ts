// Says for each day whether the checks passed. The receipts of a site are a chain, in which each receipt has the hash
// of the receipt before it. check-chain.ts checks the chain. This file also compares the receipts with an export of the
// site.
//
// Invariant: a day passes only if all of its receipts have no fault. If there is an export, the day is also computed
// from the export. Its figures, and its hash of all hits and heartbeats (`digest`), must equal those of the latest
// receipt. An export has no totals-only days, so these days cannot be compared.
//
// Example: the export of 12 October has one hit less than its receipt. The day has the fault `day_digest`, and one of
// its figures differs.

import { type Coded, coded } from '../lang/coded.ts';
import type { CheckedChain } from './check-chain.ts';
import type { DayDigest, Figures } from './day-digest.ts';
import type { ReadExport } from './read-export.ts';
import type { Receipt } from './receipt.ts';

/** The result for a day. `compared` says whether the hits of the day were compared with an export. */
export type DayReport = { date: string; receipt: Receipt; receipts: number; faults: Coded[]; compared: boolean };

/**
 * `unsigned` lists the days of the export that have no receipt, such as the current day. `holds` is true if no check
 * failed.
 */
export type Report = { days: DayReport[]; faults: Coded[]; unsigned: string[]; holds: boolean };

export function reportDays(chain: CheckedChain, found: ReadExport | undefined): Report {
  const days = new Map<string, DayReport>();
  const faults = [...chain.faults];
  const hits = found?.days;
  if (found?.unreadable) faults.push(coded('export_lines', found.unreadable));
  for (const { receipt, faults: own, place, dates } of chain.receipts) {
    if (!receipt) {
      const of = [`#${place}`, ...dates].join(', ');
      faults.push(...own.map(({ code, values }) => ({ code, values: { ...values, of } })));
      continue;
    }
    const { date } = receipt;
    const [signed = date] = dates;
    if (signed !== date)
      faults.push({
        code: 'receipt_date',
        values: { ...coded('receipt_date', { date: signed }).values, of: `#${place}` },
      });
    const before = days.get(date) ?? { date, receipts: 0, faults: [], compared: false };
    days.set(date, { ...before, receipt, receipts: before.receipts + 1, faults: [...before.faults, ...own] });
  }
  for (const day of days.values()) if (hits) compare(day, hits.get(day.date));
  const sorted = [...days.values()].sort((one, other) => (one.date < other.date ? -1 : 1));
  return {
    ...{ days: sorted, faults, unsigned: [...(hits?.keys() ?? [])].filter((date) => !days.has(date)).sort() },
    holds: faults.length === 0 && sorted.every((day) => day.faults.length === 0),
  };
}

const FIGURES = ['visitors', 'visits', 'pageviews', 'events'] as const satisfies (keyof Figures)[];

function compare(day: DayReport, found: DayDigest | undefined): void {
  const { kind, digest, figures } = day.receipt;
  if (kind !== 'hits') {
    if (found) day.faults.push(coded('day_has_hits'));
    return;
  }
  day.compared = true;
  if (!found) {
    day.faults.push(coded('day_not_exported'));
    return;
  }
  if (found.digest !== digest) day.faults.push(coded('day_digest'));
  for (const figure of FIGURES)
    if (found.figures[figure] !== figures[figure])
      day.faults.push(coded('day_figure', { figure, signed: figures[figure], found: found.figures[figure] }));
}
