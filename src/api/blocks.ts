// Blocks in the API. A block names hits that a site no longer counts, such as the hits from an IP address.
//
// Invariant: no answer contains an IP address. The field `mine` of an answer tells whether the block is about the IP
// address of the caller.
//
// Example: POST /sites/7/blocks with `{ "kind": "address", "mine": true, "note": "Office" }` blocks the caller's own IP
// address. The answer has `value: null` and `mine: true`. The table in routes.ts calls these functions.
import { isIP } from 'node:net';
import * as v from 'valibot';
import { spellHost } from '../classify/host.ts';
import { normalizeHost } from '../classify/source.ts';
import type { BlockedHits } from '../engine/engine.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { findClientAddress, unmapAddress } from '../lib/http/address.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time, text } from '../lib/http/fields.ts';
import { isPattern } from '../lib/pattern.ts';
import { iso } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import * as blocks from '../store/sites/blocks.ts';
import { Count } from './answers.ts';
import { SourcePattern } from './filter-values.ts';
import { Pattern, TargetPage } from './input.ts';
import type { Call, SiteCall } from './route.ts';

export const Block = v.strictObject({
  id: Id,
  kind: v.picklist(blocks.BLOCK_KINDS),
  value: v.nullable(v.pipe(v.string(), v.description('Null for an IP address. Only its hash is kept'))),
  note: v.string(),
  mine: v.pipe(v.boolean(), v.description('Whether it is the IP address of this request')),
  dropped: v.pipe(
    v.nullable(Count),
    v.description('How many hits it has dropped in the last 30 days. Null if they could not be counted'),
  ),
  created_at: Time,
});
export type Block = v.InferOutput<typeof Block>;

const MOST_LETTERS = 200;
const Note = v.optional(
  v.pipe(v.string(fault('no_text')), v.trim(), v.maxLength(MOST_LETTERS, fault('too_long', { most: MOST_LETTERS }))),
  '',
);

/**
 * Turns the typed text into a pattern for user agents. The text may be a part of a user agent: HeadlessChrome becomes
 * `*headlesschrome*`.
 */
function readAgentPattern(typed: string): string {
  const lower = typed.toLowerCase();
  return lower.includes('*') ? lower : `*${lower}*`;
}

const Address = v.pipe(
  v.string(fault('no_text')),
  v.trim(),
  v.check((typed) => isIP(typed) !== 0, fault('no_address')),
  v.transform(unmapAddress),
);

/**
 * Makes the schema of a host or of a pattern of hosts. `write` gives a host the form in which hits store it, such as
 * `xn--mnchen-3ya.de` for `München.de`. A pattern is only changed to lower case.
 */
const makeHost = (write: (host: string) => string | undefined) =>
  v.pipe(
    SourcePattern,
    v.transform((host) => (isPattern(host) ? host : (write(host) ?? host))),
  );

/**
 * The schemas for the values of all kinds of blocks, except `address`. A schema changes a country, host or page to the
 * form in which hits store it. A user agent becomes a pattern.
 */
const VALUES = {
  country: v.pipe(v.string(fault('no_text')), v.regex(/^[A-Za-z]{2}$/, fault('no_country')), v.toUpperCase()),
  hostname: makeHost(spellHost),
  page: TargetPage,
  source: makeHost(normalizeHost),
  agent: v.pipe(text(MOST_LETTERS), Pattern, v.transform(readAgentPattern)),
} as const;

export const NewBlock = v.variant('kind', [
  v.strictObject({
    kind: v.literal('address'),
    value: v.optional(Address),
    mine: v.optional(v.literal(true, fault('only_true'))),
    note: Note,
  }),
  ...Object.entries(VALUES).map(([kind, value]) =>
    v.strictObject({ kind: v.literal(kind as keyof typeof VALUES), value, note: Note }),
  ),
]);
type NewBlock = v.InferOutput<typeof NewBlock>;

const DROPPED_DAYS = 30;

export async function list(call: SiteCall): Promise<Block[]> {
  const dropped = await listDropped(call);
  const own = findOwn(call);
  return blocks
    .listBlocks(call.db, call.site.id)
    .map((block) => answer(block, dropped && sumDropped(call.site, block, dropped), own));
}

