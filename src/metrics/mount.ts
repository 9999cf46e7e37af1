import { createHash, timingSafeEqual } from 'node:crypto';
import type { Hono } from 'hono';
import { Problem } from '../lib/errors.ts';
import { answerPublic } from '../lib/http/answer.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import type { Meters } from './meters.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

/** Mounts the page /metrics. A request needs the token of the setting `metrics-token`. */
export function mountMetrics(app: Hono<Env>, token: string, { text }: Meters): void {
  const expected = digest(`Bearer ${token}`);
  mountPath(app, '/metrics', {
    async GET(c) {
      // Hashes of equal length are compared in constant time. So the time of the answer tells nothing about the token.
      const given = digest(c.env.incoming.headers.authorization ?? '');
      if (!timingSafeEqual(given, expected)) throw new Problem('unauthenticated');
      return answerPublic(await text(), 'text/plain; version=0.0.4; charset=utf-8', { 'Cache-Control': 'no-store' });
    },
  });
}

/**
 * Counts an answer by the pattern of its path, such as /sites/:domain. If answers were counted by the path itself, the
 * metrics would have a line for each path, without any limit.
 */
export function countAnswer({ answers }: Meters, method: string, pattern: string | undefined, status: number): void {
  answers.add([pattern ?? 'none', METHODS.includes(method) ? method : 'other', `${Math.floor(status / 100)}xx`]);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
