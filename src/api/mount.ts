import type { Context, Hono } from 'hono';
import * as v from 'valibot';
import { assertRight, idOf, reachSite } from '../auth/guard.ts';
import { type Caller, identify, rateHeaders, tooMany } from '../auth/identity.ts';
import { RIGHTS } from '../auth/roles.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { addressKey, clientAddress } from '../lib/address.ts';
import { emptyAnswer, type Headers, jsonAnswer } from '../lib/answer.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { checked, listOf, objectOf, queryOf } from '../lib/input.ts';
import { type Env, type Handler, mountPath } from '../lib/paths.ts';
import { seconds } from '../lib/time.ts';
import { findEmbed } from '../store/embeds.ts';
import { findFunnel } from '../store/funnels.ts';
import { findGoal } from '../store/goals.ts';
import { findNote } from '../store/notes.ts';
import { findSession } from '../store/sessions.ts';
import { findMember } from '../store/team.ts';
import { findToken } from '../store/tokens.ts';
import { MOST } from './hits.ts';
import { openapi } from './openapi.ts';
import { type AnyCall, type Api, namesIn, type Route } from './route.ts';
import { routes } from './routes.ts';

type C = Context<Env>;

/** Says what happened as an answer; the app's, so that there is one place where errors become answers. */
export type Fail = (error: unknown, c: C, headers: Headers) => Response;

const BASE = '/api/v1';
const BODY_BYTES = 64 * 1024;
/** What a server passes on comes as a list, of up to 1,000 entries. */
const LIST_BYTES = 1024 * 1024;

/** How to find what the last name in braces of a path stands for, among what the caller may reach. */
const FIND: Record<string, (call: AnyCall) => unknown> = {
  goal: ({ db, site, id }) => findGoal(db, site?.id ?? 0, id),
  funnel: ({ db, site, id }) => findFunnel(db, site?.id ?? 0, id),
  note: ({ db, site, id }) => findNote(db, site?.id ?? 0, id),
  embed: ({ db, site, id }) => findEmbed(db, site?.id ?? 0, id),
  member: ({ db, caller, id }) => findMember(db, caller.accountId, id),
  token: ({ db, caller, id }) => findToken(db, caller.userId, id),
  session: ({ db, caller, id }) => findSession(db, caller.userId, id),
};

const NO_QUERY = v.strictObject({});

/** The handler for one row: who asks, may they, what do they ask, do it. Only a body makes it wait. */
function serve(api: Api, row: Route, fail: Fail): Handler {
  const { db, clock, limits } = api;
  const right = RIGHTS[row.right];
  const names = namesIn(row.path);
  const noun = names.find((name) => name in FIND);
  /** Any other name in the path is checked like a parameter of the query. */
  const named = names.filter((name) => name !== 'site' && name !== noun);

  /** Everything that may refuse before the body is looked at, in the order of refusal that the README gives. */
  function admit(c: C, caller: Caller): AnyCall {
    if (caller.by === 'share' && !row.shared) throw new Problem('not_found');
    const site = right.of === 'site' ? reachSite(db, caller, c.req.param('site') ?? '') : undefined;
    const call: AnyCall = {
      api,
      db,
      now: seconds(clock),
      caller,
      incoming: c.env.incoming,
      site,
      id: 0,
      query: undefined,
      body: undefined,
      afterCommit: () => {},
    };
    if (noun !== undefined) {
      call.id = idOf(c.req.param(noun) ?? '') ?? 0;
      if (FIND[noun]?.(call) === undefined) throw new Problem('not_found');
    }
    assertRight(db, caller, right, site, call.now);
    row.room?.(call);
    return call;
  }

  function assertStill(caller: Caller): void {
    if (!caller.isStill()) throw new Problem('unauthenticated');
  }

  /** The dashboard asks for more at once than a program may; what it may is not for scripts to count on. */
  function takeTurn({ by, id }: Caller, address: () => string): Headers {
    const { requests, views } = limits;
    if (requests.limit === 0) return {};
    const limit = by === 'token' ? requests : views;
    const taken = limit.take(by === 'share' ? `${id} ${addressKey(address())}` : id);
    const headers = rateHeaders(limit, taken);
    if (!taken.allowed) throw tooMany(clock, taken, headers);
    return headers;
  }

  function query({ req }: C): unknown {
    const mark = req.url.indexOf('?');
    const given = mark < 0 ? {} : queryOf(req.url.slice(mark + 1));
    for (const name of named) if (name in given) throw invalid({ [name]: 'Stands in the path.' });
    const inPath = Object.fromEntries(named.map((name) => [name, req.param(name)]));
    return checked(row.query ?? NO_QUERY, { ...given, ...inPath });
  }

  function answer(c: C, data: unknown, headers: Headers): Response {
    if (!row.answer) return emptyAnswer(headers);
    if (row.method !== 'POST') return jsonAnswer(200, { data }, headers);
    return jsonAnswer(201, { data }, { ...headers, Location: `${c.req.path}/${(data as { id: number }).id}` });
  }

  /** One transaction, which asks again whether the caller may: token and rights may be gone since the body began. */
  function change(c: C, caller: Caller, asked: { query: unknown; body: unknown }, headers: Headers): Response {
    const after: (() => void)[] = [];
    const afterCommit = (work: () => void) => after.push(work);
    const data = db.write(() => {
      assertStill(caller);
      return row.handle({ ...admit(c, caller), ...asked, afterCommit });
    });
    for (const work of after) work();
    return answer(c, data, headers);
  }

  return (c) => {
    const { headers: sent, socket } = c.env.incoming;
    const address = () =>
      clientAddress(socket.remoteAddress ?? '', sent['x-forwarded-for']?.toString(), api.config.trust);
    const caller = identify(api, sent, address);
    const headers = takeTurn(caller, address);
    try {
      if (caller.by === 'session' && row.method !== 'GET') assertSameOrigin(sent, api.config.baseUrl);
      const call = admit(c, caller);
      if (row.method === 'GET') {
        const data = row.handle({ ...call, query: query(c) });
        if (!(data instanceof Promise)) return answer(c, data, headers);
        return data.then((found) => answer(c, found, headers)).catch((error: unknown) => fail(error, c, headers));
      }
      const { body } = row;
      if (body && row.right === 'collectSite') {
        return listOf(c.req.raw, LIST_BYTES, MOST)
          .then((list) => {
            // Token and rights may be gone since the body began.
            assertStill(caller);
            return row.handle({ ...admit(c, caller), query: query(c), body: checked(body, list) });
          })
          .then((data) => jsonAnswer(202, { data }, headers))
          .catch((error: unknown) => fail(error, c, headers));
      }
      if (!body) return change(c, caller, { query: query(c), body: undefined }, headers);
      return objectOf(c.req.raw, BODY_BYTES)
        .then((value) => change(c, caller, { query: query(c), body: checked(body, value) }, headers))
        .catch((error: unknown) => fail(error, c, headers));
    } catch (error) {
      return fail(error, c, headers);
    }
  };
}

export function mountApi(app: Hono<Env>, api: Api, fail: Fail): void {
  const document = openapi(routes);
  mountPath(app, `${BASE}/openapi.json`, { GET: () => jsonAnswer(200, document) });
  for (const [path, rows] of Map.groupBy(routes, (row) => row.path)) {
    const methods = Object.fromEntries(rows.map((row) => [row.method, serve(api, row, fail)]));
    mountPath(app, BASE + path.replaceAll(/\{(\w+)\}/g, ':$1'), methods);
  }
}
