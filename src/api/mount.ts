// The API is mounted from the table of routes: each row becomes the handler of its method and path. A handler
// identifies the caller, counts the request against a limit, and makes the checks of `endpoint.ts`. Then it works in
// one of five ways:
// * `read`: a GET calls the function of the row. A client can also ask for a stream of events (event-streams.ts).
// * `ask`: a POST that changes no setting, such as the preview of an exclusion.
// * `collect`: hits or requests that the server of a website saw, up to 1,000 in 1 MB.
// * `change`: checks the body, then makes the change and adds its entry to the audit log, in one transaction.
// * `changeSlowly`: a change that takes longer than a transaction may take, such as a deletion of days.
//
// Invariant: all checks are made again just before a change, because a right may have been revoked meanwhile. `app.ts`
// calls `mountApi`.
//
// The server of a website may forward messages of the tracking script, with its own token and the header
// Daybook-Visitor-IP. If it forwarded requests to the API too, visitors would act with its token. So the API refuses
// requests with this header (test/collect/passed-on.test.ts).

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import { type Caller, identify, makeRateProblem, writeRateHeaders } from '../auth/identity.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { VISITOR_HEADER } from '../collect/client.ts';
import { Problem } from '../lib/errors.ts';
import { findClientAddress, makeAddressKey } from '../lib/http/address.ts';
import {
  answerDownload,
  answerEmpty,
  answerJson,
  answerShared,
  answerWritten,
  type Bytes,
  type Headers,
  isAccepted,
} from '../lib/http/answer.ts';
import { waitForServer } from '../lib/http/idle.ts';
import { checked, readBytes, readList, readObject, type Schema } from '../lib/http/input.ts';
import { BASE, type Env, type Handler, mountPath } from '../lib/http/paths.ts';
import { findLastChange } from '../store/sites/changes.ts';
import { recordChange } from './audit.ts';
import { admit, admitAgain, assertFields, type C, type Endpoint, makeEndpoint, readParameters } from './endpoint.ts';
import { MOST_ENTRIES } from './hits.ts';
import { openapi } from './openapi.ts';
import type { AnyCall, Api, Download, Route } from './route.ts';
import { routes } from './routes.ts';

export type Fail = (error: unknown, c: C, headers: Headers) => Response;

const BODY_BYTES = 64 * 1024;
const LIST_BYTES = 1024 * 1024;

/** A request that has passed all checks that need no body. The answer will have `headers`. */
type Admitted = { endpoint: Endpoint; c: C; call: AnyCall; headers: Headers; address(): string };

type CheckedInput = { query: unknown; body: object | undefined; prepared?: unknown };

export function mountApi(app: Hono<Env>, api: Api, fail: Fail): void {
  // Making the document takes 15 ms, and would slow down the start of the server. So it is made at the first request.
  let document: Bytes | undefined;
  mountPath(app, `${BASE}/openapi.json`, {
    GET: () => {
      document ??= new TextEncoder().encode(JSON.stringify(openapi(routes)));
      return answerShared(document);
    },
  });
  for (const [path, rows] of Map.groupBy(routes, (row) => row.path)) {
    const methods = Object.fromEntries(rows.map((row) => [row.method, makeHandler(api, row, fail)]));
    mountPath(app, BASE + path.replaceAll(/\{(\w+)\}/g, ':$1'), methods);
  }
}

/**
 * Counts a request against the limit of its caller. All callers without a token, such as sessions, may send ten times
 * as many requests as a token, because one page of the dashboard sends twelve.
 */
export function takeTurn({ limits, clock }: Api, caller: Caller, address: () => string): Headers {
  const { requests, views } = limits;
  if (requests.limit === 0) return {};
  const limit = caller.by === 'token' ? requests : views;
  const taken = limit.take(makeCallerKey(caller, address));
  const headers = writeRateHeaders(limit, taken);
  if (!taken.allowed) throw makeRateProblem(clock, taken, headers);
  return headers;
}

/** Many people may use one share link, or visit the public demo. So each of their IP addresses has its own limits. */
const isOneOfMany = ({ by }: Caller): boolean => by === 'share' || by === 'guest';

const makeCallerKey = (caller: Caller, address: () => string): string =>
  `${nameCaller(caller)}${isOneOfMany(caller) ? ` ${makeAddressKey(address())}` : ''}`;

