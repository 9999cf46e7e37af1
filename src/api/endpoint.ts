// An endpoint is a row of the table of routes, prepared to check requests. `mount.ts` calls `admit` and `admitAgain`.
//
// Invariant: `admit` checks the path and the rights of the caller, in the order of docs/api.md. The first check that
// fails gives the answer. 404 comes before 403, so that strangers learn as little as possible. A body takes time to
// arrive, and meanwhile the caller may lose a right. So `admitAgain` makes these checks again after the body has
// arrived.
//
// Example: a site that the caller may not see gets 404, and so does a site that does not exist.

import type { Context } from 'hono';
import * as v from 'valibot';
import { assertRight, parseId, reachSite } from '../auth/guard.ts';
import { type Caller, isReauthenticated } from '../auth/identity.ts';
import { RIGHTS, type Right } from '../auth/roles.ts';
import { findShownImport } from '../catalog/imports.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { findLists, readQuery } from '../lib/http/input.ts';
import type { Env } from '../lib/http/paths.ts';
import { seconds } from '../lib/time.ts';
import { findSession } from '../store/people/sessions.ts';
import { findMember } from '../store/people/team.ts';
import { findToken } from '../store/people/tokens.ts';
import { findAlert } from '../store/sites/alerts.ts';
import { findDestination } from '../store/sites/destinations.ts';
import { findEmbed } from '../store/sites/embeds.ts';
import { findExclusion } from '../store/sites/exclusions.ts';
import { findFunnel } from '../store/sites/funnels.ts';
import { findGoal } from '../store/sites/goals.ts';
import { findNote } from '../store/sites/notes.ts';
import { findView } from '../store/sites/saved-views.ts';
import { findShare } from '../store/sites/shares.ts';
import { findShownBlock } from './blocks.ts';
import { checkParameters, isPropertyList } from './property-filters.ts';
import { type AnyCall, type Api, listNames, type Route } from './route.ts';
import { parseView } from './views.ts';

export type C = Context<Env>;

/**
 * Functions that find what the id in a path stands for. In a path, {goal} stands for the id of a goal. So the function
 * `goal` finds the goal with this id. Each function finds only rows that the caller may see.
 */
const FIND: Record<string, (call: AnyCall) => unknown> = {
  goal: ({ db, site, id }) => findGoal(db, site?.id ?? 0, id),
  funnel: ({ db, site, id }) => findFunnel(db, site?.id ?? 0, id),
  note: ({ db, site, id }) => findNote(db, site?.id ?? 0, id),
  exclusion: ({ db, site, id }) => findExclusion(db, site?.id ?? 0, id),
  view: ({ db, site, id }) => findView(db, site?.id ?? 0, id),
  block: ({ db, site, id }) => findShownBlock(db, site?.id ?? 0, id),
  share: ({ db, site, id }) => findShare(db, site?.id ?? 0, id),
  alert: ({ db, site, id }) => findAlert(db, site?.id ?? 0, id),
  channel: ({ db, site, id }) => findDestination(db, site?.id ?? 0, id),
  import_id: ({ db, site, id }) => findShownImport(db, site?.id ?? 0, id) && { name: String(id) },
  upload: ({ api, site, id }) => api.uploads.find(site?.id ?? 0, id),
  embed: ({ db, site, id }) => findEmbed(db, site?.id ?? 0, id),
  member: ({ db, caller, id }) => findMember(db, caller.accountId, id),
  token: ({ db, caller, id }) => findToken(db, caller.userId, id),
  session: ({ db, caller, id }) => findSession(db, caller.userId, id),
};

const NO_BYTES = new Uint8Array();
const NO_QUERY = v.strictObject({});

export type Endpoint = {
  api: Api;
  row: Route;
  right: Right;
  /**
   * The name in the path that stands for the id of a thing, such as `goal`. If the thing does not exist, the answer is
   * 404.
   */
  noun: string | undefined;
  /** All names in the path, except {site} and `noun`. Their values are checked like parameters of the query. */
  parameters: string[];
  /** The parameters of the query that a URL may have several times. */
  lists: ReadonlySet<string>;
};

