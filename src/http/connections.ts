// Limits connections: 4,000 in all, and 2,000 of one network. A network is an IPv4 address or a /64 of IPv6. A trusted
// proxy has no limit of its own, because it carries the connections of many clients. If other clients have more than
// half of all connections, their connections are ended first. Connections of proxies are then ended only if no other
// connection waits.
//
// Invariant: silent connections never keep a new client out, and one network never has all connections. If there are
// too many connections, the ones that have waited longest for their client are ended. A connection waits for its client
// in three cases. The client must send a request, send the rest of a request, or read the answer.
//
// Example: one IP address opens 4,000 silent connections. At most 2,000 of them stay open, and another client can
// connect immediately. A new connection is refused only if no connection waits. http/server.ts calls `admits` for each
// new connection.

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
  /** All connections, and all connections that do not come from a trusted proxy. */
  const [everybody, strangers] = [makeGroup(), makeGroup()];
  const networks = new Map<string, Crowd>();

  /** Finds the network of a connection. Undefined for a trusted proxy. */
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

  /** Ends the 5 % of a group that have waited longest for their client. False if no connection was waiting. */
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

  /** Whether a group has room. A full group ends waiting connections of `first`, or if there are none, of `group`. */
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
     * Whether a new connection may stay. A connection that the client has already closed has no IP address. Hits cannot
     * be counted without an IP address, so it is refused.
     */
    admits(socket: Socket): boolean {
      if (socket.remoteAddress === undefined) return false;
      const network = networkIn(socket);
      const own = network === undefined ? undefined : (networks.get(network) ?? makeGroup());
      if (own && !hasRoom(own, most, TOO_MANY_OF_NETWORK)) return false;
      // A proxy carries many clients. If other clients have more than half, their waiting connections are ended first.
      const larger = strangers.sockets.size * 2 > all ? strangers : everybody;
      if (!hasRoom(everybody, all, TOO_MANY, larger)) return false;
      trouble.worked();
      socket.once('close', () => leave(socket));
      everybody.sockets.add(socket);
      if (network === undefined || !own) return true;
      // The network may just have lost its last connection. It was then removed, so it is added again.
      networks.set(network, own);
      own.sockets.add(socket);
      strangers.sockets.add(socket);
      return true;
    },
  };
}

const TOO_MANY = 'too many connections; those that waited longest are closed';
const TOO_MANY_OF_NETWORK = 'too many connections of one network; those that waited longest are closed';

export type Room = { all: number; network: number };

export const ROOM: Room = { all: 4_000, network: 2_000 };

/**
 * This share of the connections of a group is ended in one step. Ending only one would cost a search in all connections
 * for each new connection.
 */
const ENDED_SHARE = 0.05;

/**
 * A group of connections with a common limit. If the group is full and no connection can be ended, the next
 * `turnedAway` new connections are refused at once. This saves a search in the group for each of them.
 */
type Crowd = { sockets: Set<Socket>; turnedAway: number };

const makeGroup = (): Crowd => ({ sockets: new Set(), turnedAway: 0 });
const countEnded = ({ sockets }: Crowd): number => Math.ceil(sockets.size * ENDED_SHARE);

/**
 * Gives the number of the last event of a connection, such as bytes that came. All events of all connections are
 * numbered in one series. So the connection with the lowest number has waited longest for its client. Undefined if the
 * client waits for the server.
 */
function findHeard(connection: Connection | undefined): number | undefined {
  const { answer, direct } = connection ?? {};
  const isAnswering = answer?.req.complete === true && !answer.writableEnded && !answer.writableNeedDrain;
  return isAnswering ? undefined : direct?.heardAt();
}
