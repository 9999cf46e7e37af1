// The part of the engine that adds, lists and removes imports.
//
// Invariant: a query sees either all days of an import or none.
//
// Example: an import replaces 30 days. One transaction shows the new days. Only after this transaction, the replaced
// hits are deleted in small steps. engine.ts calls `buildImports`. upkeep/import.ts writes the days.
import { abandonImport, hideImport, listImportedDays, listImports } from '../catalog/imported.ts';
import { addImport } from '../catalog/imports.ts';
import type { Engine } from '../engine/engine.ts';
import type { ImportContent, ImportOptions } from '../engine/import-content.ts';
import { runPolitely } from '../lib/steps.ts';
import { seconds } from '../lib/time.ts';
import { UTC } from '../lib/zone.ts';
import { countImported } from './rows/hits.ts';
import { addPropertyTerms, listTaken, openRows, sealedDays, showImport, stageOpen, termsFor } from './upkeep/import.ts';
import { stage } from './upkeep/seal.ts';
import { sweepHits } from './upkeep/sweep.ts';
import { type Deps, tidyUp, tryTidyUp } from './work/nightly.ts';

export const buildImports = (deps: Deps): Engine['imports'] => ({
  add: (siteId, content, options) => addImported(deps, siteId, content, options),
  list: async (siteId) => deps.db.read(() => listImports(deps.db, siteId, countImported(deps.db, siteId))),
  listDays: async (siteId) => deps.db.read(() => listImportedDays(deps.db, siteId)),
  listTaken: async (siteId, days) => listTaken(deps.db, siteId, days),
  async remove(siteId, id, { alongside } = {}) {
    await runPolitely(sweepHits(deps.db), deps.clock);
    const keptDay = hideImport(deps.db, siteId, id, { now: seconds(deps.clock), alongside });
    await tidyUp(deps);
    return keptDay;
  },
});

/** Adds an import. One transaction makes the whole import visible, so that no query counts only a part. */
async function addImported(
  deps: Deps,
  siteId: number,
  content: ImportContent,
  { replace, pace = deps.clock, written = () => {} }: ImportOptions,
): Promise<number> {
  const { db, clock } = deps;
  const { today, timeZone = UTC } = content;
  const importId = db.write(() => addImport(db, siteId, { now: seconds(clock), today, timeZone }));
  const key = { siteId, importId };
  try {
    const terms = await runPolitely(termsFor(db, siteId, content.texts), pace);
    await runPolitely(addPropertyTerms(db, siteId, content), pace);
    let sealed = 0;
    function* countedDays() {
      for (const day of sealedDays(db, siteId, content, terms)) {
        sealed++;
        yield day;
        written();
      }
    }
    await runPolitely(stage(db, siteId, countedDays(), { importId, now: seconds(clock) }), pace);
    const rows = openRows(content, terms);
    if (rows) await runPolitely(stageOpen(db, key, today, rows), pace);
    showImport(db, { ...key, sealed, now: seconds(clock) }, replace);
  } catch (error) {
    abandonImport(db, siteId, importId);
    throw error;
  } finally {
    await tryTidyUp(deps, pace);
  }
  return importId;
}
