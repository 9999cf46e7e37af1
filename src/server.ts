import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';
import { type Headers, problemAnswer } from './lib/answer.ts';
import { type Code, Problem, problemBody, Refusal } from './lib/errors.ts';
import type { Env } from './lib/paths.ts';
import { type Random, randomText } from './lib/secrets.ts';

const SETTINGS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than the 60 s for which proxies keep their end open, so that it is they who close.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Node would answer with an empty body; ours says why.
  requireHostHeader: false,
};
const MAX_CONNECTIONS = 4_000;
/** How long nothing may move on a connection while a request is under way: whoever does not fetch an answer keeps no place. */
const STILL_MS = 30_000;
/**
 * How many requests of one connection may be under way. Node takes all that come in one piece, up to a thousand, and keeps
 * each answer for whoever does not read; browsers send one at a time.
 */
const MOST_UNDER_WAY = 16;

/** How long connections that are kept alive may still bring one more request before they are closed. */
const GRACE_MS = 1_000;
/** How long a request that has begun may still take. */
const FINISH_MS = 5_000;

/** What Node's parser refuses before there is a request; everything else it refuses is a 400. */
const PARSER_CODES: Record<string, Code> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'another program listens there; choose another --port',
  EADDRNOTAVAIL: 'this machine does not have that address; choose another --host',
  EACCES: 'the system does not allow it; ports below 1024 need a right of their own',
  ENOTFOUND: 'this is no address; choose another --host',
};

export type Listening = { port: number; accepting(): boolean; stop(): Promise<void> };

/** An error as it goes over the wire where there is no request to answer. */
function wire(problem: Problem, id: string): string {
  const { status, headers } = problemAnswer(problem, { 'X-Request-Id': id, Connection: 'close' });
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', problemBody(problem)].join('\r\n');
}

function respond(outgoing: ServerResponse, problem: Problem, more: Headers = { Connection: 'close' }): void {
  const { status, headers } = problemAnswer(problem, more);
  outgoing.writeHead(status, Object.fromEntries(headers)).end(problemBody(problem));
}

/** An open connection: its latest answer, and how many are under way. */
type Line = { answer: ServerResponse | undefined; underWay: number };

/**
 * The sockets: timeouts, request ids, an answer in our shape for everything that never becomes a request, and an end
 * that cuts nothing off. Held by test/server.test.ts over real sockets.
 */
export function listen(
  where: { host: string; port: number },
  random: Random,
  buildApp: (port: number) => App,
): Promise<Listening> {
  const boot = randomText(random, 6);
  let count = 0;
  const nextId = () => `${boot}-${(count++).toString(36)}`;

  let stopping = false;
  /** Whether each answer is the last of its connection. */
  let closing = false;
  const sockets = new Map<Socket, Line>();

  // There is none before the port is known, and no request comes before that either.
  let app: App | undefined;
  const listener = getRequestListener((request, env) => (app as App).hono.fetch(request, env as Env['Bindings']), {
    hostname: 'localhost',
    errorHandler: () => problemAnswer(new Problem('bad_request')),
  });

  /** The way of nearly all requests; it saves what takes longer than the hit itself. */
  async function receive(to: App, incoming: IncomingMessage, outgoing: ServerResponse, id: string): Promise<void> {
    const always = (): Headers => (closing ? { 'X-Request-Id': id, Connection: 'close' } : { 'X-Request-Id': id });
    try {
      const headers = await to.receive(incoming);
      outgoing.writeHead(202, { ...headers, ...always(), 'Content-Length': '0' }).end();
    } catch (error) {
      respond(outgoing, to.problemIn(error, id), { ...always(), Connection: 'close' });
    }
  }

  const server: Server = createServer(SETTINGS, (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const line = sockets.get(incoming.socket);
    if (!line) return incoming.socket.destroy();
    line.answer = outgoing;
    const id = nextId();
    if (app?.answered) outgoing.once('finish', () => app?.answered?.(incoming, outgoing.statusCode));
    if (app && incoming.method === 'POST' && incoming.url === app.messages && incoming.headers.host !== undefined) {
      return void receive(app, incoming, outgoing, id);
    }
    if (++line.underWay > MOST_UNDER_WAY) return incoming.socket.destroy();
    outgoing.once('close', () => line.underWay--);
    outgoing.setHeader('X-Request-Id', id);
    for (const [name, value] of Object.entries(app?.always ?? {})) outgoing.setHeader(name, value);
    if (closing) outgoing.setHeader('Connection', 'close');
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') {
      return respond(outgoing, new Problem('bad_request', { message: 'The Host header is missing.' }));
    }
    void listener(incoming, outgoing);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = STILL_MS;

  let taken = 0;
  server.on('connection', (socket) => {
    taken++;
    sockets.set(socket, { answer: undefined, underWay: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const refuse = (socket: Duplex, problem: Problem) => socket.end(wire(problem, nextId()), () => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = sockets.get(socket)?.answer;
    // In the middle of an answer another one would be read as part of it.
    const midway = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || midway || error.code === 'ECONNRESET') return socket.destroy();
    refuse(socket, new Problem(PARSER_CODES[error.code ?? ''] ?? 'bad_request'));
  });
  server.on('checkExpectation', (_incoming, outgoing) => {
    outgoing.setHeader('X-Request-Id', nextId());
    respond(outgoing, new Problem('bad_request', { message: 'The Expect header asks for what is not done here.' }));
  });
  server.on('connect', (_incoming, socket) => {
    socket.on('error', () => {});
    refuse(socket, new Problem('bad_request', { message: 'This server is no proxy.' }));
  });

  /**
   * Whoever is connected and has not been taken in yet, which is one at a time each turn of the event loop, would be cut off
   * with the listening socket. Held by torture/stop.test.ts.
   */
  async function takeWaiting(): Promise<void> {
    let isLate = false;
    void pause(GRACE_MS, undefined, { ref: false }).then(() => {
      isLate = true;
    });
    let before: number;
    do {
      before = taken;
      // The first may come before this turn has looked for connections.
      await turn();
      await turn();
    } while (taken > before && !isLate);
  }

  async function stop(): Promise<void> {
    stopping = true;
    await takeWaiting();
    // Not before nobody can come back: whose connection is closed at once makes a new one.
    closing = true;
    // The http server's own close() would close idle connections at once, and cut off a request that is on its way on
    // one of them. So only the listening socket is closed; the answer to its next request closes a connection, and what
    // stays silent is closed from here.
    for (const { answer } of sockets.values()) {
      if (answer && !answer.headersSent) answer.setHeader('Connection', 'close');
    }
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    await Promise.race([closed, pause(GRACE_MS, undefined, { ref: false })]);
    server.closeIdleConnections();
    await Promise.race([closed, pause(FINISH_MS, undefined, { ref: false })]);
    for (const socket of sockets.keys()) socket.destroy();
    await closed;
  }

  return new Promise((resolve, reject) => {
    // Later ones, such as too many open files, pass by themselves; then this changes nothing.
    server.on('error', ({ code }: NodeJS.ErrnoException) => {
      reject(new Refusal(`cannot listen on ${where.host} port ${where.port}: ${LISTEN_ERRORS[code ?? ''] ?? code}`));
    });
    server.listen(where.port, where.host, () => {
      const { port } = server.address() as AddressInfo;
      app = buildApp(port);
      resolve({ port, accepting: () => !stopping, stop });
    });
  });
}
