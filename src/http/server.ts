// The HTTP server: its sockets, timeouts and request ids. A stop of the server lets open requests finish.
//
// Invariant: an invalid request gets an error in the form of the API, unless another response has begun. A request that
// has begun before the server stops gets its response, if that takes less than 6 s.
//
// Example: on SIGTERM at 10:00:00, the server accepts no new connections. Open connections may send one more request
// until 10:00:01. All open requests are answered by 10:00:06. compose.ts calls `listen` (test/http,
// torture/stop.test.ts).

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
import type { Connection, State } from './state.ts';

export type Listening = { port: number; accepting(): boolean; stop(): Promise<void> };

/** Starts the HTTP server. The app is built as soon as the port is known. */
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
  // Most proxies close a connection after 60 s without a request. The server waits longer, therefore the proxy closes
  // first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // By default, Node itself answers a request without the header Host, with an empty body. With false, this server
  // answers the request, and names the fault.
  requireHostHeader: false,
};
/**
 * The longest pause during a request. If no byte is sent or received for this time, the connection is closed. For
 * example, this ends the connection of a client that does not read its response.
 */
const IDLE_MS = 30_000;
/**
 * How many requests of one connection may be unanswered. With one more, the connection is closed. Requests are answered
 * one after another. Without a limit, a client that reads nothing would fill the memory with requests and responses.
 * Browsers send one request at a time.
 */
const MOST_UNDER_WAY = 8;

/**
 * True if a request has a body. If such a request arrives while an earlier one is being answered, the connection is
 * closed. Otherwise the unread body would fill the memory. With one byte in each chunk, even a short body takes much
 * memory. The body of a GET request is read and dropped.
 */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * True if a request has exactly one header Host, as HTTP demands. With two such headers, a proxy and this server could
 * choose different hosts. Node keeps the first one without an error.
 */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts === 1;
}

/**
 * True if a path has a dot segment, such as /day/../sign-in. The router would read this path as /sign-in. A proxy that
 * forwards only /day/ may let such a path pass. Browsers and other clients remove dot segments before they send a path.
 */
const hasDotSegment = ({ url = '' }: IncomingMessage): boolean => /^[^?]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url);

/** During a stop, an open connection may begin one more request within this time. */
const GRACE_MS = 1_000;
/** After `GRACE_MS`, open requests get this time to finish. */
const FINISH_MS = 5_000;

/** Our codes for some errors of node's http. All other errors become `bad_request`, a 400. */
const PARSER_CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

const LISTEN_ERRORS: Record<string, string> = {
  EADDRINUSE: 'another program listens there. Choose another --port',
  EADDRNOTAVAIL: 'this machine does not have that IP address. Choose another --host',
  EACCES: 'the system does not allow it. For a port below 1024, give the program CAP_NET_BIND_SERVICE',
  ENOTFOUND: 'there is no such host name. Choose another --host',
};

const refuseListening = ({ host, port }: HostAndPort, { code }: NodeJS.ErrnoException): Refusal =>
  new Refusal(`cannot listen on ${host} port ${port}: ${LISTEN_ERRORS[code ?? ''] ?? code}`);

/**
 * Throws if the server cannot listen, for example on a port that another program uses. `serve` and `collect` call this
 * function before they create or update their database file or outbox.
 */
export async function tryToListen(place: HostAndPort): Promise<void> {
  await findFreePort(place).catch((error) => {
    throw refuseListening(place, error);
  });
}

function respond(outgoing: ServerResponse, problem: Problem, more: Headers = { Connection: 'close' }): void {
  const { status, headers } = answerProblem(problem, more);
  outgoing.writeHead(status, Object.fromEntries(headers)).end(writeProblemBody(problem));
}

