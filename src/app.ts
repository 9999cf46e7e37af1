import { type Context, Hono } from 'hono';
import { mountApi } from './api/mount.ts';
import type { Api } from './api/route.ts';
import type { Collector } from './collect/collector.ts';
import { type Messages, mountCollector } from './collect/mount.ts';
import { mountCollectors } from './collectors/mount.ts';
import type { Config } from './config.ts';
import type { Script } from './embedded/script.ts';
import type { Pages } from './forms/link.ts';
import { mountPages } from './forms/mount.ts';
import { writeRefusedPage } from './forms/refused.ts';
import { Problem } from './lib/errors.ts';
import { findProblem, type Headers, jsonAnswer, problemAnswer } from './lib/http/answer.ts';
import { type Env, mountPath } from './lib/http/paths.ts';
import type { Log } from './lib/log.ts';
import type { Clock } from './lib/time.ts';
import { trouble } from './lib/trouble.ts';
import { mountMcp } from './mcp/mount.ts';
import type { Meters } from './metrics/meters.ts';
import { countAnswer, mountMetrics } from './metrics/mount.ts';
import type { Db } from './store/db.ts';

export type Health = {
  /** False once the server has been asked to stop. */
  accepting(): boolean;
  /** True while the disk has enough free space for new hits. */
  hasRoom(): Promise<boolean>;
  /** Why no hit can be acknowledged now; undefined where one can. */
  refusal(): Problem | undefined;
};

export type App = {
  hono: Hono<Env>;
  messages: Messages;
  /** Headers for every answer except those to messages. */
  always: Headers;
  /** Called for each answer, if metrics are on, with the method and the pattern of the path of what was asked. */
  answered: ((method: string, pattern: string | undefined, status: number) => void) | undefined;
  /** The public part of an error. The log gets the stack. */
  problemIn(error: unknown, requestId: string): Problem;
  /** Call it when nothing is asked any more. */
  settle(): void;
};

/** What every server has. */
type Core = {
  config: Config;
  db: Pick<Db, 'isWritable'>;
  clock: Clock;
  log: Log;
  collector: Collector;
  script: Script;
  health: Health;
  meters?: Meters | undefined;
};

type Fail = (error: unknown, c: Context<Env>, headers?: Headers) => Response;

/**
 * The routes of a collector: the script, its messages, and how the server is. There is no middleware: each path has one handler,
 * mounted from a table. `more` mounts others; `page` makes a page of a refusal for those who expect one.
 */
export function buildCollectorApp(
  core: Core,
  more: (app: Hono<Env>, fail: Fail) => void = () => {},
  page: (c: Context<Env>, problem: Problem) => Response | undefined = () => undefined,
): App {
  const { config, db, clock, log, collector, script, health, meters } = core;
  const app = new Hono<Env>();
  const storage = trouble(log, clock, 'requests failed, in all');

  function problemIn(error: unknown, requestId: string): Problem {
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
    const problem = problemIn(error, String(c.env?.outgoing?.getHeader('X-Request-Id') ?? ''));
    return page(c, problem) ?? problemAnswer(problem, headers);
  }

  mountPath(app, '/healthz', { GET: () => jsonAnswer(200, { data: { status: 'ok' } }) });
  mountPath(app, '/readyz', {
    async GET() {
      const problem = health.refusal();
      const ready = !problem && health.accepting() && db.isWritable() && (await health.hasRoom());
      return ready
        ? jsonAnswer(200, { data: { status: 'ready' } })
        : problemAnswer(problem ?? new Problem('unavailable'));
    },
  });
  const messages = mountCollector(app, config, collector, script);
  more(app, fail);
  app.notFound((c) => fail(new Problem('not_found'), c));
  app.onError((error, c) => fail(error, c));
  const { metricsToken } = config;
  if (metricsToken !== undefined && meters) mountMetrics(app, metricsToken, meters);
  const answered: App['answered'] = meters && ((...asked) => countAnswer(meters, ...asked));
  // Browsers that have used https must not be downgraded to http by a third party.
  const always: Headers = config.baseUrl.startsWith('https:')
    ? { 'Strict-Transport-Security': 'max-age=31536000' }
    : {};
  return { hono: app, messages, always, answered, problemIn, settle: storage.settle };
}

/** All routes of the server. */
export function buildApp(deps: Api & Pages & { script: Script }, health: Health, meters?: Meters): App {
  const { config } = deps;
  return buildCollectorApp(
    { ...deps, health, meters },
    (app, fail) => {
      mountApi(app, deps, fail);
      if (config.mcp) mountMcp(app, deps);
      if (config.engine !== undefined) mountCollectors(app, { ...deps, engine: config.engine });
      mountPages(app, deps);
    },
    writeRefusedPage,
  );
}
