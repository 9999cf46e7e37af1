// Limits open connections: 4,000 in all, and 2,000 from one network. A network is an IPv4 address, or the 2^64 IPv6
// addresses that begin with equal 64 bits. A connection from a trusted proxy counts only toward the 4,000, because the
// proxy carries the requests of many clients.
//
// Invariant: silent connections never keep a new client out, and one network never has all connections. A connection
// waits for its client until a whole request has arrived. It also waits until the client has read the response. If
// there are too many connections, those that have waited longest are ended.
//
// Example: one IP address opens 4,000 silent connections. At most 2,000 of them stay open, and another client can
// connect immediately. If a limit is reached and no connection is waiting, new connections are refused. http/server.ts
// calls `admits` for each new connection.

import type { Socket } from 'node:net';
import { type AddressList, makeAddressKey, unmapAddress } from '../lib/http/address.ts';
import type { Trouble } from '../lib/trouble.ts';
import type { Connection, State } from './state.ts';

export function limitConnections(
  { connections }: Pick<State, 'connections'>,
  { all, network: most }: Room,
  isProxy: AddressList,
  trouble: Trouble,
) {
  /** `everybody` has all connections. `strangers` has all connections that are not from a trusted proxy. */
  const [everybody, strangers] = [makeGroup(), makeGroup()];
  const networks = new Map<string, Crowd>();

  /** Finds a connection's network: its IPv4 address, or 64 bits of its IPv6 address. Undefined for a trusted proxy. */
  function networkIn({ remoteAddress = '' }: Socket): string | undefined {
    const address = unmapAddress(remoteAddress);
    return isProxy(address) ? undefined : makeAddressKey(address);
  }

  function leave(socket: Socket): void {
    connections.delete(socket);
    everybody.sockets.delete(socket);
    strangers.sockets.delete(socket);
    const network = networkIn(socket) ?? '';
    const own = networks.get(network);
    own?.sockets.delete(socket);
    if (own?.sockets.size === 0) networks.delete(network);
  }

  /** Ends the connections that have waited longest, up to 5 % of a group. Returns false if none was waiting. */
  function makeRoom(group: Crowd): boolean {
    const waiting = [...group.sockets].flatMap((socket) => {
      const heardAt = findHeard(connections.get(socket));
      return heardAt === undefined ? [] : [{ socket, heardAt }];
    });
    waiting.sort((one, other) => one.heardAt - other.heardAt);
    const ended = waiting.slice(0, countEnded(group));
    for (const { socket } of ended) {
      socket.destroy();
      leave(socket);
    }
    return ended.length > 0;
  }

  /** Makes room in a full group: ends waiting connections of `first`, or else of `group`. False if it stays full. */
  function hasRoom(group: Crowd, most: number, event: string, first = group): boolean {
    if (group.sockets.size < most) return true;
    trouble.failed(event, event, { most });
    if (group.turnedAway > 0) {
      group.turnedAway--;
      return false;
    }
    if (makeRoom(first) || makeRoom(group)) return true;
    group.turnedAway = countEnded(group);
    return false;
  }

  return {
    /**
     * True if a new connection may stay. If the client has already closed the connection, it has no IP address and is
     * refused.
     */
    admits(socket: Socket): boolean {
      if (socket.remoteAddress === undefined) return false;
      const network = networkIn(socket);
      const own = network === undefined ? undefined : (networks.get(network) ?? makeGroup());
      if (own && !hasRoom(own, most, TOO_MANY_OF_NETWORK)) return false;
      // A proxy serves many clients. If connections without a proxy fill over half of the limit, they are ended first.
      const larger = strangers.sockets.size * 2 > all ? strangers : everybody;
      if (!hasRoom(everybody, all, TOO_MANY, larger)) return false;
      trouble.worked();
      socket.once('close', () => leave(socket));
      everybody.sockets.add(socket);
      if (network === undefined || !own) return true;
      // `hasRoom` may have ended the network's last connection, and so removed the network. So it is added again.
      networks.set(network, own);
      own.sockets.add(socket);
      strangers.sockets.add(socket);
      return true;
    },
  };
}

const TOO_MANY = 'too many connections. Those that waited longest are closed';
const TOO_MANY_OF_NETWORK = 'too many connections of one network. Those that waited longest are closed';

export type Room = { all: number; network: number };

export const ROOM: Room = { all: 4_000, network: 2_000 };

/**
 * If a group is full, 5 % of its connections are ended at once. If only one were ended, each new connection would need
 * a search through all connections.
 */
const ENDED_SHARE = 0.05;

/**
 * A group of connections with a common limit. If the group is full and no connection can be ended, the next
 * `turnedAway` new connections are refused at once. Otherwise, each of them would need a search in the group.
 */
type Crowd = { sockets: Set<Socket>; turnedAway: number };

const makeGroup = (): Crowd => ({ sockets: new Set(), turnedAway: 0 });
const countEnded = ({ sockets }: Crowd): number => Math.ceil(sockets.size * ENDED_SHARE);

/**
 * Finds the number of a connection's last event, such as the arrival of bytes. The events of all connections are
 * numbered in one series. So the connection with the lowest number has waited longest for its client. Returns undefined
 * while the server works on a response, because the connection is not waiting for its client then.
 */
function findHeard(connection: Connection | undefined): number | undefined {
  const { answer, direct } = connection ?? {};
  const isAnswering = answer?.req.complete === true && !answer.writableEnded && !answer.writableNeedDrain;
  return isAnswering ? undefined : direct?.heardAt();
}
