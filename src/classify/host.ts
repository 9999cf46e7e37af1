import { domainToASCII } from 'node:url';

/** The domains of a site: the present domain, and former domains whose hits are still accepted. */
export type Names = { domain: string; former?: readonly string[] };

const isWithin = (domain: string, host: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** True for blog.example.com if the domain is example.com. */
export const isOnSite = ({ domain, former }: Names, host: string): boolean =>
  isWithin(domain, host) || former?.some((one) => isWithin(one, host)) === true;

/** True for a host that exists only on a developer's own machine or network, such as localhost. */
export const isLocalHost = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|.*\.(?:local|localhost)|\[::1\])$/.test(host);

/**
 * Matches a host name that `domainToASCII` would not change. Nearly all hosts match, and converting a host takes 1 µs.
 */
const PLAIN = /^(?!.*xn--)(?:[a-z\d][a-z\d-]{0,62}\.)*[a-z][a-z\d-]{0,62}$/;

/** The longest possible host name, in characters. */
export const LONGEST_HOST = 253;

/**
 * Writes a host name in ASCII and lower case, as URLs have it. `München.de` becomes `xn--mnchen-3ya.de`.
 *
 * A text that is no host name is only written in lower case. The function domainToASCII would cut such a text at a
 * character such as `/`, or decode it. For long texts, domainToASCII would also be slow (trial H10 in
 * torture/words.test.ts).
 */
export function spellHost(host: string): string {
  if (PLAIN.test(host)) return host;
  const isHost = host.length <= LONGEST_HOST && !/[/:?#@\\%\s]/.test(host);
  return (isHost && domainToASCII(host)) || host.toLowerCase();
}
