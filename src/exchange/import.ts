// Imports a file with hits. The parser of the format reads records, and makes a hit of each record. The hits are sorted
// by day in a temporary file, the spool.
//
// The whole file is read before the engine gets any hit. An error in line 9,000,000 therefore imports nothing
// (test/cli/import.test.ts). The engine then gets all hits and shows them in one step. `daybook import` calls
// `readHits` (src/cli/import.ts).

import { openCountries } from '../classify/country.ts';
import { openSpamList } from '../classify/spam.ts';
import type { Config } from '../config.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import { plural } from '../lib/plural.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { DIMENSIONS, PROPERTIES, REVENUE, TEXT_FIELDS, type TextField } from '../stats/dimensions.ts';
import { readOff } from '../stats/dimensions-off.ts';
import { MOST_NAMES_OF_DAY, MOST_VALUES_OF_DAY } from '../stats/properties.ts';
import { parseRevenue } from '../stats/revenue.ts';
import { type HitFormat, type ImportFile, QUARTER } from './format.ts';
import type { FileHit } from './reading/file-fields.ts';
import { type CodeOf, hitReader, type ImportSite } from './reading/file-hits.ts';
import { propertyLimits } from './reading/property-limits.ts';
import { type Spool, spool } from './reading/spool.ts';
import { reconciliation } from './reconciliation.ts';
import { describeDropped } from './unknown-sums.ts';

/** The first bytes of a zip. No format with hits begins with them. */
const ZIP = Buffer.from('PK\u0003\u0004');

export type ReadOptions = {
  config: Config;
  clock: Clock;
  site: ImportSite;
  format: HitFormat;
  /** The path of the spool, a temporary file. The path is undefined in a dry run, which stores nothing. */
  spoolPath: string | undefined;
  /**
   * Random bytes for computing the visitor codes of this import. They are deleted after the import, so nobody can
   * compute the codes again.
   */
  key: Buffer;
  codeOf: CodeOf;
  /** Called after each chunk of the file, with the number of records (also skipped ones) and days so far. */
  watch?: (rows: number, days: number) => void;
  /** True to count an unreadable line as skipped. Otherwise, such a line ends the import with an error. */
  skipUnreadable?: boolean;
};

const UNREADABLE = 'lines that cannot be read';

const REVENUE_PLACE = TEXT_FIELDS.indexOf(REVENUE);

export async function readHits(bytes: AsyncIterable<Buffer>, options: ReadOptions): Promise<ImportFile> {
  const { site, clock } = options;
  const { timeZone } = site;
  const hits = options.spoolPath === undefined ? undefined : spool(options.spoolPath);
  try {
    const { counts, quarters, currency } = await readInto(hits, bytes, options);
    // A log may still grow while it is read, even past midnight. For this reason, today is determined only after the
    // last line.
    const today = findSiteDay(site, seconds(clock));
    const days = counts.days();
    return {
      content: hits?.content(today, timeZone) ?? { today, timeZone, texts: [], days },
      name: `${plural(counts.hits(), 'hit')} of ${plural(days.length, 'day')}`,
      sheet: counts.sheet(),
      quarters,
      currency,
      close: () => hits?.close(),
    };
  } catch (error) {
    hits?.close();
    throw error;
  }
}

const PROPERTY_WORD = TEXT_FIELDS.indexOf(PROPERTIES);

const describeLimited = (hits: number): Coded =>
  coded('left_properties', { hits, names: MOST_NAMES_OF_DAY, values: MOST_VALUES_OF_DAY });

async function readInto(hits: Spool | undefined, bytes: AsyncIterable<Buffer>, options: ReadOptions) {
  const { config, clock, site, format, key, codeOf } = options;
  const counts = reconciliation();
  const quarters = new Set<number>();
  const properties = propertyLimits();
  const dropped = new Set<TextField>();
  let currency: string | undefined;
  const readHit = hitReader(
    {
      ...{ site, countries: openCountries(config.geoip, clock, () => {}), clock, key, codeOf },
      onDrop: (field) => void dropped.add(field),
    },
    format.fields,
  );
  function tryRead<Result>(line: number, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!options.skipUnreadable || !(error instanceof Refusal)) throw error;
      counts.skip(UNREADABLE, line);
      return undefined;
    }
  }
  const sink = {
    tryRead,
    add(read: FileHit, line: number): void {
      const found = tryRead(line, () => readHit(read, line));
      if (!found) return;
      const text = found.texts[PROPERTY_WORD];
      const hit = text
        ? { ...found, texts: found.texts.with(PROPERTY_WORD, properties.limit(found.day, text)) }
        : found;
      counts.add(hit);
      currency ??= parseRevenue(hit.texts[REVENUE_PLACE] ?? '')?.currency;
      if (hit.engaged === undefined) quarters.add(Math.floor((hit.day * DAY + hit.second) / QUARTER));
      hits?.add(hit);
    },
    skip: counts.skip,
    lack: counts.lack,
    leave: counts.leave,
  };
  const spam = openSpamList(config.spamList, clock, () => {});
  const parser = format.parser(sink, { domain: site.domain, spam, isExcluded: config.excluded });
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst && chunk.subarray(0, ZIP.length).equals(ZIP))
      throw new Refusal('the file is a zip. Unpack it, and import the file in it', USAGE);
    isFirst = false;
    parser.feed(chunk);
    options.watch?.(counts.records(), counts.dayCount());
  }
  parser.end();
  if (properties.changed() > 0) counts.leave(describeLimited(properties.changed()));
  const off = readOff(site.dimensionsOff).filter((name) => dropped.has(name));
  for (const what of describeDropped(off.map((name) => DIMENSIONS[name].breakdown))) counts.leave(what);
  return { counts, quarters, currency };
}
