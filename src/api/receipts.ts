// Lists the receipts of a site, and the keys that signed them. A receipt is a signed record of the figures of a sealed
// day.
//
// Each receipt has a number, and receipts are listed in the order of these numbers. A client that has the first 500
// receipts asks only for the receipts after number 500. The keys belong to the server, and not to a site. So they have
// a path of their own, which anybody may read.
//
// Example: `GET /sites/example.com/receipts?after=500` answers `{ receipts: [{ sequence: 501, … }], next: null }`.
// `daybook verify` and verify.html read the receipts. Only `daybook verify` checks that the server lists the keys that
// are in the receipts.

import type { Hono } from 'hono';
import * as v from 'valibot';
import { answerPublic } from '../lib/http/answer.ts';
import { fault } from '../lib/http/fault.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { iso } from '../lib/time.ts';
import { type KeyList, Receipt } from '../receipts/receipt.ts';
import type { Db } from '../store/db.ts';
import { listReceiptKeys } from '../store/server/receipt-keys.ts';
import { listReceipts, readBody } from '../store/sites/receipts.ts';
import { whole } from './input.ts';
import type { SiteCall } from './route.ts';

const MOST = 1_000;
const USUAL = '100';
/** The largest allowed value of `after`. No site ever has so many receipts. */
const LATEST = 1e9;

export const ReceiptsQuery = v.strictObject({
  after: v.optional(whole(0, LATEST, fault('out_of_bounds', { least: 0, most: LATEST })), '0'),
  limit: v.optional(whole(1, MOST, fault('out_of_bounds', { least: 1, most: MOST })), USUAL),
});

/** `next` is the value of `after` for the next request. `next` is null if there are no more receipts. */
export const Receipts = v.strictObject({ receipts: v.array(Receipt), next: v.nullable(v.number()) });
type Receipts = v.InferOutput<typeof Receipts>;

export function list({ db, site, query }: SiteCall<undefined, v.InferOutput<typeof ReceiptsQuery>>): Receipts {
  const { after, limit } = query;
  const found = listReceipts(db, site.id, after, limit + 1);
  const receipts = found.slice(0, limit).map((one) => readBody<Receipt>(one));
  return { receipts, next: found.length > limit ? (receipts.at(-1)?.sequence ?? null) : null };
}

const KEYS = '/.well-known/daybook-key';

export const listKeys = (db: Db): KeyList => ({
  keys: listReceiptKeys(db).map(({ key, createdAt, replacedAt }) => ({
    ...{ key, since: iso(createdAt), until: replacedAt === null ? null : iso(replacedAt) },
  })),
});

/** Lets pages of any origin read the keys. So a page of somebody else can compare them with the keys in receipts. */
export function mountKeys(app: Hono<Env>, db: Db): void {
  mountPath(app, KEYS, {
    GET: () => answerPublic(JSON.stringify(listKeys(db)), 'application/json', { 'Cache-Control': 'no-cache' }),
  });
}
