// Mounts the Model Context Protocol at /mcp. Through its tools, AI assistants query the API.
//
// A tool is a route of the API that only reads. A call of a tool becomes a request to this app itself, with the token
// of the caller. The rights, limits and checks of the API therefore apply. Cookies are never passed on. Otherwise, a
// page in a browser could read reports with the session of its user.
//
// Example: the tool `overview` with { "site": "example.com" } requests GET /api/v1/sites/example.com/stats/overview.
// The reply also has the definitions of the figures. `app.ts` calls `mountMcp` if the setting `mcp` is on.

import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import { assertNotForwarded, takeTurn } from '../api/mount.ts';
import type { Api } from '../api/route.ts';
import { identify } from '../auth/identity.ts';
import { hasAbility } from '../auth/roles.ts';
import { coded } from '../lang/coded.ts';
import { Problem, writeProblemBody } from '../lib/errors.ts';
import { findClientAddress } from '../lib/http/address.ts';
import { answerJson, type Headers } from '../lib/http/answer.ts';
import { readJson } from '../lib/http/input.ts';
import { type Env, type Handler, mountPath } from '../lib/http/paths.ts';
import { nameArguments, writeUrl } from './arguments.ts';
import { listDefinitions } from './definitions.ts';
import { type Called, type McpReply, makeResult, readMessage } from './messages.ts';
import { writeBody } from './question.ts';

/** The API request whose response is the result of a call. A request with a body is a POST. */
type ToolRequest = { path: string; body?: string };

const PATH = '/mcp';
const BODY_BYTES = 64 * 1024;

export function mountMcp(app: Hono<Env>, api: Api): void {
  type C = Parameters<Handler>[0];

  async function call(called: Called, { path, body }: ToolRequest, c: C): Promise<Response> {
    const { authorization, 'x-forwarded-for': forwarded } = c.env.incoming.headers;
    // The cookie is not passed on. Otherwise, a page in a browser could read reports with the session of its user.
    const headers = { authorization, 'x-forwarded-for': forwarded };
    const incoming = { headers, socket: c.env.incoming.socket } as Partial<IncomingMessage> as IncomingMessage;
    const asked = new Request(new URL(path, api.config.baseUrl), {
      signal: c.req.raw.signal,
      ...(body !== undefined && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }),
    });
    const answer = await app.fetch(asked, { ...c.env, incoming });
    const text = await answer.text();
    const limits = pickLimits(answer.headers);
    if (answer.status !== 200) return sendReply(makeResult(called, makeFailure(nameArguments(text))), limits);
    const structuredContent = { ...JSON.parse(text), definitions: listDefinitions(text) };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    return sendReply(makeResult(called, { content, structuredContent }), limits);
  }

  /** Writes the API request for a call. If an argument is wrong, returns the reply with the error. */
  function writeRequest(called: Called): ToolRequest | McpReply {
    const { row } = called.tool;
    try {
      return row.body ? writeBody(row, called.given) : { path: writeUrl(row, called.given) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return makeResult(called, makeFailure(writeProblemBody(error)));
    }
  }

  async function POST(c: C): Promise<Response> {
    const { headers: sent, socket } = c.env.incoming;
    assertOwnOrigin(sent.origin, api.config.baseUrl);
    assertNotForwarded(sent);
    const forwarded = sent['x-forwarded-for']?.toString();
    const address = () => findClientAddress(socket.remoteAddress ?? '', forwarded, api.config.trust);
    const caller = identify(api, { headers: { authorization: sent.authorization }, socket }, address);
    if (caller.by !== 'token') throw new Problem('unauthenticated');
    if (!hasAbility(caller.abilities, 'read')) throw new Problem('token_forbidden');
    const asked = readMessage(await readJson(c.req.raw, BODY_BYTES), (name) => sent[name]?.toString());
    const reply = 'tool' in asked ? writeRequest(asked) : asked;
    // A call of a tool becomes an API request, which counts against the rate limit of the caller. All other messages
    // are counted here.
    if ('path' in reply) return call(asked as Called, reply, c);
    return sendReply(reply, takeTurn(api, caller, address));
  }

  mountPath(app, PATH, { POST });
}

/**
 * Refuses pages of other websites. Without this check, another website could point its domain to the IP address of this
 * server. The server may be in a home network. A browser in that network would then let the website read the replies.
 * Programs send no origin.
 */
function assertOwnOrigin(origin: string | undefined, baseUrl: string): void {
  if (origin === undefined || origin === baseUrl) return;
  throw new Problem('foreign_origin', { message: coded('foreign_page') });
}

const pickLimits = (headers: globalThis.Headers): Headers =>
  Object.fromEntries([...headers].filter(([name]) => /^(?:x-)?ratelimit|^retry-after$/.test(name)));

function sendReply({ status, body }: McpReply, headers: Headers): Response {
  return body ? answerJson(status, body, headers) : new Response(null, { status, headers });
}

const makeFailure = (text: string): object => ({ content: [{ type: 'text', text }], isError: true });
