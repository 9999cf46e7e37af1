import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { Problem } from '../errors.ts';
import { answerEmpty, type Headers } from './answer.ts';

/** All paths of the API begin with this text. */
export const BASE = '/api/v1';

/**
 * The key under which a request object holds the pattern of its path. Each request uses the pattern, and a WeakMap
 * would be slower.
 */
const PATTERN = Symbol('pattern');
type WithPattern = IncomingMessage & { [PATTERN]?: string };

/** Finds the pattern of the path of a request, such as /sites/:domain. Returns undefined if no path matched. */
export const findPattern = (incoming: WithPattern): string | undefined => incoming[PATTERN];

/** Stores the pattern of a request's path, such as /sites/:domain. The metrics count the request under this pattern. */
export function markPattern(incoming: WithPattern, pattern: string): void {
  incoming[PATTERN] = pattern;
}

export type Env = { Bindings: HttpBindings };
export type Handler = (c: Context<Env>) => Response | Promise<Response>;

/**
 * Headers of the answer to a preflight: before a request to another origin, a browser asks what the request may
 * contain. Pages of other origins may send a token, but never a cookie.
 */
const PREFLIGHT: Headers = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
  'Access-Control-Max-Age': '86400',
};

/**
 * Mounts the handlers of a path. Any other method gets a 405 with a list of the allowed methods, even without a valid
 * token. The web framework could do this with middleware, but then each answer would wait for a promise.
 */
export function mountPath(app: Hono<Env>, path: string, methods: Record<string, Handler>): void {
  const handlers = new Map(Object.entries(methods));
  const get = handlers.get('GET');
  if (get) handlers.set('HEAD', get);
  const allow = [...handlers.keys(), 'OPTIONS'].join(', ');
  handlers.set('OPTIONS', () => answerEmpty({ ...PREFLIGHT, 'Access-Control-Allow-Methods': allow, Allow: allow }));
  app.all(path, (c) => {
    if (c.env?.incoming) markPattern(c.env.incoming, path);
    const handler = handlers.get(c.req.method);
    if (!handler) throw new Problem('method_not_allowed', { headers: { Allow: allow } });
    return handler(c);
  });
}
