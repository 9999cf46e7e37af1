// A website's own server can send hits that it saw, and requests that it got from AI crawlers. This file has the
// functions for both.
//
// A body is a list of up to 1,000 entries. If one entry is wrong, the whole list is refused. The table in `routes.ts`
// calls these functions.

import { isIP } from 'node:net';
import * as v from 'valibot';
import { assertRight, reachSite } from '../auth/guard.ts';
import { identify } from '../auth/identity.ts';
import { RIGHTS, type Right } from '../auth/roles.ts';
import type { CheckSender } from '../collect/mount.ts';
import { Message, PageUrl } from '../collect/payload.ts';
import { unmapAddress } from '../lib/http/address.ts';
import { fault } from '../lib/http/fault.ts';
import { Instant } from '../lib/http/fields.ts';
import { seconds } from '../lib/time.ts';
import { type CollectedSite, findCollectedSiteById, findVisitedSite } from '../store/sites/collected-sites.ts';
import { listFormerDomains } from '../store/sites/domains.ts';
import { Count } from './answers.ts';
import type { Api, SiteCall } from './route.ts';

export const MOST_ENTRIES = 1_000;

const list = <S extends v.GenericSchema>(item: S) =>
  v.pipe(v.array(item, fault('no_list')), v.maxLength(MOST_ENTRIES, fault('too_many_entries', { most: MOST_ENTRIES })));

const Agent = v.string(fault('no_text'));
const Address = v.pipe(
  v.string(fault('no_ip')),
  v.check((typed) => isIP(typed) !== 0, fault('no_ip')),
  // Each alternative has a type. Code generators would allow any value for a schema without a type.
  v.metadata({ anyOf: ['ipv4', 'ipv6'].map((format) => ({ type: 'string', format })) }),
  v.transform(unmapAddress),
);

const { site: _, ...message } = Message.entries;

const NO_OBJECT = fault('no_object');

export const PassedHit = v.strictObject({ ...message, ip: Address, agent: Agent, at: v.optional(Instant) }, NO_OBJECT);
export const PassedHits = list(PassedHit);

export const PassedCrawl = v.strictObject(
  {
    url: PageUrl,
    agent: Agent,
    at: v.optional(Instant),
    status: v.optional(v.pipe(v.number(fault('no_number')), v.integer(fault('no_whole_number')))),
  },
  NO_OBJECT,
);
export const PassedCrawls = list(PassedCrawl);

export const Outcome = v.strictObject({ accepted: Count, dropped: Count });

export const addHits = (call: SiteCall<v.InferOutput<typeof PassedHits>>) =>
  call.api.collector.takeHits(describeSite(call), call.body);

/** Accepts the requests that a website's server has received. Only requests of AI crawlers are counted. */
export const addCrawls = (call: SiteCall<v.InferOutput<typeof PassedCrawls>>) =>
  call.api.collector.takeCrawls(describeSite(call), call.body);

/**
 * With this right, a token can pass on messages of the script even for a site of a blocked account. Messages that
 * browsers themselves send for such a site are stored. So messages that a server passes on are stored too.
 */
const SEND_MESSAGES: Right = { ...RIGHTS.collectSite, evenBlocked: true };

/**
 * Makes the check for a message of the script that a website's server passes on. Such a request has a token and the
 * visitor's IP address. The check refuses a wrong token. The message may name a former domain of the site.
 */
export const makeSenderCheck =
  (api: Api): CheckSender =>
  (headers, domain, address) => {
    const caller = identify(api, { headers, socket: {} }, () => address);
    const now = seconds(api.clock);
    const key = String(findVisitedSite(api.db, domain, now)?.id ?? domain);
    assertRight(api.db, caller, SEND_MESSAGES, reachSite(api.db, caller, key), now);
  };

/** The site may still be served under its former domains. So URLs with a former domain count too. */
const describeSite = ({ db, site, now }: SiteCall<unknown>): CollectedSite => ({
  ...(findCollectedSiteById(db, site.id) as CollectedSite),
  former: listFormerDomains(db, site.id, now),
});