function makeRequestHandler(state: State): RequestListener {
  const { connections, nextId } = state;
  const listener = getRequestListener(
    (request, env) => (state.app as App).hono.fetch(request, env as Env['Bindings']),
    {
      hostname: 'localhost',
      errorHandler: () => answerProblem(new Problem('bad_request')),
    },
  );

  /**
   * Answers a hit. Nearly all requests are hits, therefore this function does nothing that only other requests need.
   */
  async function receive(app: App, incoming: IncomingMessage, outgoing: ServerResponse, id: string): Promise<void> {
    try {
      const headers = [...listAcceptedHeaders(await app.messages.receive(incoming)), ['X-Request-Id', id]];
      if (state.isClosing) headers.push(['Connection', 'close']);
      outgoing.writeHead(202, headers.flat()).end();
    } catch (error) {
      respond(outgoing, app.reportProblem(error, id), { 'X-Request-Id': id, Connection: 'close' });
    }
  }

  /**
   * Answers all requests except hits, which `receive` answers faster. A hit without exactly one header Host comes here
   * too. If it uses HTTP/1.1, it is refused.
   */
  function answer(connection: Connection, incoming: IncomingMessage, outgoing: ServerResponse, id: string): void {
    if (incoming.socket.destroyed) return;
    connection.answer = outgoing;
    outgoing.setHeader('X-Request-Id', id);
    for (const [name, value] of Object.entries(state.app?.always ?? {})) outgoing.setHeader(name, value);
    if (state.isClosing && connection.waiting.length === 0) outgoing.setHeader('Connection', 'close');
    if (incoming.httpVersion === '1.1' && !hasOneHost(incoming)) {
      const isMissing = incoming.headers.host === undefined;
      respond(outgoing, new Problem('bad_request', isMissing ? { message: coded('no_host') } : {}));
    } else if (hasDotSegment(incoming)) respond(outgoing, new Problem('not_found'));
    else void listener(incoming, outgoing);
  }

  return (incoming, outgoing) => {
    const { app } = state;
    const connection = connections.get(incoming.socket);
    if (!connection) return incoming.socket.destroy();
    connection.direct.touch();
    // `connection.answer` holds the request, whose headers identify the visitor. A proxy keeps its connections open for
    // long. Without these lines, the headers would stay in memory until the next request.
    outgoing.once('close', () => {
      if (connection.answer === outgoing) connection.answer = undefined;
      connection.direct.touch();
    });
    const id = nextId();
    const answered = app?.answered;
    if (answered) {
      outgoing.once('finish', () => answered(incoming.method ?? '', findPattern(incoming), outgoing.statusCode));
    }
    if (app && incoming.method === 'POST' && incoming.url === app.messages.path && hasOneHost(incoming)) {
      connection.answer = outgoing;
      return void receive(app, incoming, outgoing, id);
    }
    const isWaiting = ++connection.underWay > 1;
    if (connection.underWay > MOST_UNDER_WAY || (isWaiting && hasBody(incoming))) return incoming.socket.destroy();
    if (incoming.method === 'GET' && hasBody(incoming)) incoming.resume();
    outgoing.once('close', () => {
      connection.underWay--;
      connection.waiting.shift()?.();
    });
    const begin = () => answer(connection, incoming, outgoing, id);
    if (isWaiting) connection.waiting.push(begin);
    else begin();
  };
}

function answerTheRest(server: Server, { connections, nextId, date }: State): void {
  const refuse = (socket: Duplex, problem: Problem) =>
    socket.end(writeProblem(problem, { id: nextId(), date: date() }), () => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = connections.get(socket)?.answer;
    // If a response has begun, the client would read a second response as a part of the first one. Therefore the
    // connection is closed instead.
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
 * Waits until Node has accepted all connections that wait in the operating system. Closing a listening socket would cut
 * them off (torture/stop.test.ts). In one turn of the event loop, Node accepts only one connection of each listening
 * socket.
 */
async function emptyQueue(state: State): Promise<void> {
  let isLate = false;
  void pause(GRACE_MS, undefined, { ref: false }).then(() => {
    isLate = true;
  });
  let before: number;
  do {
    before = state.accepted;
    // Two turns of the event loop are needed, because the first may end before Node looks for connections.
    await turn();
    await turn();
  } while (state.accepted > before && !isLate);
}

/** Stops the server. Requests that have begun are answered if they do not take too long. */
async function stop(server: Server, sockets: Sockets, state: State): Promise<void> {
  state.isStopping = true;
  // A stream never ends by itself. Without this call, the server would wait for a stream as long as for the slowest
  // request.
  state.app?.endStreams();
  await emptyQueue(state);
  // `isClosing` makes each connection close after its next response. It is set only now, when no connection waits in
  // the operating system to be accepted. If it were set earlier, clients whose connection closed would connect again.
  // `emptyQueue` would then wait for these new connections again and again.
  state.isClosing = true;
  // `sockets.close` ends only the listening sockets. An open connection closes after its next response. Without a next
  // request, it is closed after `GRACE_MS`.
  for (const { answer, waiting } of state.connections.values()) {
    if (answer && !answer.headersSent && waiting.length === 0) answer.setHeader('Connection', 'close');
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
    state.connections.set(socket, { answer: undefined, underWay: 0, waiting: [], direct: read(socket) });
  });
  answerTheRest(server, state);
  return server;
}
