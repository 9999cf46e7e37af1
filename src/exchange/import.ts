import { countries } from '../classify/country.ts';
import { spamList } from '../classify/spam.ts';
import type { Config } from '../config.ts';
import type { Content } from '../engine.ts';
import { plural } from '../lib/plural.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { type CodeOf, hitReader } from './file-hits.ts';
import type { FileFormat } from './format.ts';
import { reconciliation } from './reconciliation.ts';
import { type Spool, spool } from './spool.ts';

/** What a file brings, and what is to be said of it. */
export type ImportFile = { content: Content; what: string; lines: string[]; close(): void };

export type Reading = {
  config: Config;
  clock: Clock;
  /** The site, by the domain that it has in the file. */
  site: { id: number; domain: string };
  format: FileFormat;
  /** Where hits are kept until all of the file has been read; undefined where they are only to be checked. */
  spoolPath: string | undefined;
  /** Random bytes of this one import. */
  key: Buffer;
  codeOf: CodeOf;
};

async function readInto(hits: Spool | undefined, bytes: AsyncIterable<Buffer>, reading: Reading) {
  const { config, clock, site, format, key, codeOf } = reading;
  const counts = reconciliation();
  const hitOf = hitReader(
    { site, countries: countries(config.geoip, clock, () => {}), clock, key, codeOf },
    format.fields,
  );
  const sink = {
    add(...read: Parameters<typeof hitOf>): void {
      const hit = hitOf(...read);
      counts.add(hit);
      hits?.add(hit);
    },
    skip: counts.skip,
  };
  const lines = format.reading(sink, { domain: site.domain, spam: spamList(config.spamList, clock, () => {}) });
  for await (const chunk of bytes) lines.feed(chunk);
  lines.end();
  return counts;
}

/** Reads a whole file of hits before anything of it is stored, so that a line that cannot be read stops it in time. */
export async function readHits(bytes: AsyncIterable<Buffer>, reading: Reading): Promise<ImportFile> {
  const today = Math.floor(seconds(reading.clock) / DAY);
  const hits = reading.spoolPath === undefined ? undefined : spool(reading.spoolPath);
  try {
    const counts = await readInto(hits, bytes, reading);
    const days = counts.days();
    return {
      content: hits?.content(today) ?? { today, texts: [], days },
      what: `${plural(counts.hits(), 'hit')} of ${plural(days.length, 'day')}`,
      lines: counts.lines(),
      close: () => hits?.close(),
    };
  } catch (error) {
    hits?.close();
    throw error;
  }
}
