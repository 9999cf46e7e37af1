// The HTTP server: its sockets, timeouts and request ids, and a stop that cuts nothing off.
//
// Invariant: everything that a client sends gets an answer in the shape of the API, even bytes that never become a
// request. A request that has begun when the server stops is answered, within 5 s.
//
// Example: on SIGTERM at 10:00:00 the server stops to accept, and connections may send one more request until 10:00:01.
// All that has begun is answered by 10:00:06. compose.ts calls listen (test/http, torture/stop.test.ts).

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../app.ts';
import { listAcceptedHeaders } from '../collect/mount.ts';
import { coded } from '../lang/coded.ts';
import { type ErrorCode, Problem, Refusal, writeProblemBody } from '../lib/errors.ts';
import type { AddressList } from '../lib/http/address.ts';
import { answerProblem, type Headers } from '../lib/http/answer.ts';
import { type Env, findPattern } from '../lib/http/paths.ts';
import { findFreePort, type HostAndPort, openSockets, type Sockets } from '../lib/http/sockets.ts';
import type { Log } from '../lib/log.ts';
import { makeRandomText, type Random } from '../lib/secrets.ts';
import { type Clock, makeHttpDates } from '../lib/time.ts';
import { watchTrouble } from '../lib/trouble.ts';
import { writeProblem } from './answer-head.ts';
import { limitConnections, ROOM } from './connections.ts';
import { readMessagesFirst } from './messages.ts';
import type { State } from './state.ts';

export type Listening = { port: number; accepting(): boolean; stop(): Promise<void> };

/** Starts to listen on a place, and builds the app when the port is known. */
export async function listen(
  place: HostAndPort & { trust: AddressList },
  { random, clock, log }: { random: Random; clock: Clock; log: Log },
  buildApp: (port: number) => App,
  room = ROOM,
): Promise<Listening> {
  const start = makeRandomText(random, 6);
  let count = 0;
  const state: State = {
    app: undefined,
    connections: new Map(),
    accepted: 0,
    isStopping: false,
    isClosing: false,
    nextId: () => `${start}-${(count++).toString(36)}`,
    date: makeHttpDates(clock),
  };
  const crowds = watchTrouble(log, clock, 'connections were too many, in all');
  const server = buildServer(state, limitConnections(state, room, place.trust, crowds).admits);
  const sockets = await openSockets(server, place).catch((error) => {
    throw refuseListening(place, error);
  });
  state.app = buildApp(sockets.port);
  return {
    port: sockets.port,
    accepting: () => !state.isStopping,
    stop: () => stop(server, sockets, state).finally(crowds.settle),
  };
}

const SETTINGS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than the 60 s of most proxies, so that the proxy is the first to close.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Node's own answer to a missing host has no body; the answer of this server names the fault.
  requireHostHeader: false,
};
/** How long a request may stand still, so that a client that does not read its answer is cut off. */
const IDLE_MS = 30_000;
/**
 * How many requests of one connection may be open. Node takes up to a thousand pipelined ones and keeps all answers in
 * memory, if the client does not read. Browsers send one at a time.
 */
const MOST_UNDER_WAY = 8;

/** How long a kept connection may still send one more request during a stop. */
const GRACE_MS = 1_000;
/** How long an open request may still take during a stop. */
const FINISH_MS = 5_000;

/** Codes for what node's parser refuses before there is a request. Anything else that it refuses is a 400. */
const PARSER_CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'another program listens there; choose another --port',
  EADDRNOTAVAIL: 'this machine does not have that address; choose another --host',
  EACCES: 'the system does not allow it; for a port below 1024 give the program CAP_NET_BIND_SERVICE',
  ENOTFOUND: 'there is no such host name; choose another --host',
};

const refuseListening = ({ host, port }: HostAndPort, { code }: NodeJS.ErrnoException): Refusal =>
  new Refusal(`cannot listen on ${host} port ${port}: ${LISTEN_ERRORS[code ?? ''] ?? code}`);

/** Tries to listen, so that a server that cannot run makes or updates no file. */
export async function tryToListen(place: HostAndPort): Promise<void> {
  await findFreePort(place).catch((error) => {
    throw refuseListening(place, error);
  });
}

function respond(outgoing: ServerResponse, problem: Problem, more: Headers = { Connection: 'close' }): void {
  const { status, headers } = answerProblem(problem, more);
  outgoing.writeHead(status, Object.fromEntries(headers)).end(writeProblemBody(problem));
}

