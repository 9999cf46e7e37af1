// Finds the days whose receipt is due, and adds receipts to the chain of a site. A receipt is a signed record of a
// sealed day's figures. The chain is the list of a site's receipts, each with the hash of the receipt before.
//
// Invariant: each receipt is stored with the state of its day. A receipt is due if the stored state differs from the
// present state of the day. So a crash loses no receipt: the next call of `listDueDays` finds the day again. A day
// whose content is unchanged gets no second receipt, except if the server's key for signing is replaced.
//
// Example: 12 October is one slice, so its state is `{"exclusions":"","ids":"40","imports":[],"kind":"hits"}`. A late
// hit becomes a second slice. The ids are now "40 71", so a receipt with the reason `late_hits` is due.
//
// Both engines use this file, because they share the list of sealed days. jobs/receipts.ts calls it, and so does
// `daybook receipts rotate`. Test: test/jobs/receipts.test.ts.

import type { Random } from '../lib/secrets.ts';
import { DAY, formatDay, iso } from '../lib/time.ts';
import { UTC } from '../lib/zone.ts';
import { writeCanonical } from '../receipts/canonical.ts';
import { findPublicKey, hashReceipt, signReceipt } from '../receipts/node-crypto.ts';
import type { Draft, Kind, Reason, Receipt } from '../receipts/receipt.ts';
import { writeWhole } from '../receipts/signed-text.ts';
import { makeCalendar } from '../stats/calendar.ts';
import type { Db } from '../store/db.ts';
import { listOutages } from '../store/server/outages.ts';
import { addReceiptKey, forgetReplacedSeeds, listReceiptKeys } from '../store/server/receipt-keys.ts';
import { findSiteDomain } from '../store/sites/domains.ts';
import { listExclusions } from '../store/sites/exclusions.ts';
import {
  addReceipt,
  findLastReceipt,
  findReceiptOfDay,
  listReceiptStates,
  listSitesWithReceipts,
  readBody,
  type StoredReceipt,
  setReceiptState,
} from '../store/sites/receipts.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { listSiteZones, listZoneChanges } from '../store/sites/zones.ts';
import { listReopenedDays } from './day-states.ts';
import { listIdsOn } from './exclusion-days.ts';
import { listImportedDays } from './imported.ts';
import { listReceiptDays } from './sealed-days.ts';

/**
 * What a receipt depends on: the kind of the day, and the ids of its slices, imports and exclusions. An exclusion is
 * listed if it covers the day, even if it leaves out no visit.
 */
type DayState = { kind: Kind; ids: string; imports: readonly number[]; exclusions: string };

export type DueDay = { siteId: number; day: number; state: DayState };

/** The content of a day's receipt: what the engine has counted, and the day's zone and outages. */
export type CountedDay = DueDay & Pick<Receipt, 'digest' | 'figures' | 'dropped' | 'exclusions' | 'zone' | 'outages'>;

const EVER = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
const NONE = { kind: 'none', ids: '', imports: [], exclusions: '' } as const satisfies DayState;

/** Lists the days of a site whose receipt is due, the earliest first. */
export function listDueDays(db: Db, siteId: number): DueDay[] {
  const states = listStates(db, siteId, EVER);
  const reopened = new Set(listReopenedDays(db, siteId));
  const before = new Map(listReceiptStates(db, siteId).map(({ day, state }) => [day, state]));
  for (const day of before.keys()) if (!states.has(day) && !reopened.has(day)) states.set(day, NONE);
  return [...states]
    .filter(([day, state]) => writeCanonical(state) !== before.get(day))
    .map(([day, state]) => ({ siteId, day, state }))
    .sort((one, other) => one.day - other.day);
}

/** Lists the days whose receipt is not due, each with its latest receipt as it is stored. */
export function listSignedDays(db: Db, siteId: number): (DueDay & { stored: StoredReceipt })[] {
  const due = new Set(listDueDays(db, siteId).map(({ day }) => day));
  return listReceiptStates(db, siteId)
    .filter(({ day }) => !due.has(day))
    .flatMap(({ day, state }) => {
      const stored = findReceiptOfDay(db, siteId, day);
      return stored ? [{ siteId, day, state: JSON.parse(state), stored }] : [];
    });
}

function listStates(db: Db, siteId: number, { from, to }: typeof EVER): Map<number, DayState> {
  const exclusions = listExclusions(db, siteId);
  return new Map(
    listReceiptDays(db, siteId, from, to).map(({ day, ids, hasHits, imports }) => [
      day,
      { kind: hasHits === 1 ? 'hits' : 'sums', ids, imports, exclusions: listIdsOn(exclusions, day) },
    ]),
  );
}

/** Returns whether a day still has the state with which it was listed. */
export function hasState(db: Db, { siteId, day, state }: DueDay): boolean {
  const present = listStates(db, siteId, { from: day, to: day + 1 }).get(day) ?? NONE;
  return writeCanonical(present) === writeCanonical(state);
}

/**
 * Adds the receipt of a day. If the day's state has changed since the day was counted, no receipt is added, and the day
 * is due again. If the content equals the day's last receipt, only the new state is stored. Returns true if a receipt
 * was added. Call this function inside a transaction.
 */
