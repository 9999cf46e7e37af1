import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Refusal } from '../lib/errors.ts';
import { domainOf } from '../lib/fields.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { normalizedHost } from './source.ts';

/** Hosts that sent false referrers for years, to be clicked on in statistics; a list of one's own adds to them. */
const NOTORIOUS = new Set([
  '100dollars-seo.com',
  '4webmasters.org',
  'best-seo-offer.com',
  'best-seo-solution.com',
  'blackhatworth.com',
  'bottraffic.live',
  'buttons-for-website.com',
  'buttons-for-your-website.com',
  'buy-cheap-online.info',
  'cenoval.ru',
  'darodar.com',
  'econom.co',
  'event-tracking.com',
  'floating-share-buttons.com',
  'free-share-buttons.com',
  'free-social-buttons.com',
  'get-free-traffic-now.com',
  'grets.store',
  'guardlink.org',
  'hulfingtonpost.com',
  'humanorightswatch.org',
  'ilovevitaly.com',
  'iskalko.ru',
  'kambasoft.com',
  'o-o-6-o-o.com',
  'priceg.com',
  'ranksonic.info',
  'savetubevideo.com',
  'seders.website',
  'semalt.com',
  'semaltmedia.com',
  'simple-share-buttons.com',
  'social-buttons.com',
  'success-seo.com',
  'trafficmonetize.org',
  'videos-for-your-business.com',
  // Google and Lifehacker with a letter that only looks like theirs.
  'xn--oogle-wmc.com',
  'xn--lifehacer-1rb.com',
]);

/** How long a change of the file may go unnoticed. */
const PATIENCE = 5_000;

/** Another one means that the file was written or replaced. */
const markOf = ({ mtimeMs, size, ino }: Stats): string => [mtimeMs, size, ino].join();

const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';

const below = (host: string, domains: ReadonlySet<string>): boolean => {
  for (let rest = host, dot = 0; dot >= 0; rest = rest.slice(dot + 1)) {
    if (domains.has(rest)) return true;
    dot = rest.indexOf('.');
  }
  return false;
};

function firstRead(path: string): [mark: string, text: string] {
  try {
    return [markOf(statSync(path)), readFileSync(path, 'utf8')];
  } catch (error) {
    throw new Refusal(`--spam-list: ${path} cannot be read (${reasonOf(error)})`, 78);
  }
}

/** The domains in a file, which is looked at again while they are asked for. */
function watched(path: string, clock: Clock, log: Log) {
  function domainsIn(text: string): Set<string> {
    const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
    const typed = lines.filter((line) => line !== '');
    const domains = typed.map(domainOf).filter((domain) => domain !== undefined);
    const ignored = typed.length - domains.length;
    if (ignored > 0) log('spam list has lines that are no domain', { path, ignored });
    return new Set(domains.map((domain) => normalizedHost(domain) ?? domain));
  }

  const [firstMark, text] = firstRead(path);
  let mark = firstMark;
  let domains = domainsIn(text);
  let isFailing = false;
  let lookedAt = clock.tick();
  let look = Promise.resolve();

  async function lookAgain(): Promise<void> {
    try {
      // Before the content: what is written after this shows the next time.
      const found = markOf(await stat(path));
      if (found !== mark) domains = domainsIn(await readFile(path, 'utf8'));
      mark = found;
      isFailing = false;
    } catch (error) {
      if (!isFailing) log('spam list cannot be read; it stays as it was', { path, reason: reasonOf(error) });
      isFailing = true;
    }
    lookedAt = clock.tick();
  }

  return {
    domains(): ReadonlySet<string> {
      if (clock.tick() - lookedAt >= PATIENCE) {
        lookedAt = Number.POSITIVE_INFINITY;
        look = lookAgain();
      }
      return domains;
    },
    settle: () => look,
  };
}

export type SpamList = {
  /** Whether a host, or a domain that it belongs to, is listed. It never waits for the disk. */
  isSpam(host: string): boolean;
  /** When a look at the file that has begun is over. */
  settle(): Promise<void>;
};

/**
 * The built-in list, and with a path that of a file: a domain a line, # begins a comment. A file that cannot be read
 * any more is reported once, and what it said last stays.
 */
export function spamList(path: string | undefined, clock: Clock, log: Log): SpamList {
  if (path === undefined) return { isSpam: (host) => below(host, NOTORIOUS), settle: async () => {} };
  const own = watched(path, clock, log);
  return { isSpam: (host) => below(host, NOTORIOUS) || below(host, own.domains()), settle: own.settle };
}
