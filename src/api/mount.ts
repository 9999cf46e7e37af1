import type { Hono } from 'hono';
import { type Caller, identify, rateHeaders, tooMany } from '../auth/identity.ts';
import { assertSameOrigin } from '../auth/session.ts';
import { addressKey, clientAddress } from '../lib/http/address.ts';
import { type Bytes, emptyAnswer, type Headers, jsonAnswer, sharedAnswer } from '../lib/http/answer.ts';
import { checked, readList, readObject, type Schema } from '../lib/http/input.ts';
import { type Env, type Handler, mountPath } from '../lib/http/paths.ts';
import { admit, admitAgain, assertFields, type C, type Endpoint, makeEndpoint, readParameters } from './endpoint.ts';
import { MOST_ENTRIES } from './hits.ts';
import { openapi } from './openapi.ts';
import type { AnyCall, Api, Route } from './route.ts';
import { routes } from './routes.ts';

/** Makes an error into an answer. It is the app's, so that there is one place for that. */
export type Fail = (error: unknown, c: C, headers: Headers) => Response;

export const BASE = '/api/v1';
const BODY_BYTES = 64 * 1024;
/** For hits or requests that a server passes on, in a list of up to 1,000. */
const LIST_BYTES = 1024 * 1024;

/** A request that may be carried out; the headers go with its answer. */
type Admitted = { endpoint: Endpoint; c: C; call: AnyCall; headers: Headers };

function answer({ endpoint: { row }, c, headers }: Admitted, data: unknown): Response {
  if (!row.answer) return emptyAnswer(headers);
  if (row.method !== 'POST') return jsonAnswer(200, { data }, headers);
  return jsonAnswer(201, { data }, { ...headers, Location: `${c.req.path}/${(data as { id: number }).id}` });
}

function read(admitted: Admitted): Response | Promise<Response> {
  const { endpoint, c, call } = admitted;
  const data = endpoint.row.handle({ ...call, query: readParameters(endpoint, c) });
  return data instanceof Promise ? data.then((found) => answer(admitted, found)) : answer(admitted, data);
}

/** Takes the hits or requests that a server passes on, which are no change of what anybody has set. */
async function collect({ endpoint, c, call: { caller }, headers }: Admitted): Promise<Response> {
  const list = await readList(c.req.raw, LIST_BYTES, MOST_ENTRIES);
  const call = admitAgain(endpoint, c, caller);
  const { body, handle } = endpoint.row;
  const data = await handle({ ...call, query: readParameters(endpoint, c), body: body && checked(body, list) });
  return jsonAnswer(202, { data }, headers);
}

type Input = { query: unknown; body: object | undefined; prepared?: unknown };

/** One transaction, in which the caller is admitted again, so that no change slips in between. */
function commit(admitted: Admitted, asked: Input): Response {
  const { endpoint, c, call } = admitted;
  const after: (() => void)[] = [];
  const afterCommit = (work: () => void) => after.push(work);
  const data = endpoint.api.db.write(() => {
    const again = admitAgain(endpoint, c, call.caller);
    assertFields(endpoint, again, asked.body ?? {});
    return endpoint.row.handle({ ...again, ...asked, afterCommit });
  });
  for (const work of after) work();
  return answer(admitted, data);
}

/** What is asked with a body, all of it checked. */
async function readInput(body: Schema, { endpoint, c, call }: Admitted): Promise<Input & { body: object }> {
  const value = await readObject(c.req.raw, BODY_BYTES, (fields) => assertFields(endpoint, call, fields));
  return { query: readParameters(endpoint, c), body: checked(body, value) as object };
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

/** A question that does not fit into an address. */
async function ask(admitted: Admitted): Promise<Response> {
  const { endpoint, c, call, headers } = admitted;
  const asked = await readInput(endpoint.row.body as Schema, admitted);
  const data = await endpoint.row.handle({ ...admitAgain(endpoint, c, call.caller), ...asked });
  return jsonAnswer(200, { data }, headers);
}

function chooseWay({ method, right, asks }: Route): (admitted: Admitted) => Response | Promise<Response> {
  if (method === 'GET') return read;
  if (asks) return ask;
  return right === 'collectSite' ? collect : change;
}

/** A browser may ask for more than a program, because a page of the dashboard asks for a dozen reports at once. */
export function takeTurn({ limits, clock }: Api, { by, id }: Caller, address: () => string): Headers {
  const { requests, views } = limits;
  if (requests.limit === 0) return {};
  const limit = by === 'token' ? requests : views;
  const taken = limit.take(by === 'share' ? `${id} ${addressKey(address())}` : id);
  const headers = rateHeaders(limit, taken);
  if (!taken.allowed) throw tooMany(clock, taken, headers);
  return headers;
}

/** The handler of a row: who asks, may they, what do they ask, do it. Only a body or a report makes it wait. */
function makeHandler(api: Api, row: Route, fail: Fail): Handler {
  const endpoint = makeEndpoint(api, row);
  const carryOut = chooseWay(row);

  return (c) => {
    const { headers: sent, socket } = c.env.incoming;
    const address = () =>
      clientAddress(socket.remoteAddress ?? '', sent['x-forwarded-for']?.toString(), api.config.trust);
    const caller = identify(api, sent, address);
    const headers = takeTurn(api, caller, address);
    try {
      if (caller.by === 'session' && row.method !== 'GET') assertSameOrigin(sent, api.config.baseUrl);
      const answered = carryOut({ endpoint, c, call: admit(endpoint, c, caller), headers });
      return answered instanceof Promise ? answered.catch((error: unknown) => fail(error, c, headers)) : answered;
    } catch (error) {
      return fail(error, c, headers);
    }
  };
}

export function mountApi(app: Hono<Env>, api: Api, fail: Fail): void {
  // Made when somebody asks for it, because that takes 15 ms, which every start would wait for.
  let document: Bytes | undefined;
  mountPath(app, `${BASE}/openapi.json`, {
    GET: () => {
      document ??= new TextEncoder().encode(JSON.stringify(openapi(routes)));
      return sharedAnswer(document);
    },
  });
  for (const [path, rows] of Map.groupBy(routes, (row) => row.path)) {
    const methods = Object.fromEntries(rows.map((row) => [row.method, makeHandler(api, row, fail)]));
    mountPath(app, BASE + path.replaceAll(/\{(\w+)\}/g, ':$1'), methods);
  }
}
