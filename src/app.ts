// The app has all routes of a server: API, pages, MCP, tracking script, messages of that script, health and metrics.
//
// There is no middleware, except in the public demo: each path has one handler. If a handler throws an error, `fail`
// makes the response. A person in a browser gets a page, and a program gets JSON. An unexpected error is logged with
// its stack and the id of the request. The response has only that id, a code and its sentence.
//
// A collector, which only takes hits, has few of these routes: script, messages, health and metrics. `compose.ts` and
// `compose-collector.ts` build an app each time the server begins to listen.

import { type Context, Hono } from 'hono';
import { makeSenderCheck } from './api/hits.ts';
import { type Fail, mountApi } from './api/mount.ts';
import { mountKeys } from './api/receipts.ts';
import type { Api } from './api/route.ts';
import type { Collector } from './collect/collector.ts';
import { type CheckSender, type Messages, mountCollector } from './collect/mount.ts';
import { mountCollectors } from './collectors/mount.ts';
import type { Config } from './config.ts';
import type { Script } from './embedded/script.ts';
import type { Pages } from './forms/link.ts';
import { mountPages } from './forms/mount.ts';
import { writeRefusedPage } from './forms/refused.ts';
import { Problem } from './lib/errors.ts';
import { answerJson, answerProblem, findProblem, type Headers } from './lib/http/answer.ts';
import { type Env, mountPath } from './lib/http/paths.ts';
import type { Log } from './lib/log.ts';
import type { Clock } from './lib/time.ts';
import { watchTrouble } from './lib/trouble.ts';
import { mountMcp } from './mcp/mount.ts';
import type { Meters } from './metrics/meters.ts';
import { countAnswer, mountMetrics } from './metrics/mount.ts';
import type { Db } from './store/db.ts';

export type Health = {
  /** Returns false as soon as the server has begun to stop. */
  accepting(): boolean;
  hasRoom(): Promise<boolean>;
  /** Returns the reason why no hit can be stored now, such as a full disk. Returns undefined if hits can be stored. */
  refusal(): Problem | undefined;
};

export type App = {
  hono: Hono<Env>;
  messages: Messages;
  /**
   * http/server.ts adds these headers to each response of `hono`. Most messages of the script are answered without
   * `hono`, so their responses lack these headers.
   */
  always: Headers;
  /**
   * Counts a response by the method and the path pattern of its request. The function is undefined if the server has no
   * metrics.
   */
  answered: ((method: string, pattern: string | undefined, status: number) => void) | undefined;
  /** Returns the part of an error that the client may see. The details of an unexpected error are logged. */
  reportProblem(error: unknown, requestId: string): Problem;
  /** Ends all streams of events, because the server is about to stop. */
  endStreams(): void;
  /**
   * While SQLite cannot write, for example on a full disk, failed requests are counted. Only the first failure of each
   * kind is logged at once. This function logs the count. Call this function after the last request.
   */
  settle(): void;
};

type Core = {
  config: Config;
  db: Pick<Db, 'isWritable'>;
  clock: Clock;
  log: Log;
  collector: Collector;
  script: Script;
  health: Health;
  meters?: Meters | undefined;
  /** Refuses a message that the server of a website passes on, unless its token may send hits of the site. */
  checkSender: CheckSender;
};

export function buildApp(deps: Api & Pages & { script: Script }, health: Health, meters?: Meters): App {
  const { config } = deps;
  const app = buildCollectorApp(
    { ...deps, health, meters, checkSender: makeSenderCheck(deps) },
    (app, fail) => {
      if (deps.guest !== undefined) refuseChanges(app);
      mountApi(app, deps, fail);
      mountKeys(app, deps.db);
      if (config.mcp) mountMcp(app, deps);
      if (config.engine !== undefined) mountCollectors(app, { ...deps, engine: config.engine });
      mountPages(app, deps);
    },
    writeRefusedPage,
  );
  const whole = { ...app, endStreams: deps.streams.end };
  // Search engines must not list the made-up sites of the public demo.
  return deps.guest === undefined
    ? whole
    : { ...whole, always: { ...app.always, 'X-Robots-Tag': 'noindex, nofollow' } };
}

/**
 * Refuses every request that could change something in the public demo. These handlers run before all others. So they
 * also refuse requests to paths that future versions add (test/demo/public.test.ts). Hits do not reach these handlers:
 * see src/collect/refuse-hits.ts.
 */
function refuseChanges(app: Hono<Env>): void {
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', () => {
    throw new Problem('read_only_demo');
  });
}

/**
 * Builds an app with the paths of a collector. A server passes `more`, which mounts further paths. `page` makes an HTML
 * page of an error. Without `page`, the client gets JSON.
 */
export function buildCollectorApp(
  core: Core,
  more: (app: Hono<Env>, fail: Fail) => void = () => {},
  page: (c: Context<Env>, problem: Problem) => Response | undefined = () => undefined,
): App {
  const { config, db, clock, log, collector, script, health, meters, checkSender } = core;
  const app = new Hono<Env>();
  const storage = watchTrouble(log, clock, 'requests failed, in all');

  function reportProblem(error: unknown, requestId: string): Problem {
    const problem = findProblem(error);
    if (problem.status >= 500 && !(error instanceof Problem)) {
      const { name = 'Error', stack = String(error), code = '' } = error as Partial<Error & { code: string }>;
      const details = { request: requestId, status: problem.status, name, stack };
      if (problem.code === 'unavailable') storage.failed(code, 'request failed', details);
      else log('request failed', details);
    }
    return problem;
  }

  function fail(error: unknown, c: Context<Env>, headers: Headers = {}): Response {
    const problem = reportProblem(error, String(c.env?.outgoing?.getHeader('X-Request-Id') ?? ''));
    return page(c, problem) ?? answerProblem(problem, headers);
  }

  mountPath(app, '/healthz', { GET: () => answerJson(200, { data: { status: 'ok' } }) });
  mountPath(app, '/readyz', {
    async GET() {
      const problem = health.refusal();
      const ready = !problem && health.accepting() && db.isWritable() && (await health.hasRoom());
      return ready
        ? answerJson(200, { data: { status: 'ready' } })
        : answerProblem(problem ?? new Problem('unavailable'));
    },
  });
  const messages = mountCollector(app, config, collector, script, checkSender);
  more(app, fail);
  app.notFound((c) => fail(new Problem('not_found'), c));
  app.onError((error, c) => fail(error, c));
  const { metricsToken } = config;
  if (metricsToken !== undefined && meters) mountMetrics(app, metricsToken, meters);
  const answered: App['answered'] = meters && ((...asked) => countAnswer(meters, ...asked));
  // A browser that has used https must never go back to http. Otherwise, somebody on the network could read the data.
  const always: Headers = config.baseUrl.startsWith('https:')
    ? { 'Strict-Transport-Security': 'max-age=31536000' }
    : {};
  return { hono: app, messages, always, answered, reportProblem, endStreams: () => {}, settle: storage.settle };
}
