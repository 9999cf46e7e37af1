import { countries } from '../classify/country.ts';
import { spamList } from '../classify/spam.ts';
import type { Config } from '../config.ts';
import { plural } from '../lib/plural.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { dayOfSite } from '../lib/zone.ts';
import type { HitFormat, ImportFile } from './format.ts';
import { type CodeOf, type FileHit, hitReader, type ImportSite } from './reading/file-hits.ts';
import { type Spool, spool } from './reading/spool.ts';
import { reconciliation } from './reconciliation.ts';

export type ReadOptions = {
  config: Config;
  clock: Clock;
  site: ImportSite;
  format: HitFormat;
  /** The temporary file for hits until the whole import file has been read; undefined for a dry run, which stores none. */
  spoolPath: string | undefined;
  /** Random bytes for this import only. */
  key: Buffer;
  codeOf: CodeOf;
};

async function readInto(hits: Spool | undefined, bytes: AsyncIterable<Buffer>, options: ReadOptions) {
  const { config, clock, site, format, key, codeOf } = options;
  const counts = reconciliation();
  const hitOf = hitReader(
    { site, countries: countries(config.geoip, clock, () => {}), clock, key, codeOf },
    format.fields,
  );
  const sink = {
    add(read: FileHit, line: number): void {
      const hit = hitOf(read, line);
      counts.add(hit);
      hits?.add(hit);
    },
    skip: counts.skip,
    lack: counts.lack,
  };
  const spam = spamList(config.spamList, clock, () => {});
  const parser = format.parser(sink, { domain: site.domain, spam, isExcluded: config.excluded });
  for await (const chunk of bytes) parser.feed(chunk);
  parser.end();
  return counts;
}

/** Reads the whole file before any of it is stored, so that an error imports nothing (test/cli/import.test.ts). */
export async function readHits(bytes: AsyncIterable<Buffer>, options: ReadOptions): Promise<ImportFile> {
  const { site, clock } = options;
  const { timeZone } = site;
  const today = dayOfSite(site, seconds(clock));
  const hits = options.spoolPath === undefined ? undefined : spool(options.spoolPath);
  try {
    const counts = await readInto(hits, bytes, options);
    const days = counts.days();
    return {
      content: hits?.content(today, timeZone) ?? { today, timeZone, texts: [], days },
      name: `${plural(counts.hits(), 'hit')} of ${plural(days.length, 'day')}`,
      lines: counts.lines(),
      close: () => hits?.close(),
    };
  } catch (error) {
    hits?.close();
    throw error;
  }
}