/** Makes the function that node calls for each request. */
function makeRequestHandler(state: State): RequestListener {
  const { connections, nextId } = state;
  const listener = getRequestListener(
    (request, env) => (state.app as App).hono.fetch(request, env as Env['Bindings']),
    {
      hostname: 'localhost',
      errorHandler: () => answerProblem(new Problem('bad_request')),
    },
  );

  /** Answers a hit, as nearly all requests are. Whatever takes longer than the hit itself is left out here. */
  async function receive(app: App, incoming: IncomingMessage, outgoing: ServerResponse, id: string): Promise<void> {
    try {
      const headers = [...listAcceptedHeaders(await app.messages.receive(incoming)), ['X-Request-Id', id]];
      if (state.isClosing) headers.push(['Connection', 'close']);
      outgoing.writeHead(202, headers.flat()).end();
    } catch (error) {
      respond(outgoing, app.reportProblem(error, id), { 'X-Request-Id': id, Connection: 'close' });
    }
  }

  return (incoming, outgoing) => {
    const { app } = state;
    const connection = connections.get(incoming.socket);
    if (!connection) return incoming.socket.destroy();
    connection.answer = outgoing;
    connection.direct.touch();
    // Forgets the answer with its request, whose headers name the visitor: a proxy's connection stays open for long.
    outgoing.once('close', () => {
      if (connection.answer === outgoing) connection.answer = undefined;
      connection.direct.touch();
    });
    const id = nextId();
    const answered = app?.answered;
    if (answered) {
      outgoing.once('finish', () => answered(incoming.method ?? '', findPattern(incoming), outgoing.statusCode));
    }
    if (
      app &&
      incoming.method === 'POST' &&
      incoming.url === app.messages.path &&
      incoming.headers.host !== undefined
    ) {
      return void receive(app, incoming, outgoing, id);
    }
    if (++connection.underWay > MOST_UNDER_WAY) return incoming.socket.destroy();
    outgoing.once('close', () => connection.underWay--);
    outgoing.setHeader('X-Request-Id', id);
    for (const [name, value] of Object.entries(app?.always ?? {})) outgoing.setHeader(name, value);
    if (state.isClosing) outgoing.setHeader('Connection', 'close');
    if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') {
      return respond(outgoing, new Problem('bad_request', { message: coded('no_host') }));
    }
    void listener(incoming, outgoing);
  };
}

/** Answers bytes that never become a request. */
function answerTheRest(server: Server, { connections, nextId, date }: State): void {
  const refuse = (socket: Duplex, problem: Problem) =>
    socket.end(writeProblem(problem, { id: nextId(), date: date() }), () => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = connections.get(socket)?.answer;
    // During an answer a second one would be read as its content.
    const isMidway = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || isMidway || error.code === 'ECONNRESET') return socket.destroy();
    refuse(socket, new Problem(PARSER_CODES[error.code ?? ''] ?? 'bad_request'));
  });
  server.on('checkExpectation', (_incoming, outgoing) => {
    outgoing.setHeader('X-Request-Id', nextId());
    respond(outgoing, new Problem('bad_request', { message: coded('expectation_not_met') }));
  });
  server.on('connect', (_incoming, socket) => {
    socket.on('error', () => {});
    refuse(socket, new Problem('bad_request', { message: coded('no_proxy') }));
  });
}

/**
 * Waits until the system has handed over all connections of its queues. Node takes one of each queue in a turn of the
 * event loop. Connections still in a queue would be cut off with their socket (torture/stop.test.ts).
 */
async function emptyQueue(state: State): Promise<void> {
  let isLate = false;
  void pause(GRACE_MS, undefined, { ref: false }).then(() => {
    isLate = true;
  });
  let before: number;
  do {
    before = state.accepted;
    // Two turns, because the first may end before node looks for connections.
    await turn();
    await turn();
  } while (state.accepted > before && !isLate);
}

/** Stops a server. Requests that have begun are answered, if that does not take too long. */
async function stop(server: Server, sockets: Sockets, state: State): Promise<void> {
  state.isStopping = true;
  await emptyQueue(state);
  // Only after the queues are empty: a client whose connection closes makes a new one at once.
  state.isClosing = true;
  // Only listening sockets close at once. A kept connection closes with its next answer, or below if it stays idle.
  for (const { answer } of state.connections.values()) {
    if (answer && !answer.headersSent) answer.setHeader('Connection', 'close');
  }
  const closed = sockets.close();
  await Promise.race([closed, pause(GRACE_MS, undefined, { ref: false })]);
  server.closeIdleConnections();
  for (const [socket, { direct }] of state.connections) if (direct.isIdle()) socket.destroy();
  await Promise.race([closed, pause(FINISH_MS, undefined, { ref: false })]);
  for (const socket of state.connections.keys()) socket.destroy();
  await closed;
  state.app?.settle();
}

function buildServer(state: State, admits: (socket: Socket) => boolean): Server {
  const server = createServer(SETTINGS, makeRequestHandler(state));
  server.timeout = IDLE_MS;
  const read = readMessagesFirst(server, state);
  server.on('connection', (socket) => {
    state.accepted++;
    if (!admits(socket)) return socket.destroy();
    state.connections.set(socket, { answer: undefined, underWay: 0, direct: read(socket) });
  });
  answerTheRest(server, state);
  return server;
}
