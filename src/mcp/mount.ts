import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import { takeTurn } from '../api/mount.ts';
import type { Api } from '../api/route.ts';
import { identify } from '../auth/identity.ts';
import { hasAbility } from '../auth/roles.ts';
import { coded } from '../lang/coded.ts';
import { Problem, problemBody } from '../lib/errors.ts';
import { clientAddress } from '../lib/http/address.ts';
import { type Headers, jsonAnswer } from '../lib/http/answer.ts';
import { readJson } from '../lib/http/input.ts';
import { type Env, type Handler, mountPath } from '../lib/http/paths.ts';
import { addressOf, inArguments } from './arguments.ts';
import { definitionsOf } from './definitions.ts';
import { type Called, type Reply, result, understood } from './messages.ts';

const PATH = '/mcp';
const BODY_BYTES = 64 * 1024;

/** A page of another origin could reach a server at home by a name that it lets point there. Programs send no origin. */
function assertOwnOrigin(origin: string | undefined, baseUrl: string): void {
  if (origin === undefined || origin === baseUrl) return;
  throw new Problem('foreign_origin', { message: coded('foreign_page') });
}

const failed = (text: string): object => ({ content: [{ type: 'text', text }], isError: true });

/** The headers of an answer of the API that say how many requests are left. */
const limitsIn = (headers: globalThis.Headers): Headers =>
  Object.fromEntries([...headers].filter(([name]) => /^(?:x-)?ratelimit|^retry-after$/.test(name)));

function replied({ status, body }: Reply, headers: Headers): Response {
  return body ? jsonAnswer(status, body, headers) : new Response(null, { status, headers });
}

/** Mounts the Model Context Protocol: tools are routes of the API, asked with the token and the limits of whoever calls. */
export function mountMcp(app: Hono<Env>, api: Api): void {
  type C = Parameters<Handler>[0];

  async function call(called: Called, address: string, c: C): Promise<Response> {
    const { authorization, 'x-forwarded-for': forwarded } = c.env.incoming.headers;
    // Only what says who asks: with a cookie, a page could ask as whoever is signed in.
    const headers = { authorization, 'x-forwarded-for': forwarded };
    const incoming = { headers, socket: c.env.incoming.socket } as Partial<IncomingMessage> as IncomingMessage;
    const asked = new Request(new URL(address, api.config.baseUrl), { signal: c.req.raw.signal });
    const answer = await app.fetch(asked, { ...c.env, incoming });
    const text = await answer.text();
    const limits = limitsIn(answer.headers);
    if (answer.status !== 200) return replied(result(called, failed(inArguments(text))), limits);
    const structuredContent = { ...JSON.parse(text), definitions: definitionsOf(text) };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    return replied(result(called, { content, structuredContent }), limits);
  }

  /** Where the API answers a call; or its refusal, where its arguments are none. */
  function addressIn(called: Called): string | Reply {
    try {
      return addressOf(called.tool.row, called.given);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return result(called, failed(problemBody(error)));
    }
  }

  async function POST(c: C): Promise<Response> {
    const { headers: sent, socket } = c.env.incoming;
    assertOwnOrigin(sent.origin, api.config.baseUrl);
    const forwarded = sent['x-forwarded-for']?.toString();
    const address = () => clientAddress(socket.remoteAddress ?? '', forwarded, api.config.trust);
    const caller = identify(api, { authorization: sent.authorization }, address);
    if (caller.by !== 'token') throw new Problem('unauthenticated');
    if (!hasAbility(caller.abilities, 'read')) throw new Problem('token_forbidden');
    const asked = understood(await readJson(c.req.raw, BODY_BYTES), (name) => sent[name]?.toString());
    const reply = 'tool' in asked ? addressIn(asked) : asked;
    // A call takes its turn at its route, and all else here.
    if (typeof reply === 'string') return call(asked as Called, reply, c);
    return replied(reply, takeTurn(api, caller, address));
  }

  mountPath(app, PATH, { POST });
}
