import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { emptyAnswer, type Headers } from './answer.ts';
import { Problem } from './errors.ts';

const patterns = new WeakMap<object, string>();

/** The pattern of the path that a request was answered under; undefined where there is nothing. */
export const patternOf = (incoming: object): string | undefined => patterns.get(incoming);

/** For what is answered without a handler of ours. */
export function markPattern(incoming: object, pattern: string): void {
  patterns.set(incoming, pattern);
}

export type Env = { Bindings: HttpBindings };
export type Handler = (c: Context<Env>) => Response | Promise<Response>;

/** Other origins may send a token, and never a cookie. */
const PREFLIGHT: Headers = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
  'Access-Control-Max-Age': '86400',
};

/**
 * Gives a path its methods. It answers all others too, with a 405 that lists them, before anybody looks at who asks.
 * No middleware is used anywhere: a single handler for a path lets an answer leave without waiting for a promise.
 */
export function mountPath(app: Hono<Env>, path: string, methods: Record<string, Handler>): void {
  const handlers = new Map(Object.entries(methods));
  const get = handlers.get('GET');
  if (get) handlers.set('HEAD', get);
  const allow = [...handlers.keys(), 'OPTIONS'].join(', ');
  handlers.set('OPTIONS', () => emptyAnswer({ ...PREFLIGHT, 'Access-Control-Allow-Methods': allow, Allow: allow }));
  app.all(path, (c) => {
    if (c.env?.incoming) markPattern(c.env.incoming, path);
    const handler = handlers.get(c.req.method);
    if (!handler) throw new Problem('method_not_allowed', { headers: { Allow: allow } });
    return handler(c);
  });
}