export function appendReceipt(db: Db, { siteId, day, state, ...counted }: CountedDay, now: number): boolean {
  const domain = findSiteDomain(db, siteId);
  if (domain === undefined || !hasState(db, { siteId, day, state })) return false;
  const former = findReceiptOfDay(db, siteId, day);
  const before = former && readBody<Receipt>(former);
  const content = { kind: state.kind, imports: [...state.imports], ...counted };
  if (former && before && isSame(before, content)) {
    setReceiptState(db, siteId, { sequence: former.sequence, state: writeCanonical(state) });
    return false;
  }
  const reason = former ? findReason(JSON.parse(former.state), state) : findFirstReason(db, siteId, day, state);
  const own = { site: domain, date: formatDay(day * DAY), reason, ...content };
  addToChain(db, { siteId, day, state: writeCanonical(state) }, own, now);
  return true;
}

const isSame = (before: Receipt, content: Pick<Receipt, 'kind' | 'digest' | 'figures' | 'imports' | 'exclusions'>) =>
  (['kind', 'digest', 'figures', 'imports', 'exclusions'] as const).every(
    (name) => writeCanonical(before[name]) === writeCanonical(content[name]),
  );

/** Finds the reason for a new receipt, by comparing the day's state before with its state now. */
function findReason(before: DayState, now: DayState): Reason {
  if (now.kind === 'none') return 'removed';
  if (before.kind === 'none') return now.imports.length > 0 ? 'import' : 'sealed';
  if (before.kind === 'hits' && now.kind === 'sums' && before.ids === now.ids) return 'retention';
  if (before.imports.join() !== now.imports.join()) return 'import';
  if (`${now.ids} `.startsWith(`${before.ids} `) && before.ids !== now.ids) return 'late_hits';
  return before.ids === now.ids && before.exclusions !== now.exclusions ? 'exclusion' : 'changed';
}

/**
 * Finds the reason for the first receipt of a day. The reason `first` marks a day that was sealed before the server had
 * a key. No signature covers the time before the key.
 */
function findFirstReason(db: Db, siteId: number, day: number, { imports }: DayState): Reason {
  const since = listReceiptKeys(db).at(-1)?.createdAt ?? 0;
  const [sealed] = listReceiptDays(db, siteId, day, day + 1);
  if (sealed && sealed.at < since) return 'first';
  return imports.length > 0 ? 'import' : 'sealed';
}

/** Makes a function that finds the time zone of a site's day, and the server's outages on this day. */
export function describeDays(db: Db, siteId: number): (day: number) => Pick<Receipt, 'zone' | 'outages'> {
  const zone = listSiteZones(db).find((one) => one.siteId === siteId)?.timeZone ?? UTC;
  const imported = new Map(listImportedDays(db, siteId).map((one) => [one.day, one.timeZone]));
  const calendar = makeCalendar(zone, listZoneChanges(db, siteId), imported);
  return (day) => ({
    zone: calendar.findZoneOfDay(day),
    outages: listOutages(db, calendar.findStart(day), calendar.findEnd(day)).map(({ from, to, reason }) => ({
      ...{ from: iso(from), to: iso(to), reason },
    })),
  });
}

type Content = Omit<Draft, 'format' | 'sequence' | 'previous' | 'replaces' | 'sealed_at' | 'key'>;

function addToChain(
  db: Db,
  of: Pick<StoredReceipt, 'day' | 'state'> & { siteId: number },
  content: Content,
  now: number,
) {
  const last = findLastReceipt(db, of.siteId);
  const before = last && readBody<Receipt>(last);
  const keys = listReceiptKeys(db);
  const [key] = keys;
  if (!key?.seed) throw new Error('there is no key for receipts');
  const formerKey = before && before.key !== key.key ? keys.find((one) => one.key === before.key) : undefined;
  const draft: Draft = {
    ...{ format: 1, sequence: (last?.sequence ?? 0) + 1, previous: before ? hashReceipt(before) : null },
    ...{ ...content, replaces: findReceiptOfDay(db, of.siteId, of.day)?.sequence ?? null },
    ...{ sealed_at: iso(now), key: key.key },
  };
  const receipt = signReceipt(draft, key.seed, formerKey?.seed ?? null);
  addReceipt(db, of.siteId, { sequence: draft.sequence, day: of.day, state: of.state, body: writeWhole(receipt) });
}

/** Makes the first key with which the server signs receipts, if the server has no such key. */
export function makeReceiptKey(db: Db, random: Random, now: number): void {
  if (listReceiptKeys(db).length === 0) db.write(() => addNewKey(db, random, now));
}

function addNewKey(db: Db, random: Random, now: number): void {
  const seed = random(32);
  addReceiptKey(db, { key: findPublicKey(seed), seed, now });
}

/**
 * Replaces the key. Each chain gets a receipt with the reason `key`, which repeats the content of its last receipt.
 * Both keys sign this receipt. After that, the former key cannot sign any more. Returns the number of chains.
 */
export function rotateReceiptKey(db: Db, random: Random, now: number): number {
  return db.write(() => {
    addNewKey(db, random, now);
    const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
    const sites = listSitesWithReceipts(db);
    for (const siteId of sites) {
      const last = findLastReceipt(db, siteId) as StoredReceipt;
      const { site, date, kind, digest, figures, dropped, outages, imports, exclusions, zone } =
        readBody<Receipt>(last);
      const own = { site: domains.get(siteId) ?? site, date, kind, digest, figures, dropped, outages, imports };
      const content: Content = { ...own, exclusions, zone, reason: 'key' };
      addToChain(db, { siteId, day: last.day, state: last.state }, content, now);
    }
    forgetReplacedSeeds(db);
    return sites.length;
  });
}
