// The list of referrer spam. Spammers send hits with a false referrer. They hope that readers of the statistics open
// the host of the referrer. The operator may add a file with more hosts.
//
// Invariant: a domain on the list also covers all its subdomains. A line of the file that is not a domain is ignored,
// and the log says how many such lines there are.
//
// Example: `semalt.com` is on the list, therefore a pageview with the source `x.semalt.com` is dropped as `spam`.
// collect/outcome.ts calls isSpam for each hit with a source.

import { readDomain } from '../lib/http/fields.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { makeUnchanging, type WatchedFile, watchFile } from '../lib/watched-file.ts';
import { normalizeHost } from './source.ts';

/** Hosts that spammers have used in false referrers for years. */
const BUILT_IN = new Set([
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
  // These two hosts imitate Google and Lifehacker. In each host, one letter is replaced by a letter that looks similar.
  'xn--oogle-wmc.com',
  'xn--lifehacer-1rb.com',
]);

const isListed = (host: string, domains: ReadonlySet<string>): boolean => {
  for (let rest = host, dot = 0; dot >= 0; rest = rest.slice(dot + 1)) {
    if (domains.has(rest)) return true;
    dot = rest.indexOf('.');
  }
  return false;
};

export type SpamList = {
  /** True if the host is on the list. `spam.example` on the list also covers `a.spam.example`. */
  isSpam(host: string): boolean;
  settle(): Promise<void>;
};

/**
 * Opens the list of spam: the built-in hosts, and the hosts in the operator's file. The file has one domain per line. A
 * comment begins with #.
 */
export function openSpamList(path: string | undefined, clock: Clock, log: Log): SpamList {
  const own = path === undefined ? makeUnchanging(new Set<string>()) : listFile(path, clock, log);
  return { isSpam: (host) => isListed(host, BUILT_IN) || isListed(host, own.content()), settle: own.settle };
}

/** Reads the operator's file. `ignored` is the number of lines that are not a domain. */
function readDomains(text: string): { domains: Set<string>; ignored: number } {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const typed = lines.filter((line) => line !== '');
  const domains = typed.map(readDomain).filter((domain) => domain !== undefined);
  return {
    domains: new Set(domains.map((domain) => normalizeHost(domain) ?? domain)),
    ignored: typed.length - domains.length,
  };
}

function listFile(path: string, clock: Clock, log: Log): WatchedFile<ReadonlySet<string>> {
  function parse(bytes: Buffer): ReadonlySet<string> {
    const { domains, ignored } = readDomains(bytes.toString());
    if (ignored > 0) {
      log('the spam list has lines that are not domains. They are ignored. Write one domain per line', {
        path,
        ignored,
      });
    }
    return domains;
  }
  return watchFile({ path, flag: '--spam-list', name: 'spam list', parse, clock, log });
}
