import type { Content, Import, Rows } from '../engine.ts';
import { Refusal } from '../lib/errors.ts';
import type { Steps } from '../lib/steps.ts';
import { WORDS } from '../stats/dimensions.ts';
import { siteExists } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { fold } from './fold.ts';
import { addRows, countImported, hasHits, newestHitId } from './hits.ts';
import { findImport, giveUpImport, listShownImports, showImportRow } from './imports.ts';
import { listOpenDays } from './open-days.ts';
import { type Sealed, sealed } from './seal.ts';
import {
  countStaged,
  giveUpImported,
  isOwnSealed,
  isSealed,
  listImported,
  removeReplaced,
  replacesDays,
  showImported,
} from './sealed-days.ts';
import { sealedSums } from './sum-days.ts';
import { termFor } from './terms.ts';

const AT_ONCE = 2_000;

/** Those of the days that hold hits already. */
export const listTaken = (db: Db, siteId: number, days: readonly number[]): number[] => {
  const open = new Set(listOpenDays(db, siteId, Math.min(...days), Math.max(...days) + 1));
  return days.filter((day) => open.has(day) || isSealed(db, siteId, day));
};

/** The numbers of texts on a site, in their order; those that it did not know get one. */
export function* termsFor(db: Db, siteId: number, texts: readonly string[]): Steps<Int32Array> {
  const terms = new Int32Array(texts.length);
  for (let from = 1; from < texts.length; from += AT_ONCE) {
    db.write(() => {
      if (!siteExists(db, siteId)) throw new Refusal('the site is gone; nothing was imported');
      for (let i = from; i < Math.min(from + AT_ONCE, texts.length); i++) {
        terms[i] = termFor(db, siteId, texts[i] as string);
      }
    });
    yield;
  }
  return terms;
}

/** Rows whose words are places in a list, with the terms that these have. */
function inTerms(rows: Rows, terms: Int32Array): Rows {
  for (const name of WORDS) {
    const column = rows.words[name];
    for (let i = 0; i < rows.count; i++) column[i] = terms[column[i] as number] as number;
  }
  return rows;
}

/** The days of a content that are over, as they are written. */
export function* sealedDays({ days, texts, today, rowsOf, sumsOf }: Content, terms: Int32Array): Generator<Sealed> {
  const places = sumsOf ? new Map(texts.map((text, place) => [text, place])) : new Map<string, number>();
  for (const day of days.filter((one) => one < today)) {
    if (rowsOf) yield sealed(fold(day, inTerms(rowsOf(day), terms)));
    else if (sumsOf) yield sealedSums(sumsOf(day), (text) => terms[places.get(text) ?? 0] as number);
  }
}

/** What a content has of the day that is open. */
export const openRows = ({ days, today, rowsOf }: Content, terms: Int32Array): Rows | undefined =>
  rowsOf && days.includes(today) ? inTerms(rowsOf(today), terms) : undefined;

type Of = { siteId: number; importId: number };

/** Writes what is of the day that is open, under the id of the import, so that nobody sees it yet. */
export function* stageOpen(db: Db, of: Of, day: number, rows: Rows): Steps {
  for (let from = 0; from < rows.count; from += AT_ONCE) {
    db.write(() => addRows(db, { ...of, day }, rows, from, Math.min(from + AT_ONCE, rows.count)));
    yield;
  }
}

type Staged = Of & { sealed: number; now: number };

/**
 * Shows all of an import at once, in place of what its days held where `replace` says so. It costs two small changes for each
 * sealed day, about 10 ms for ten years.
 */
export function showImport(db: Db, { siteId, importId, sealed, now }: Staged, replace: boolean): void {
  db.write(() => {
    const row = findImport(db, siteId, importId);
    if (!row || !siteExists(db, siteId) || countStaged(db, siteId, importId) !== sealed) {
      throw new Refusal('the site is gone, or it took too long; nothing was imported');
    }
    const openDay = hasHits(db, { siteId, importId }) ? row.openDay : null;
    if (openDay !== null && isSealed(db, siteId, openDay)) {
      throw new Refusal('a day ended meanwhile; nothing was imported, import the file again');
    }
    if (replace) removeReplaced(db, siteId, importId);
    else if (replacesDays(db, siteId, importId)) {
      throw new Refusal('some of its days were sealed meanwhile; nothing was imported, see --replace');
    }
    showImported(db, siteId, importId);
    const voidUntil = replace && openDay !== null ? newestHitId(db) : null;
    showImportRow(db, { id: importId, now, openDay, voidUntil });
  });
}

function giveUp(db: Db, { siteId, importId }: Of): void {
  giveUpImported(db, siteId, importId);
  giveUpImport(db, siteId, importId);
}

/** Leaves to be swept what was staged and will not be shown. */
export const abandonImport = (db: Db, of: Of): void =>
  db.write(() => {
    if (findImport(db, of.siteId, of.importId)?.state === 'staged') giveUp(db, of);
  });

/** What was imported into a site: days that were sealed with it, and what of it still lies in a day that is open. */
export function listImports(db: Db, siteId: number): Import[] {
  const brought = [...listImported(db, siteId), ...countImported(db, siteId)];
  return listShownImports(db, siteId).map(({ id, shownAt }) => {
    const own = brought.filter(({ importId }) => importId === id);
    const days = own.map(({ day }) => day);
    return {
      id,
      at: shownAt ?? 0,
      hits: own.reduce((sum, { hits }) => sum + hits, 0),
      days: days.length,
      first: days.length > 0 ? Math.min(...days) : 0,
      last: days.length > 0 ? Math.max(...days) : 0,
    };
  });
}

/**
 * Takes an import out; all of it is left to be swept. Gives the day of which it cannot be taken out any more, because it was sealed together with hits of
 * its own.
 */
export const hideImport = (db: Db, of: Of): number | undefined =>
  db.write(() => {
    const openDay = findImport(db, of.siteId, of.importId)?.openDay ?? undefined;
    giveUp(db, of);
    return openDay !== undefined && isOwnSealed(db, of.siteId, openDay) ? openDay : undefined;
  });
