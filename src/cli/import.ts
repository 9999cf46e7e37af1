import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stdin } from 'node:process';
import { countries } from '../collect/country.ts';
import { isPipe, openLog } from '../collect/logfile.ts';
import { lineCutter, ndjson } from '../collect/ndjson.ts';
import { type Spool, spool } from '../collect/spool.ts';
import { visitors } from '../collect/visitor.ts';
import type { Config } from '../config.ts';
import { fold } from '../ledger/fold.ts';
import { abandonImport, addImport, listTaken, showImport, stageOpen, termsFor } from '../ledger/imports.ts';
import { addUpMonths } from '../ledger/months.ts';
import { sealed, stage } from '../ledger/seal.ts';
import { sweep } from '../ledger/sweep.ts';
import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/fields.ts';
import { politely } from '../lib/steps.ts';
import { dayOf } from '../lib/time.ts';
import { WORDS } from '../store/hits.ts';
import { findCollectedSite } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { type Command, clock, type Invocation, now, withStore, word } from './command.ts';

type Site = { id: number; domain: string };

const DAY = 86_400;
const FORMATS = ['ndjson'];

/** Reads the whole file before anything is written, so that a line that cannot be read stops it in time. */
async function readInto(hits: Spool, path: string, { db, config, site }: { db: Db; config: Config; site: Site }) {
  const read = ndjson({
    site,
    countries: countries(config.geoip, clock, () => {}),
    clock,
    key: randomBytes(32),
    codeOf: visitors(db, randomBytes, clock).codeOf,
  });
  const lines = lineCutter((line, number) => {
    const hit = read(line, number);
    if (hit) hits.add(hit);
  });
  if (isPipe(path)) {
    for await (const chunk of path === '-' ? stdin : createReadStream(path)) lines.take(chunk);
  } else {
    const file = openLog(path);
    try {
      for await (const chunk of file.text(0)) lines.take(chunk);
    } finally {
      file.close();
    }
  }
  lines.end();
}

/** Days in words: the first few, and how many more. */
function named(days: readonly number[]): string {
  const names = days.slice(0, 3).map((day) => dayOf(day * DAY));
  return days.length > 3 ? `${names.join(', ')} and ${days.length - 3} more` : names.join(', ');
}

async function store(db: Db, site: Site, hits: Spool, replace: boolean): Promise<{ importId: number; days: number }> {
  const days = hits.days().map(({ day }) => day);
  const today = Math.floor(now() / DAY);
  const past = days.filter((day) => day < today);
  const importId = addImport(db, site.id, { now: now(), today });
  try {
    const terms = await politely(termsFor(db, site.id, hits.texts()), clock);
    const rowsOf = (day: number) => {
      const rows = hits.rows(day);
      for (const name of WORDS) {
        const column = rows.words[name];
        for (let i = 0; i < rows.count; i++) column[i] = terms[column[i] as number] as number;
      }
      return rows;
    };
    function* sealedDays() {
      for (const day of past) yield sealed(fold(day, rowsOf(day)));
    }
    await politely(stage(db, site.id, sealedDays(), { importId, now: now() }), clock);
    if (days.includes(today)) await politely(stageOpen(db, importId, today, rowsOf(today)), clock);
    showImport(db, { siteId: site.id, importId, sealed: past.length, now: now() }, replace);
  } catch (error) {
    abandonImport(db, importId);
    throw error;
  } finally {
    await politely(addUpMonths(db, today), clock);
    await politely(sweep(db, now()), clock);
    db.emptyWal();
  }
  return { importId, days: days.length };
}

async function importFile({ args, flags, config, io }: Invocation): Promise<void> {
  const domain = word(Domain, 'DOMAIN', args[0]);
  const path = args[1] ?? '';
  if (!FORMATS.includes(flags.format ?? '')) {
    throw new Refusal(`--format takes ${FORMATS.join(', ')}, not "${flags.format}"`, 2);
  }
  const replace = flags.replace !== undefined;
  await withStore(config, async (db) => {
    const site = findCollectedSite(db, domain);
    if (!site) throw new Refusal(`there is no site ${domain}; daybook site add makes one`);
    const hits = spool(`${config.db}.import-${process.pid}`);
    try {
      await readInto(hits, path, { db, config, site });
      const counts = hits.days();
      if (counts.length === 0) throw new Refusal(`${path}: there is no hit in it`);
      const taken = listTaken(
        db,
        site.id,
        counts.map(({ day }) => day),
      );
      if (taken.length > 0 && !replace) {
        throw new Refusal(
          `${domain} already has hits on ${named(taken)}; nothing was imported. With --replace the file's days take their place.`,
        );
      }
      const { importId, days } = await store(db, site, hits, replace);
      const sum = counts.reduce((all, { count }) => all + count, 0);
      io.print(`${sum} hits of ${days} ${days === 1 ? 'day' : 'days'} imported (import ${importId})`);
    } finally {
      hits.close();
    }
  });
}

export const importCommands: Command[] = [
  {
    name: 'import',
    args: ['DOMAIN', 'FILE'],
    summary: 'Bring in hits from a file, or from what comes in where FILE is -; all of it or nothing',
    settings: ['db', 'geoip'],
    flags: {
      format: { value: 'NAME', help: `how the file is written: ${FORMATS.join(', ')}`, required: true },
      replace: { help: 'take the place of what the days of the file already hold' },
    },
    run: importFile,
  },
];
