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

/** What the handlers of the API work with. */
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

/** A request that may be carried out: who asks, about which site, and what, all of it checked. */
export type Call<Body = undefined, Query = undefined> = {
  api: Api;
  db: Db;
  /** Seconds since 1970, the same throughout one request. */
  now: number;
  caller: Caller;
  /** The raw request, for a handler that looks at its headers or its sender. */
  incoming: Pick<IncomingMessage, 'headers' | 'socket'>;
  /** Aborted when the client has signal away. */
  signal: () => AbortSignal;
  /** The id at the end of the path, of something that the caller may reach; 0 where the path has none. */
  id: number;
  query: Query;
  body: Body;
  /** Runs once the transaction has been committed: for what must not happen without the change, such as sending a mail. */
  afterCommit(work: () => void): void;
};

/** A request about a site that the caller may see. */
export type SiteCall<Body = undefined, Query = undefined> = Call<Body, Query> & { site: Site };

type CallFor<Right, Body, Query> = Right extends SiteRight ? SiteCall<Body, Query> : Call<Body, Query>;

type Spec<Right extends RightName, Body, Query> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to /api/v1. {site} is an id or a domain, any other name in braces an id. */
  path: string;
  right: Right;
  summary: string;
  /** Whether a share link of the site is enough. */
  shared?: true;
  /** Whether somebody who is signed in must have shown lately who they are; tokens are not asked. */
  reauthenticates?: true;
  /** Fields of the body that only the owner of the site may send; whoever else does is refused before they are checked. */
  ownerFields?: readonly string[];
  query?: Query;
  body?: Body;
  /** Whether filters are checked and do not apply, so that a client may send one query to all reports. */
  unfiltered?: true;
  /** The shape of `data`; none for an answer without a body. */
  answer?: Schema;
  /** Whether a POST changes nothing: it is answered like a GET. */
  asks?: true;
  /** Finds out what the handler of a change cannot wait for. */
  prepare?: (call: CallFor<Right, Output<Body>, Output<Query>>) => Promise<unknown>;
  /** Refuses before the body is read where there is no room for another. */
  room?: (call: CallFor<Right, undefined, undefined>) => void;
  handle: (call: CallFor<Right, Output<Body>, Output<Query>> & { prepared: never }) => unknown;
};

/** A row of the table, as code sees it that treats all rows alike. */
export type Route = Omit<Spec<RightName, Schema, Schema>, 'room' | 'prepare' | 'handle'> & {
  room?: (call: AnyCall) => void;
  prepare?: (call: AnyCall) => Promise<unknown>;
  handle: (call: AnyCall) => unknown;
};
export type AnyCall = Call<unknown, unknown> & { site: Site | undefined; prepared: unknown };

/** Ties the types of one row together: the handler gets exactly what the row's right and schemas promise. */
export const route = <
  Right extends RightName,
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
>(
  row: Spec<Right, Body, Query>,
): Route => row as unknown as Route;

/** The names in braces in a path. */
export const listNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
