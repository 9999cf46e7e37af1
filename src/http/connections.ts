// Limits connections: 4,000 in all, and 2,000 of one network, which is an IPv4 address or a /64 of IPv6. Trusted
// proxies have no limit of their own, because they carry the connections of many clients. While others have most of the
// connections, those of proxies are ended only if no other one waits.
//
// Invariant: silent connections never keep a new client out, and one network never has all connections. If there are
// too many, those that have waited longest for their client are ended: for a request, for the rest of one, or for
// reading the answer.
//
// Example: one IP address opens 4,000 silent connections. At most 2,000 of them are open, and another client gets in at
// once. Only if no connection waits is a new one turned away. http/server.ts asks for each new connection.

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
  /** All connections, and those that no trusted proxy has. */
  const [everybody, strangers] = [makeGroup(), makeGroup()];
  const networks = new Map<string, Crowd>();

  /** Finds the network of a connection; undefined for a trusted proxy. */
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

  /** Ends some connections of a group that have waited longest. Tells whether there were any. */
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

  /** Tells whether a group has room for one more, perhaps by ending others: those in `first`, if some of them wait. */
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
     * Tells whether a new connection may stay. One that has closed already has no IP address, by which its hits would
     * be counted.
     */
    admits(socket: Socket): boolean {
      if (socket.remoteAddress === undefined) return false;
      const network = networkIn(socket);
      const own = network === undefined ? undefined : (networks.get(network) ?? makeGroup());
      if (own && !hasRoom(own, most, TOO_MANY_OF_NETWORK)) return false;
      // A proxy may pass a request on before its body has come, so its connections can be most of those that wait.
      const larger = strangers.sockets.size * 2 > all ? strangers : everybody;
      if (!hasRoom(everybody, all, TOO_MANY, larger)) return false;
      trouble.worked();
      socket.once('close', () => leave(socket));
      everybody.sockets.add(socket);
      if (network === undefined || !own) return true;
      // The network may have lost its last connection a moment ago, and its group with it.
      networks.set(network, own);
      own.sockets.add(socket);
      strangers.sockets.add(socket);
      return true;
    },
  };
}

const TOO_MANY = 'too many connections; those that waited longest are closed';
const TOO_MANY_OF_NETWORK = 'too many connections of one network; those that waited longest are closed';

/** The limits of connections: in all, and of one network. */
export type Room = { all: number; network: number };

export const ROOM: Room = { all: 4_000, network: 2_000 };

/** The share of connections that is ended at once, so that not each new one needs a look at all. */
const ENDED_SHARE = 0.05;

/**
 * Connections with a common limit. After a look that found none to end, `turnedAway` further ones are turned away
 * without another look.
 */
type Crowd = { sockets: Set<Socket>; turnedAway: number };

const makeGroup = (): Crowd => ({ sockets: new Set(), turnedAway: 0 });
const countEnded = ({ sockets }: Crowd): number => Math.ceil(sockets.size * ENDED_SHARE);

/**
 * Finds the last sign of a connection that waits for its client: to send a request, the rest of one, or to read the
 * answer. Undefined for a connection that waits for the server.
 */
function findHeard(connection: Connection | undefined): number | undefined {
  const { answer, direct } = connection ?? {};
  const isAnswering = answer?.req.complete === true && !answer.writableEnded && !answer.writableNeedDrain;
  return isAnswering ? undefined : direct?.heardAt();
}