/**
 * Lists the hits that blocks of the site dropped today and on the 29 days before. Returns null if the servers of a
 * cluster do not answer. People must be able to see and change blocks then. For example, a flood of hits may overload
 * the servers, and a new block can drop these hits (test/cluster/away.test.ts).
 */
async function listDropped({ api, site, now }: SiteCall): Promise<BlockedHits[] | null> {
  const end = findSiteDay(site, now) + 1;
  try {
    return await api.queries.countBlocked(site.id, { from: end - DROPPED_DAYS, to: end });
  } catch (error) {
    if (error instanceof Problem && error.code === 'unavailable') return null;
    throw error;
  }
}

/**
 * Sums up the hits that a block dropped since the day of its creation. Hits of earlier days belong to an older block
 * with an equal id. Example: after a restore of the database file, a new block gets the id of an old block. The cluster
 * still has the hits that the old block dropped.
 */
function sumDropped(site: SiteZone, { id, created_at }: blocks.Block, dropped: readonly BlockedHits[]): number {
  const first = findSiteDay(site, created_at);
  return dropped.filter(({ block, day }) => block === id && day >= first).reduce((sum, { hits }) => sum + hits, 0);
}

export const assertRoom = ({ db, site }: SiteCall): void => blocks.assertRoomForBlock(db, site.id);

/**
 * Adds a block without asking the engine, which may be overloaded. A new block has dropped no hits yet. If the block
 * already exists, the answer has `dropped: null`, because only the engine knows the number.
 */
export function add(call: SiteCall<NewBlock>): Block {
  const { db, site, body, now } = call;
  const { kind, note } = body;
  const value = body.kind === 'address' ? hashAddress(call, body) : body.value;
  const before = blocks.listBlocks(db, site.id);
  const block = blocks.addBlock(db, site.id, { kind, value, note, now });
  const isNew = !before.some(({ id }) => id === block.id);
  return answer(block, isNew ? 0 : null, findOwn(call));
}

export const remove = ({ db, site, id }: SiteCall): void => blocks.removeBlock(db, site.id, id);

function hashAddress(
  call: SiteCall<NewBlock>,
  { value, mine }: { value?: string | undefined; mine?: true | undefined },
) {
  if ((value === undefined) === (mine === undefined)) throw invalid({ value: coded('value_or_mine') });
  if (mine && isProxyIgnored(call)) throw invalid({ mine: coded('proxy_not_trusted') });
  return blocks.makeAddressHash(call.db, call.api.random, value ?? findAddress(call));
}

/**
 * Finds the hash of the caller's own IP address. Returns undefined if there is no key for hashes yet, because nobody
 * has blocked an IP address.
 */
const findOwn = (call: SiteCall<unknown>): string | undefined => blocks.findAddressHash(call.db, findAddress(call));

const findAddress = ({ incoming: { headers, socket }, api }: Pick<Call<unknown>, 'incoming' | 'api'>): string =>
  findClientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString(), api.config.trust);

/**
 * True if the request came through a proxy that the server does not trust. Then all visitors seem to have the IP
 * address of the proxy, and blocking it would block everybody.
 */
const isProxyIgnored = ({ incoming: { headers, socket }, api }: Pick<Call<unknown>, 'incoming' | 'api'>): boolean =>
  headers['x-forwarded-for'] !== undefined && !api.config.trust(unmapAddress(socket.remoteAddress ?? ''));

/**
 * Finds a block without the hash of its IP address. The audit log reads the block's name from the result, and must not
 * contain the hash.
 */
export function findShownBlock(db: Db, siteId: number, id: number) {
  const block = blocks.findBlock(db, siteId, id);
  return block && hideHash(block);
}

/** The stored value of a block of an IP address is a hash, which means nothing to people. So the answer has null. */
const hideHash = (block: blocks.Block) => ({ ...block, value: block.kind === 'address' ? null : block.value });

const answer = (block: blocks.Block, dropped: number | null, own: string | undefined): Block => ({
  ...hideHash(block),
  mine: block.kind === 'address' && block.value === own,
  dropped,
  created_at: iso(block.created_at),
});
