// Functions that read settings. Each takes the text of one command-line flag, and returns the value or throws.
//
// Invariant: an error is one line that names the flag and says which values are allowed. Wrong values are never
// corrected.
//
// Example: `readWord('ack', 'disc', ['disk', 'replicas'])` throws "--ack takes disk or replicas, not "disc"".
// src/config.ts calls these functions.

import { Refusal, USAGE } from './errors.ts';
import { type AddressList, isLocal, readAddressList } from './http/address.ts';

/**
 * The environment variable with the secret of the webhook. No flag takes the secret itself, because every user of a
 * machine can see the flags of running programs. `--webhook-secret-file` takes the path of a file with the secret.
 */
export const WEBHOOK_SECRET = 'DAYBOOK_WEBHOOK_SECRET';

export function readWholeNumber(name: string, text: string, max: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) > max) {
    throw new Refusal(`--${name} takes a whole number from 0 to ${max}, not "${text}"`, USAGE);
  }
  return Number(text);
}

export function readAddresses(name: string, list: string): AddressList {
  try {
    return readAddressList(list);
  } catch (error) {
    const help = 'Write it as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32, with commas between several';
    throw new Refusal(`--${name}: ${(error as Error).message}. ${help}`, USAGE);
  }
}

export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || text.replace(/\/$/, '').toLowerCase() !== url.origin) {
    throw new Refusal(`--base-url takes an origin such as https://stats.example.com, not "${text}"`, USAGE);
  }
  return url.origin;
}

export type OidcSettings = {
  issuer: string;
  client: string;
  /**
   * The path of the file with the secret by which the provider recognises this server. Without a secret, only PKCE
   * protects the authorization code.
   */
  secretFile: string | undefined;
  /** The name of the provider on the sign-in page. */
  name: string;
  /** The claim whose values decide the role of a new user. Without a claim, a new user needs an invitation. */
  claim: ClaimRoles | undefined;
};

/**
 * A claim, and the roles that its values stand for. Example: the claim `groups` has the value `analysts`, which stands
 * for the role viewer.
 */
export type ClaimRoles = { name: string; roles: ReadonlyMap<string, 'viewer' | 'manager'> };

/**
 * Reads the URL of a provider of OpenID Connect. The provider vouches for people, so its answers must come by https. A
 * program on this machine, such as a test, may use http.
 */
export function readIssuer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!url || !(url.protocol === 'https:' || isHere) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new Refusal(`--oidc-issuer takes a URL such as https://auth.example.com/realms/main, not "${text}"`, USAGE);
  }
  return url;
}

/** Reads which values of a claim stand for which roles. A value may have colons, but no comma. */
export function readClaimRoles(text: string): ClaimRoles {
  const [, name = '', list = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  const roles = new Map<string, 'viewer' | 'manager'>();
  for (const entry of list.split(',')) {
    const [, value, role] = /^(.+):(viewer|manager)$/s.exec(entry.trim()) ?? [];
    if (value === undefined || role === undefined) {
      throw new Refusal(
        `--oidc-claim takes a list such as groups=analysts:viewer,web-team:manager, not "${text}"`,
        USAGE,
      );
    }
    roles.set(value, role as 'viewer' | 'manager');
  }
  return { name, roles };
}

export function readWord<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word === undefined) throw new Refusal(`--${name} takes ${words.join(' or ')}, not "${text}"`, USAGE);
  return word;
}

/**
 * Tells whether a URL leads into a private network. The host of such a URL is a private IP address, or a name without a
 * dot. No public server has such a name.
 */
const isInside = (url: URL): boolean => isLocal(url) || !/[.[]/.test(url.hostname);

/**
 * Reads the URL of the primary. A collector gets secrets from the primary, such as the password of the cluster. On the
 * way through the internet, others could read plain http. So http is allowed only inside a private network.
 */
export function readPrimary(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || text.replace(/\/$/, '').toLowerCase() !== url.origin) {
    throw new Refusal(`--primary takes an origin such as https://stats.example.com, not "${text}"`, USAGE);
  }
  if (url.protocol === 'http:' && !isInside(url)) {
    throw new Refusal('--primary takes http:// only for an address or a name in a network of your own', USAGE);
  }
  return url.origin;
}

export function readMailServer(text: string): string {
  if (!URL.canParse(text) || !/^smtps?:$/.test(new URL(text).protocol) || new URL(text).hostname === '') {
    throw new Refusal('--smtp-url takes a URL such as smtps://user:password@mail.example.com', USAGE);
  }
  return text;
}

/**
 * Reads the URL that gets alerts and reports. The receiver recognizes messages of this server by their signature, so a
 * secret is needed. Slack needs no signature, because the URL itself is secret.
 */
export function readWebhook(text: string, hasSecret: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Refusal('--webhook-url takes a URL such as https://example.com/daybook, without a password', USAGE);
  }
  // With plain http, anybody on the network could read the messages and the secret URL of Slack.
  if (url.protocol === 'http:' && !isInside(url)) {
    throw new Refusal('--webhook-url takes http:// only for an address or a name in a network of your own', USAGE);
  }
  if (!hasSecret && url.hostname !== 'hooks.slack.com') {
    throw new Refusal(
      `--webhook-url needs --webhook-secret-file or ${WEBHOOK_SECRET}, which signs what is sent`,
      USAGE,
    );
  }
  return url.href;
}

/**
 * Reads the paths to which the tracking script may send hits, such as `/linen/ripple, /day`. The script itself is at
 * these paths with .js at their end. The path `always` is added if the list lacks it. A path that daybook uses for
 * something else is refused.
 */
export function readScriptPaths(list: string, always: string): [first: string, ...others: string[]] {
  const [first = '', ...others] = list.split(',').map((path) => readScriptPath(path.trim()));
  const all = new Set([first, ...others, always]);
  all.delete(first);
  return [first, ...all];
}

function readScriptPath(text: string): string {
  if (
    !/^(?:\/[A-Za-z0-9_-]+)+$/.test(text) ||
    /^\/(?:account|all-sites|api|assets|cluster|collectors|email|factors|forgot|healthz|invite|live|mcp|metrics|password|privacy|prove|readyz|server|setup|share|sign-in|sign-out|sites|unsubscribe|verify)(?:\/|$)/.test(
      text,
    )
  ) {
    throw new Refusal(`--script takes a path such as /day that is not one of daybook's own, not "${text}"`, USAGE);
  }
  return text;
}

/**
 * Reads the secret that opens the page /metrics. The secret must be so long that nobody can guess it. The secret is
 * sent in an HTTP header, which allows only certain characters.
 */
export function readSecret(text: string): string {
  if (!/^[\x21-\x7e]{16,}$/.test(text)) {
    throw new Refusal('--metrics-token takes at least 16 characters and no spaces', USAGE);
  }
  return text;
}