export function makeEndpoint(api: Api, row: Route): Endpoint {
  const names = listNames(row.path);
  const noun = names.find((name) => name in FIND);
  const parameters = names.filter((name) => name !== 'site' && name !== noun);
  return { api, row, right: RIGHTS[row.right], noun, parameters, lists: findLists(row.query) };
}

export function admit({ api, row, right, noun }: Endpoint, c: C, caller: Caller): AnyCall {
  if (caller.by === 'share' && !isShown(row, caller)) throw new Problem('not_found');
  const site = right.of === 'site' ? reachSite(api.db, caller, c.req.param('site') ?? '') : undefined;
  const call: AnyCall = {
    api,
    db: api.db,
    now: seconds(api.clock),
    caller,
    incoming: c.env.incoming,
    signal: () => c.req.raw.signal,
    site,
    id: 0,
    thing: undefined,
    query: undefined,
    body: undefined,
    bytes: NO_BYTES,
    prepared: undefined,
    afterCommit: () => {},
    record: () => {},
  };
  if (noun !== undefined) {
    call.id = parseId(c.req.param(noun) ?? '') ?? 0;
    call.thing = FIND[noun]?.(call);
    if (call.thing === undefined) throw new Problem('not_found');
  }
  assertRight(api.db, caller, right, site, call.now);
  if (row.reauthenticates) assertReauthenticated(call);
  row.room?.(call);
  return call;
}

/**
 * Tells whether a share link may open a report. A link with a view shows only visits that pass the view's filters. So
 * it may not open a report that these filters cannot limit.
 */
const isShown = ({ shared }: Route, { share }: Caller): boolean =>
  shared === true || (shared === 'whole' && typeof share?.view !== 'string');

/** Refuses a session whose user has not typed the password in the last 10 minutes. */
export function assertReauthenticated({ caller, now }: Pick<AnyCall, 'caller' | 'now'>): void {
  if (caller.by === 'session' && !isReauthenticated(caller.reauthenticatedAt ?? 0, now))
    throw new Problem('reauthentication_required');
}

/**
 * Refuses fields that this caller may not send. Some fields of a body are only for the owner of the site. Others are
 * only for users who have just typed their password.
 */
export function assertFields({ row }: Endpoint, call: AnyCall, body: object): void {
  const hasOneOf = (names: readonly string[] = []) => names.some((name) => Object.hasOwn(body, name));
  if (call.site?.role !== 'owner' && hasOneOf(row.ownerFields)) throw new Problem('role_forbidden');
  if (hasOneOf(row.reauthenticatedFields)) assertReauthenticated(call);
}

/** Makes the checks of `admit` again, because a right may have been revoked while the body arrived. */
export function admitAgain(endpoint: Endpoint, c: C, caller: Caller): AnyCall {
  if (!caller.isValid()) throw new Problem('unauthenticated');
  return admit(endpoint, c, caller);
}

export function readParameters({ row, parameters, lists }: Endpoint, { req }: C, caller?: Caller): unknown {
  const queryAt = req.url.indexOf('?');
  const isList = (name: string) => lists.has(name) || isPropertyList(name);
  const sent = queryAt < 0 ? {} : readQuery(req.url.slice(queryAt + 1), isList);
  const given = { ...findUsualRange(row, caller), ...sent };
  for (const name of parameters) if (name in given) throw invalid({ [name]: coded('in_path') });
  const inPath = Object.fromEntries(parameters.map((name) => [name, req.param(name)]));
  return checkParameters(row.query ?? NO_QUERY, { ...given, ...inPath });
}

/** For a request without a range: returns the range of the share link's view, if the view has one. */
function findUsualRange({ query }: Route, caller: Caller | undefined): { range?: string } {
  const view = caller?.share?.view;
  if (typeof view !== 'string') return {};
  const { range } = parseView(view);
  const takesRange = query !== undefined && 'entries' in query && 'range' in (query.entries as object);
  return takesRange && typeof range === 'string' ? { range } : {};
}
