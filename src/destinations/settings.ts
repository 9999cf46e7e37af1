// The settings of each kind of destination: which URLs and tokens it needs, and which URLs are allowed.
//
// Invariant: a URL that is refused here or in request.ts never gets a request. This file makes all checks that need no
// DNS. If such a check fails, the URL is refused as soon as a person enters it. request.ts checks each connection.
//
// Example: `{ url: 'https://hooks.slack.com/services/T/B/x' }` are the settings of Slack. `http://10.0.0.7/` is
// refused, unless the server runs with --channels-private. src/api/destinations.ts reads settings, and shapes.ts uses
// them.

import { isIP } from 'node:net';
import * as v from 'valibot';
import { type Coded, coded } from '../lang/coded.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import { findReach } from '../lib/http/reach.ts';
import { parseUrl } from '../lib/url.ts';
import type { DestinationKind } from '../store/sites/destinations.ts';

/**
 * Where messages may go. `public`: only to public IP addresses. `private`: also into private networks. `any`: to any
 * URL, because the operator chose the URL. `none`: nowhere, as in the demo.
 */
export type Allowed = 'any' | 'private' | 'public' | 'none';

const LONGEST_URL = 2_000;

const isUsable = (typed: string): boolean => {
  const url = parseUrl(typed);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

const Url = v.pipe(text(LONGEST_URL), v.check(isUsable, fault('no_channel_url')));

/** A token. It becomes a part of a header or a path, and so has only ASCII characters and no spaces. */
const Token = v.pipe(text(500), v.regex(/^[!-~]+$/, fault('no_token_text')));
const LEAST_SECRET = 16;
const Secret = v.pipe(text(200), v.minLength(LEAST_SECRET, fault('too_short', { least: LEAST_SECRET })));

export const SETTINGS = {
  slack: v.strictObject({ url: Url }),
  discord: v.strictObject({ url: Url }),
  teams: v.strictObject({ url: Url }),
  mattermost: v.strictObject({ url: Url }),
  telegram: v.strictObject({
    token: v.pipe(Token, v.regex(/^\d+:[\w-]+$/, fault('no_bot_token'))),
    chat: v.pipe(text(100), v.regex(/^(?:-?\d{1,20}|@\w{4,40})$/, fault('no_chat'))),
    url: v.optional(Url, 'https://api.telegram.org'),
  }),
  ntfy: v.strictObject({
    topic: v.pipe(text(64), v.regex(/^[\w-]+$/, fault('no_topic'))),
    token: v.optional(Token),
    url: v.optional(Url, 'https://ntfy.sh'),
  }),
  gotify: v.strictObject({ url: Url, token: Token }),
  matrix: v.strictObject({ url: Url, token: Token, room: v.pipe(text(255), v.regex(/^!\S+$/, fault('no_room'))) }),
  webhook: v.strictObject({ url: Url, secret: Secret }),
} as const satisfies Record<DestinationKind, v.GenericSchema>;

export type Settings = { [Kind in DestinationKind]: v.InferOutput<(typeof SETTINGS)[Kind]> };

/** The only hosts of some services. A host that begins with a dot stands for all of its subdomains. */
const HOSTS: Partial<Record<DestinationKind, readonly string[]>> = {
  slack: ['hooks.slack.com', 'hooks.slack-gov.com'],
  discord: ['discord.com', 'discordapp.com', '.discord.com'],
  teams: ['.logic.azure.com', '.powerplatform.com', '.webhook.office.com'],
};

const PORTS = ['', '8443'];

const isOneOf = (hosts: readonly string[], hostname: string): boolean =>
  hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host));

/** Says what is wrong with the text of a URL. The check needs no DNS. */
export function findUrlFault(kind: DestinationKind, url: string, allowed: Allowed): Coded | undefined {
  const { hostname, protocol, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (allowed === 'any') return undefined;
  if (isIP(host) !== 0) return findAddressFault(new URL(url), [host], allowed);
  if (allowed === 'private') return undefined;
  const hosts = HOSTS[kind];
  if (hosts && !isOneOf(hosts, hostname)) return coded('other_host', { known: hosts.join(', ') });
  if (protocol !== 'https:') return coded('https_only');
  if (!PORTS.includes(port)) return coded('other_port');
  const isInside = !host.includes('.') || /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)\.?$/.test(host);
  return isInside ? coded('private_network', { host }) : undefined;
}

/**
 * Says why a URL may not be reached at these IP addresses. If a name has several IP addresses, all must be allowed. A
 * public IP address needs HTTPS, because others could read the messages on their way. A public IP address also needs a
 * usual port (`PORTS`).
 */
export function findAddressFault(
  { hostname, protocol, port }: URL,
  addresses: readonly string[],
  allowed: Allowed,
): Coded | undefined {
  if (allowed === 'any') return undefined;
  const reaches = addresses.map(findReach);
  const isRefused = reaches.includes('never') || (reaches.includes('private') && allowed !== 'private');
  if (isRefused || reaches.length === 0) return coded('private_network', { host: hostname });
  if (!reaches.includes('public')) return undefined;
  if (protocol !== 'https:') return coded('https_only');
  return PORTS.includes(port) ? undefined : coded('other_port');
}

/**
 * Returns the part of the settings that people see. This part has neither a token nor a path, because both may be
 * secret.
 */
export function findPlace(settings: Settings[DestinationKind]): string {
  const { host } = new URL(settings.url);
  const target = 'chat' in settings ? settings.chat : 'room' in settings ? settings.room : undefined;
  return target === undefined ? host : `${host} · ${target}`;
}