/**
 * Writes a caller as a key for limits. `share 7` is the share link of site 7 that has no name (the setting `shared`).
 * `share 7/3` is the share link 3 of that site, which has a name.
 */
const nameCaller = ({ by, id, share }: Caller): string => `${by} ${id}${share ? `/${share.id}` : ''}`;

/**
 * Makes the handler of a route. The handler returns a promise only if it reads the body of a request or computes a
 * report. Waiting for a promise would make all other answers slower.
 */
function makeHandler(api: Api, row: Route, fail: Fail): Handler {
  const endpoint = makeEndpoint(api, row);
  const carryOut = chooseWay(row);

  return (c) => {
    const { headers: sent, socket } = c.env.incoming;
    const address = () =>
      findClientAddress(socket.remoteAddress ?? '', sent['x-forwarded-for']?.toString(), api.config.trust);
    assertNotForwarded(sent);
    const caller = identify(api, c.env.incoming, address);
    const headers = takeTurn(api, caller, address);
    try {
      if (caller.by === 'session' && row.method !== 'GET') assertSameOrigin(sent, api.config.baseUrl);
      const answered = carryOut({ endpoint, c, call: admit(endpoint, c, caller), headers, address });
      return answered instanceof Promise ? answered.catch((error: unknown) => fail(error, c, headers)) : answered;
    } catch (error) {
      return fail(error, c, headers);
    }
  };
}

/**
 * Refuses a request that the server of a website forwards for a visitor. Otherwise, visitors could act with the token
 * of that server.
 */
export function assertNotForwarded(sent: IncomingHttpHeaders): void {
  if (VISITOR_HEADER in sent) throw new Problem('not_found');
}

function chooseWay({ method, right, asks, isLong }: Route): (admitted: Admitted) => Response | Promise<Response> {
  if (method === 'GET') return read;
  if (asks) return ask;
  if (isLong) return changeSlowly;
  return right === 'collectSite' ? collect : change;
}

function read(admitted: Admitted): Response | Promise<Response> {
  const { endpoint, c, call } = admitted;
  const query = readParameters(endpoint, c, call.caller);
  if (wantsEvents(endpoint, c)) return openStream(admitted, query);
  const data = endpoint.row.handle({ ...call, query });
  if (endpoint.row.isFile) return (data as Promise<Download>).then((file) => openFile(admitted, file));
  return data instanceof Promise ? data.then((found) => answer(admitted, found)) : answer(admitted, data);
}

/** Answers with a file. A HEAD request tells whether the download would work. If not, a page can show the reason. */
async function openFile({ c, headers }: Admitted, { name, type, open }: Download): Promise<Response> {
  if (c.env.outgoing) waitForServer(c.env.outgoing as ServerResponse);
  return answerDownload(name, type, c.req.method === 'HEAD' ? null : await open(), headers);
}

/**
 * Tells whether a client wants a stream of events. A client that also accepts JSON gets JSON. So only a client that
 * knows event streams gets a stream.
 */
function wantsEvents({ row }: Endpoint, { req }: C): boolean {
  const accept = req.header('Accept') ?? '';
  return (
    row.events !== undefined &&
    req.method === 'GET' &&
    isAccepted('text/event-stream', accept) &&
    !isAccepted('application/json', accept)
  );
}

function openStream({ endpoint, c, call, headers, address }: Admitted, query: unknown): Promise<Response> {
  const { api, row } = endpoint;
  const { caller, site } = call;
  // Streams with an equal `topic` share one computation. The live report does not use `range`, so `topic` has none.
  const { range: _, ...asked } = query as { range?: unknown };
  const own = [makeCallerKey(caller, address), 'caller'] as const;
  return api.streams.open({
    event: row.events as string,
    topic: JSON.stringify([row.path, site?.id, asked, caller.share?.view]),
    siteId: site?.id ?? 0,
    outgoing: c.env.outgoing as ServerResponse,
    headers,
    counts: [own, isOneOfMany(caller) ? [nameCaller(caller), 'link'] : [`user ${caller.userId}`, 'user']],
    admit() {
      const again = admitAgain(endpoint, c, caller);
      return (signal) => row.handle({ ...again, query, signal: () => signal });
    },
  });
}

/**
 * Answers a POST that changes no setting. Most of these routes answer a query that is too long for a URL. Others do
 * something, such as sending a test message.
 */
