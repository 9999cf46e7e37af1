// Share links with a name in the API. Each site can also have one link without a name, which is the setting `shared`
// (sites.ts).
//
// Invariant: no answer has a password or its hash.
//
// The websites in `origins` may show the page of a link in a frame. A link with a password has no `origins`. Its page
// needs a cookie, and browsers do not send this cookie from a frame of another website.
//
// Example: POST /sites/7/shares with `{ "name": "Agency", "view_id": 3 }` answers with the URL of a link that shows
// only what the view 3 shows. The table in routes.ts calls these functions.
import * as v from 'valibot';
import { Password } from '../auth/passwords.ts';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Instant, PositiveId, Time, text } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import { findView } from '../store/sites/saved-views.ts';
import * as shares from '../store/sites/shares.ts';
import { Origin } from './embeds.ts';
import type { SiteCall } from './route.ts';
import { makeSlug } from './sites.ts';
import { readViewFilters } from './views.ts';

export const Share = v.strictObject({
  id: Id,
  name: v.string(),
  url: v.pipe(v.string(), v.url()),
  password: v.pipe(v.boolean(), v.description('Whether the link needs a password')),
  expires_at: v.nullable(Time),
  view_id: v.nullable(Id),
  origins: v.array(v.string()),
  created_at: Time,
});
export type Share = v.InferOutput<typeof Share>;

/** The most origins whose pages may show a link in a frame. All of them must fit into one HTTP header. */
const MOST_ORIGINS = 20;

const Origins = v.pipe(
  v.array(Origin, fault('no_list')),
  v.maxLength(MOST_ORIGINS, fault('too_many_values', { most: MOST_ORIGINS })),
  v.transform((origins) => [...new Set(origins)]),
);
const [Name, Secret, End, View] = [text(100), v.nullable(Password), v.nullable(Instant), v.nullable(PositiveId)];
export const NewShare = v.strictObject({
  name: Name,
  password: v.optional(Secret, null),
  expires_at: v.optional(End, null),
  view_id: v.optional(View, null),
  origins: v.optional(Origins, []),
});
export const ShareChange = v.partial(
  v.strictObject({ name: Name, password: Secret, expires_at: End, view_id: View, origins: Origins }),
);
type NewShare = v.InferOutput<typeof NewShare>;
type ShareChange = v.InferOutput<typeof ShareChange>;

export const list = ({ db, site, api }: SiteCall): Share[] =>
  shares.listShares(db, site.id).map((share) => answer(share, api.config.baseUrl));

export const assertRoom = ({ db, site }: SiteCall): void => shares.assertRoomForShare(db, site.id);

/** Hashing takes time, so it runs before the transaction. Returns the body, with the hash in place of the password. */
export async function hashPassword<Body extends ShareChange>({ api, body, site }: SiteCall<Body>): Promise<Body> {
  const { password } = body;
  if (typeof password !== 'string') return body;
  return { ...body, password: await api.passwords.hash(password, site.account_id) };
}

export function add(call: SiteCall<NewShare> & { prepared: NewShare }): Share {
  const { db, site, prepared, now, api } = call;
  assertFits(call, prepared, prepared);
  return answer(shares.addShare(db, site.id, { ...prepared, slug: makeSlug(api.random), now }), api.config.baseUrl);
}

export function change(call: SiteCall<ShareChange> & { prepared: ShareChange }): Share {
  const { db, site, id, prepared, api } = call;
  const share = { ...shares.findShare(db, site.id, id), ...prepared } as shares.Share;
  assertFits(call, prepared, share);
  return answer(shares.changeShare(db, site.id, id, share), api.config.baseUrl);
}

export const remove = ({ db, site, id }: SiteCall): void => shares.removeShare(db, site.id, id);

/**
 * Refuses a link that would not work. The end and the view are checked only if the request has them. `password` and
 * `origins` must fit each other. So they are the values after the change, even if the request has only one of them.
 */
function assertFits(
  { db, site, now }: SiteCall<unknown>,
  { expires_at: end, view_id: viewId }: ShareChange,
  { password, origins }: Pick<shares.Share, 'password' | 'origins'>,
): void {
  if (typeof end === 'number' && end <= now) throw invalid({ expires_at: coded('not_past') });
  if (typeof viewId === 'number') {
    const view = findView(db, site.id, viewId);
    if (!view) throw invalid({ view_id: coded('no_view_of_site') });
    readViewFilters(db, site.id, view.query);
  }
  if (password !== null && origins.length > 0) throw invalid({ origins: coded('password_not_framed') });
}

const answer = (
  { slug, password, expires_at, created_at, view: _, ...share }: shares.Share,
  baseUrl: string,
): Share => ({
  ...share,
  url: `${baseUrl}/share/${slug}`,
  password: password !== null,
  expires_at: expires_at === null ? null : iso(expires_at),
  created_at: iso(created_at),
});
