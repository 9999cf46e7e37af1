// A route is a row of the table of the API. This file has the types of rows and of the calls that handlers get.
//
// A row names its right, and the types follow from it. A right about a site gives the handler a `SiteCall` with the
// site. Other rights give a `Call` without one. The schemas of query and body give their types. So a handler sees
// only what was checked, and the compiler refuses a row whose handler does not fit.
//
// `routes.ts` has the rows, and `mount.ts` carries them out.

import type { IncomingMessage } from 'node:http';
import type * as v from 'valibot';
import type { Caller } from '../auth/identity.ts';
import type { Quotas } from '../auth/quotas.ts';
import type { RIGHTS } from '../auth/roles.ts';
import type { Collector } from '../collect/collector.ts';
import type { Config } from '../config.ts';
import type { Finding } from '../doctor/examine.ts';
import type { Imports, Queries, Upkeep } from '../engine/engine.ts';
import type { Schema } from '../lib/http/input.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Post } from '../mail/post.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { Site } from '../store/sites/sites.ts';

/** Everything that handlers of the API may use. */
export type Api = Readonly<{
  config: Config;
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  post: Post;
  collector: Collector;
  queries: Queries;
  imports: Pick<Imports, 'listDays'>;
  upkeep: Pick<Upkeep, 'remakeSums'>;
  ask: Ask;
  limits: Quotas;
  examine: () => Promise<Finding[]>;
}>;

export type RightName = keyof typeof RIGHTS;
type SiteRight = { [Name in RightName]: (typeof RIGHTS)[Name]['of'] extends 'site' ? Name : never }[RightName];

type Output<S> = S extends Schema ? v.InferOutput<S> : undefined;

/** A checked request, as its handler gets it. */
export type Call<Body = undefined, Query = undefined> = {
  api: Api;
  db: Db;
  /** The time in seconds since 1970, fixed for one request. */
  now: number;
  caller: Caller;
  /** The raw request, for handlers that read its headers or its sender. */
  incoming: Pick<IncomingMessage, 'headers' | 'socket'>;
  /** Gives a signal that aborts when the client is gone. */
  signal: () => AbortSignal;
  /** The id in the path of a thing that the caller may see; 0 if the path has none. */
  id: number;
  query: Query;
  body: Body;
  /** Runs after the commit of a change. Mails are sent here, so that none leaves without its change. */
  afterCommit(work: () => void): void;
};

/** A checked request about a site that the caller may see. */
export type SiteCall<Body = undefined, Query = undefined> = Call<Body, Query> & { site: Site };

type CallFor<Right, Body, Query> = Right extends SiteRight ? SiteCall<Body, Query> : Call<Body, Query>;

type Spec<Right extends RightName, Body, Query> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below /api/v1. {site} is an id or a domain, any other name in braces an id. */
  path: string;
  right: Right;
  summary: string;
  /** Whether a share link of the site is enough to ask. */
  shared?: true;
  /** Whether a session must have re-authenticated in the last 10 minutes. Tokens need not. */
  reauthenticates?: true;
  /** Fields of the body that only the owner of the site may send. Others get 403 before the values are checked. */
  ownerFields?: readonly string[];
  query?: Query;
  body?: Body;
  /** Whether filters are checked but do not apply. So a client may send one query to all reports. */
  unfiltered?: true;
  /** The schema of `data`; missing if the answer has no body. */
  answer?: Schema;
  /** Whether a POST changes nothing and is answered like a GET. */
  asks?: true;
  /** Runs before the transaction of a change, for work that takes time. The handler gets the result as `prepared`. */
  prepare?: (call: CallFor<Right, Output<Body>, Output<Query>>) => Promise<unknown>;
  /** Refuses the request before its body is read if the caller has no room for one more. */
  room?: (call: CallFor<Right, undefined, undefined>) => void;
  handle: (call: CallFor<Right, Output<Body>, Output<Query>> & { prepared: never }) => unknown;
};

/** A row of the table as `mount.ts` and `openapi.ts` see it, without the types of its handler. */
export type Route = Omit<Spec<RightName, Schema, Schema>, 'room' | 'prepare' | 'handle'> & {
  room?: (call: AnyCall) => void;
  prepare?: (call: AnyCall) => Promise<unknown>;
  handle: (call: AnyCall) => unknown;
};
export type AnyCall = Call<unknown, unknown> & { site: Site | undefined; prepared: unknown };

/** Checks the types of one row: its handler gets what its right and schemas promise. */
export const route = <
  Right extends RightName,
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
>(
  row: Spec<Right, Body, Query>,
): Route => row as unknown as Route;

/** Lists the names in braces of a path. */
export const listNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
