// Counts the days whose receipts are due: their digests, figures, dropped hits and outages. This runs in a thread. A
// receipt is a signed record of the figures of a sealed day. A receipt is due if the day has none yet, or has changed
// since its last receipt.
//
// Invariant: a day is read visit by visit, as an export reads it. So anybody can compute the digest of a receipt from
// an export. Late hits that are not sealed yet are left out. When they are sealed, the day gets another receipt. If the
// exclusions of the site change meanwhile, the next run counts the day again.
//
// Example: 400 days are due after an update. The thread counts one day after the other, and gives each to receipts.ts,
// which signs its receipt. A day that cannot be read gets no receipt, but the other days get theirs.
//
// src/worker.ts runs `countDueDays` in a thread. Test: test/jobs/receipts.test.ts.

import {
  type CountedDay,
  type DueDay,
  describeDays,
  hasState,
  listDueDays,
  listSignedDays,
} from '../catalog/receipts.ts';
import { findReduced, isStillReduced } from '../catalog/reduced-days.ts';
import { listSlices } from '../catalog/sealed-days.ts';
import type { Engine, Recounted } from '../engine/engine.ts';
import { makeExportLines } from '../exchange/export.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCanonical } from '../receipts/canonical.ts';
import { checkChain } from '../receipts/check-chain.ts';
import { beginDay, type DayDigest, digestTexts, type Figures } from '../receipts/day-digest.ts';
import { NODE_CRYPTO } from '../receipts/node-crypto.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { TOTALS } from '../stats/aggregates.ts';
import { BREAKDOWNS, type Breakdown, hasStoredHits } from '../stats/dimensions.ts';
import type { Db } from '../store/db.ts';
import { findLastExclusionChange } from '../store/sites/exclusions.ts';
import { listReceipts, readBody, type StoredReceipt } from '../store/sites/receipts.ts';
import { listSiteDomains } from '../store/sites/sites.ts';

/** `fault` says why a day could not be counted. */
export type CountedOrFault = CountedDay | { fault: string };

/** The functions of an engine that are needed to count days. */
export type Reads = {
  queries: Pick<Engine['queries'], 'readSealedVisits' | 'countExcluded' | 'listDrops'>;
  transfer: Pick<Engine['transfer'], 'readSums'>;
};

export async function* countDueDays(db: Db, engine: Reads): AsyncGenerator<CountedOrFault> {
  for (const { id: siteId, domain } of listSiteDomains(db)) {
    const { due, hasSameExclusions } = db.read(() => ({
      due: listDueDays(db, siteId),
      hasSameExclusions: watchExclusions(db, siteId),
    }));
    const describe = due.length > 0 ? describeDays(db, siteId) : undefined;
    for (const day of due) {
      try {
        const counted = await countDay(db, engine, day);
        // A day may have been counted with an exclusion that is removed before its receipt is signed. Its state is then
        // equal to the one in the list, so nobody would notice. The days that are left stay due, for the next run.
        if (!hasSameExclusions()) break;
        if (describe) yield { ...day, ...counted, ...describe(day.day) };
      } catch (error) {
        yield { fault: `${domain}: ${(error as Error).message}` };
      }
    }
  }
}

/** Returns a function that tells whether the exclusions of a site have never changed since this call. */
function watchExclusions(db: Db, siteId: number): () => boolean {
  const before = findLastExclusionChange(db, siteId);
  return () => findLastExclusionChange(db, siteId) === before;
}

/**
 * Checks the stored receipts of each site. Then counts the days again, and compares each day with its latest receipt.
 * A day is skipped if its receipt is unreadable or due, or if the day is no longer stored. Also skips a day that changes
 * while it is counted, because it is not damaged. Yields the days with a faulty receipt, and the days that differ from
 * their receipt. `daybook check` calls this function.
 */
export async function* findChangedDays(db: Db, engine: Reads): AsyncGenerator<Recounted> {
  for (const { id: siteId, domain } of listSiteDomains(db)) {
    const unreadable = new Set<number>();
    for (const { stored, receipt, faults } of await checkStored(db, siteId)) {
      if (!receipt) unreadable.add(stored.sequence);
      const said = faults.map((fault) => `receipt ${stored.sequence}: ${inEnglish(fault)}`);
      if (said.length > 0) yield { domain, day: stored.day, faults: said };
    }
    const { all, hasSameExclusions } = db.read(() => ({
      all: listSignedDays(db, siteId),
      hasSameExclusions: watchExclusions(db, siteId),
    }));
    for (const { stored, ...signed } of all) {
      if (signed.state.kind === 'none' || unreadable.has(stored.sequence)) continue;
      const faults = await compareDay(db, engine, signed, readBody<Receipt>(stored));
      if (faults.length > 0 && hasSameExclusions() && hasState(db, signed)) yield { domain, day: signed.day, faults };
    }
  }
}