async function ask(admitted: Admitted): Promise<Response> {
  const { endpoint, c, call, headers } = admitted;
  const { body, mostBytes, answer: answers } = endpoint.row;
  const bytes = mostBytes === undefined ? {} : { bytes: await readBytes(c.req.raw, mostBytes) };
  const asked = body ? await readInput(body, admitted) : { query: readParameters(endpoint, c), ...bytes };
  const data = await endpoint.row.handle({ ...admitAgain(endpoint, c, call.caller), ...asked });
  if (!answers) return answerEmpty(headers);
  return data instanceof Uint8Array ? answerWritten(data, headers) : answerJson(200, { data }, headers);
}

/** Accepts a list of hits or crawler requests. No setting changes, so this function needs no transaction. */
async function collect({ endpoint, c, call: { caller }, headers }: Admitted): Promise<Response> {
  const list = await readList(c.req.raw, LIST_BYTES, MOST_ENTRIES);
  const call = admitAgain(endpoint, c, caller);
  const { body, handle } = endpoint.row;
  const data = await handle({ ...call, query: readParameters(endpoint, c), body: body && checked(body, list) });
  return answerJson(202, { data }, headers);
}

function change(admitted: Admitted): Response | Promise<Response> {
  const { endpoint, c, call } = admitted;
  const { body, prepare } = endpoint.row;
  if (!body) return commit(admitted, { query: readParameters(endpoint, c), body: undefined });
  if (!prepare) return readInput(body, admitted).then((asked) => commit(admitted, asked));
  return readInput(body, admitted).then(async (asked) =>
    commit(admitted, { ...asked, prepared: await prepare({ ...call, ...asked }) }),
  );
}

/**
 * Makes a change that takes longer than a transaction may take. Then adds the entry of the audit log, unless the
 * handler has done so in its own transaction.
 */
async function changeSlowly(admitted: Admitted): Promise<Response> {
  const { endpoint, c, call, headers } = admitted;
  const { row, api } = endpoint;
  const asked = row.body
    ? await readInput(row.body, admitted)
    : { query: readParameters(endpoint, c), body: undefined };
  const before = findLastChange(api.db);
  const again = { ...admitAgain(endpoint, c, call.caller), ...asked };
  let isRecorded = false;
  const record = (answered: unknown, last: number): void => {
    recordChange(row, again, answered, last);
    isRecorded = true;
  };
  // The handler calls this function in its own transaction. Before that, it may have waited, for example for the
  // nightly work. So the rights of the caller are checked again.
  const recordNow = (answered: unknown, last: number): void => {
    admitAgain(endpoint, c, call.caller);
    record(answered, last);
  };
  const data = await row.handle({ ...again, record: recordNow });
  if (!isRecorded) api.db.write(() => record(data, before));
  return row.answer ? answerJson(200, { data }, headers) : answerEmpty(headers);
}

/**
 * Makes a change in one transaction. The transaction checks the rights of the caller again. So no other request can
 * revoke a right between that check and this change.
 */
function commit(admitted: Admitted, asked: CheckedInput): Response {
  const { endpoint, c, call } = admitted;
  const after: (() => void)[] = [];
  const afterCommit = (work: () => void) => after.push(work);
  const data = endpoint.api.db.write(() => {
    const again = admitAgain(endpoint, c, call.caller);
    const last = findLastChange(endpoint.api.db);
    assertFields(endpoint, again, asked.body ?? {});
    const done = endpoint.row.handle({ ...again, ...asked, afterCommit });
    recordChange(endpoint.row, { ...again, body: asked.body }, done, last);
    return done;
  });
  for (const work of after) work();
  return answer(admitted, data);
}

async function readInput(body: Schema, { endpoint, c, call }: Admitted): Promise<CheckedInput & { body: object }> {
  const value = await readObject(c.req.raw, BODY_BYTES, (fields) => assertFields(endpoint, call, fields));
  return { query: readParameters(endpoint, c), body: checked(body, value) as object };
}

function answer({ endpoint: { row }, c, headers }: Admitted, data: unknown): Response {
  if (!row.answer) return answerEmpty(headers);
  if (row.method !== 'POST') return answerJson(200, { data }, headers);
  // The framework has decoded the path, so it may contain a domain with letters such as ü. A header takes only ASCII.
  const path = encodeURI(c.req.path);
  return answerJson(201, { data }, { ...headers, Location: `${path}/${(data as { id: number }).id}` });
}
