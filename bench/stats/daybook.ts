// Runs the built daybook as its users do: the command line imports hits, and HTTP answers queries.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processorTime } from '../paced.ts';
import { ENVIRONMENT, NODE } from '../shipped.ts';
import { FUNNELS, GOALS, type Question, type Target } from './questions.ts';
import { SITE } from './traffic.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/daybook.mjs');
const OWNER = 'owner@example.com';

export type Server = {
  url: string;
  /** Returns the JSON of the answer. */
  ask(question: Question, range: string, limit?: number): Promise<unknown>;
  /** Returns the JSON of any path of the site. */
  read(path: string): Promise<unknown>;
  /** Makes the site keep regions and cities, which it does not at first. */
  keepPlaces(): Promise<unknown>;
  /** The seconds from the start of the server until it takes requests. */
  startSeconds: number;
  /** The memory of the server, in megabytes. */
  memory(): number;
  /** The processor time since the start, in microseconds. */
  cpu(): number;
  close(): Promise<void>;
};

/** The fields of an answer that are not figures. */
const FRAME = new Set([
  'from',
  'to',
  'filters',
  'breakdown',
  'funnel',
  'id',
  'currency',
  'property',
  'any',
  'total_rows',
]);

/** Leaves only the figures of an answer. */
export const figuresOf = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify((answer as { data: unknown }).data), (key, value) => (FRAME.has(key) ? undefined : value));

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** Makes a function that requests a path of the site, and returns the JSON of the answer. */
const caller =
  (url: string, token: string, agent: Agent): Call =>
  (method, path, body) => {
    const text = body && JSON.stringify(body);
    const headers = { Authorization: `Bearer ${token}`, ...(text && { 'Content-Type': 'application/json' }) };
    return new Promise((resolve, reject) => {
      const asked = request(`${url}/api/v1/sites/${SITE}${path}`, { method, agent, headers }, (answer) => {
        let found = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => {
          found += part;
        });
        answer.on('end', () => {
          if ((answer.statusCode ?? 0) < 300) resolve(JSON.parse(found));
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${found}`));
        });
      });
      asked.on('error', reject);
      asked.end(text);
    });
  };

/** Returns the ids of goals or funnels. Those that the site lacks are added. */
async function idsOf(call: Call, path: string, wanted: readonly object[]): Promise<number[]> {
  const { data } = (await call('GET', path)) as { data: { id: number }[] };
  if (data.length > 0) return data.map(({ id }) => id);
  const ids: number[] = [];
  for (const body of wanted) ids.push(((await call('POST', path, body)) as { data: { id: number } }).data.id);
  return ids;
}

/** The body that asks for a table. In the API, the property `plan` is `property:plan`. */
const tableOf = ({ by = [], metrics = [], filters, any }: Question, range: string, limit?: number): object => ({
  ...{ range, filters, any, limit },
  by: by.map((key) => (key === 'plan' ? 'property:plan' : key)),
  metrics: ['visitors', ...metrics],
});

/** Makes a function that puts queries. Before that, the site gets the goals and the funnel of the queries. */
async function asker(call: Call): Promise<Server['ask']> {
  const goals = await idsOf(call, '/goals', GOALS satisfies readonly Target[]);
  const funnels = await idsOf(
    call,
    '/funnels',
    FUNNELS.map((steps, i) => ({ name: `bench ${i}`, steps })),
  );
  const plain = new Set(['overview', 'timeseries', 'goals']);
  return (question, range, limit) => {
    const { report, filters, event, funnel = 0, goal, metrics, sort, search, offset, interval } = question;
    if (report === 'table') return call('POST', '/query', tableOf(question, range, limit));
    const isBreakdown = !plain.has(report) && report !== 'funnel';
    const query = new URLSearchParams({ range });
    if (event) query.set('event', event);
    if (report === 'property_values') query.set('property', 'plan');
    if (isBreakdown && limit) query.set('limit', String(limit));
    const more = { metrics: metrics?.join(), goal: goal === undefined ? goal : goals[goal] };
    for (const [name, value] of Object.entries({ ...more, sort, search, offset, interval })) {
      if (value !== undefined) query.set(name, String(value));
    }
    for (const [of, asked] of Object.entries(filters)) {
      const name = of === 'plan' ? 'property:plan' : of;
      if (typeof asked !== 'object')
        query.set(`filters[${name}]`, String(name === 'goal' ? goals[Number(asked)] : asked));
      else
        for (const [op, values] of Object.entries(asked))
          for (const value of values) query.append(`filters[${name}][${op}]`, value);
    }
    const place = report === 'funnel' ? `funnels/${funnels[funnel]}` : isBreakdown ? `breakdown/${report}` : report;
    return call('GET', `/stats/${place}?${query}`);
  };
}

/** `engine` is the URL of a cluster, if a cluster has the hits. */
export function daybook(folder: string, engine?: string) {
  const db = join(folder, 'daybook.db');
  const onEngine = engine === undefined ? [] : ['--engine', engine];
  const command = (...args: string[]): string =>
    execFileSync(NODE[0], [NODE[1], PROGRAM, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' });

  async function serve(flags: readonly string[] = [], prefix: readonly string[] = []): Promise<Server> {
    const token = command('token', 'add', OWNER, '--name', 'bench', '--abilities', 'read,write').trim();
    const [program = '', ...args] = [...prefix, ...NODE, PROGRAM, 'serve', '--db', db];
    const all = [...args, '--port', '0', '--rate-limit', '0', ...onEngine, ...flags];
    const begin = performance.now();
    const server = spawn(program, all, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const startSeconds = (performance.now() - begin) / 1000;
    let isClosing = false;
    server.once('exit', (code, signal) => {
      if (!isClosing) console.error(`daybook ended by itself: ${signal ?? code}`);
    });
    const url = line.replace('listening on ', '');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = caller(url, token, agent);
    return {
      url,
      startSeconds,
      ask: await asker(call),
      read: (path) => call('GET', path),
      keepPlaces: () => call('PATCH', '', { places: true }),
      memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024,
      cpu: () => processorTime(server.pid ?? 0),
      async close() {
        agent.destroy();
        isClosing = true;
        // The server may have ended by itself.
        if (server.kill()) await once(server, 'exit');
        // A user may have only a limited number of tokens, and the file may be used for many runs. So the token is
        // revoked.
        command('token', 'revoke', OWNER, token.slice(0, token.indexOf('|')));
      },
    };
  }

  return {
    serve,
    /** Imports a file. Returns the seconds that the import took. */
    async load(file: string): Promise<number> {
      command('user', 'add', OWNER);
      command('site', 'add', OWNER, SITE);
      const server = await serve();
      await server.keepPlaces();
      await server.close();
      const start = performance.now();
      command('import', SITE, file, '--format', 'ndjson', ...onEngine);
      return (performance.now() - start) / 1000;
    },
    bytes: (): number => [db, `${db}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0),
  };
}