const EVERY = Number.MAX_SAFE_INTEGER;

/**
 * Checks the stored receipts of a site. The day of a damaged receipt is known, because the day is stored beside the
 * receipt.
 */
async function checkStored(db: Db, siteId: number) {
  const all = listReceipts(db, siteId, 0, EVERY);
  const { receipts } = await checkChain(NODE_CRYPTO, all.map(readStored));
  return receipts.map(({ receipt, faults }, i) => ({ stored: all[i] as StoredReceipt, receipt, faults }));
}

/** Returns a receipt, or its text if the text is no JSON. Then `checkChain` reports that the text is no receipt. */
function readStored(stored: StoredReceipt): unknown {
  try {
    return readBody(stored);
  } catch {
    return stored.body;
  }
}

async function compareDay(db: Db, engine: Reads, signed: DueDay, receipt: Receipt): Promise<string[]> {
  try {
    const { digest, figures } = await digestDay(db, engine, signed);
    const areSame = writeCanonical(figures) === writeCanonical(receipt.figures);
    return [
      ...(digest === receipt.digest ? [] : [`receipt ${receipt.sequence}: other ${signed.state.kind} were signed`]),
      ...(areSame ? [] : [`receipt ${receipt.sequence}: other figures were signed`]),
    ];
  } catch (error) {
    return [`receipt ${receipt.sequence}: the day cannot be read: ${(error as Error).message}`];
  }
}

type Counted = DayDigest & Pick<CountedDay, 'dropped' | 'exclusions'>;

async function countDay(db: Db, engine: Reads, due: DueDay): Promise<Counted> {
  const { siteId, day, state } = due;
  const range = { from: day, to: day + 1 };
  const digest = await digestDay(db, engine, due);
  const drops = await engine.queries.listDrops(siteId, range);
  const excluded = state.exclusions === '' ? {} : await engine.queries.countExcluded(siteId, range);
  return {
    ...digest,
    dropped: drops.reduce((sum, { hits }) => sum + hits, 0),
    exclusions: Object.entries(excluded)
      .map(([id, visits = 0]) => ({ id: Number(id), visits }))
      .filter(({ id, visits }) => id > 0 && visits > 0)
      .sort((one, other) => one.id - other.id),
  };
}

const digestDay = (db: Db, engine: Reads, day: DueDay): Promise<DayDigest> =>
  day.state.kind === 'hits' ? digestHits(engine, day) : digestSums(db, engine, day);

async function digestHits({ queries }: Reads, { siteId, day }: DueDay): Promise<DayDigest> {
  const counting = beginDay(NODE_CRYPTO);
  for await (const visits of queries.readSealedVisits(siteId, day))
    for (const line of makeExportLines(visits)) counting.add(line);
  return await counting.end();
}

/** Computes the digest of a totals-only day, from its totals and from each row of its breakdowns. */
async function digestSums(db: Db, { transfer }: Reads, { siteId, day, state }: DueDay): Promise<DayDigest> {
  const rows = new Map<string, [visitors: number, hits: number]>();
  const add = (name: string, visitors: number, hits: number): void => {
    const [before = 0, more = 0] = rows.get(name) ?? [];
    rows.set(name, [before + visitors, more + hits]);
  };
  const figures: Figures = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
  for (const slice of listSlices(db, siteId, day, day + 1)) {
    // Late hits of a totals-only day make a slice with hits.
    const hasHits = slice.hasHits === 1;
    const { totals, counts } = await transfer.readSums({ ...slice, siteId, totals: slice, hasHits });
    for (const name of TOTALS) add(writeCanonical({ total: name }), totals[name], 0);
    for (const [breakdown, values] of counts)
      for (const { event, value, visitors, hits } of values)
        add(writeCanonical({ breakdown, event, value }), visitors, hasStored(breakdown) ? hits : 0);
    const reduced = findReduced(db, slice.id);
    const isReduced = reduced?.excluded[0] !== undefined && isStillReduced(reduced, state.exclusions);
    const counted = isReduced ? reduced.totals : slice;
    for (const name of FIGURES) figures[name] += counted[name];
  }
  const texts = [...rows].map(([name, [visitors, hits]]) => `${name} ${visitors} ${hits}\n`);
  return { digest: await digestTexts(NODE_CRYPTO, texts), figures };
}

const FIGURES = ['visitors', 'visits', 'pageviews', 'events'] as const satisfies (keyof Figures)[];

/**
 * True if both engines store hits for each value of `name`, which is a breakdown or `revenue`. For some breakdowns,
 * such as countries, the ledger stores only visitors, but the cluster stores hits too. The digest must not depend on
 * the engine. So the digest leaves out the hits of these breakdowns.
 */
const hasStored = (name: string): boolean => !(name in BREAKDOWNS) || hasStoredHits(name as Breakdown);
