// A route is a row of the table of the API. This file has the types of rows and of the calls that handlers get.
//
// Each row names a right. If the right is about a site, the handler gets a `SiteCall`, which has the site. For any
// other right the handler gets a `Call` without a site. The types of query and body come from their schemas. So a
// handler sees only checked values, and a row with an unsuitable handler does not compile.
//
// `routes.ts` has the rows, and `mount.ts` answers requests with them.

import type { IncomingMessage } from 'node:http';
import type * as v from 'valibot';
import type { Caller } from '../auth/identity.ts';
import type { Passwords } from '../auth/passwords.ts';
import type { Quotas } from '../auth/quotas.ts';
import type { RIGHTS } from '../auth/roles.ts';
import type { Collector } from '../collect/collector.ts';
import type { Config } from '../config.ts';
import type { Finding } from '../doctor/examine.ts';
import type { Imports, Queries, Upkeep } from '../engine/engine.ts';
import type { Exports } from '../exchange/exports.ts';
import type { Uploads } from '../exchange/uploads.ts';
import type { Schema } from '../lib/http/input.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Post } from '../mail/post.ts';
import type { AskSql } from '../sql/ask.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { Site } from '../store/sites/sites.ts';
import type { EventStreams } from './event-streams.ts';

export type Api = Readonly<{
  config: Config;
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  post: Post;
  collector: Collector;
  queries: Queries;
  imports: Pick<Imports, 'listDays' | 'list' | 'remove'>;
  upkeep: Pick<Upkeep, 'remakeSums' | 'deleteDays'>;
  ask: Ask;
  limits: Quotas;
  passwords: Pick<Passwords, 'hash'>;
  streams: EventStreams;
  /** Only in the public demo: every visitor acts as this user. */
  guest: number | undefined;
  examine: () => Promise<Finding[]>;
  /** Answers SQL statements. Undefined without the option --sql. */
  sql: AskSql | undefined;
  exports: Exports;
  uploads: Uploads;
}>;

export type RightName = keyof typeof RIGHTS;
type SiteRight = { [Name in RightName]: (typeof RIGHTS)[Name]['of'] extends 'site' ? Name : never }[RightName];

/** A file for a client. `open` starts to make it, and is not called for a HEAD request. */
export type Download = { name: string; type: string; open(): Promise<ReadableStream<Uint8Array>> };

type Output<S> = S extends Schema ? v.InferOutput<S> : undefined;

export type Call<Body = undefined, Query = undefined> = {
  api: Api;
  db: Db;
  /** The time in seconds since 1970. The time is read once, so it stays the same during a request. */
  now: number;
  caller: Caller;
  incoming: Pick<IncomingMessage, 'headers' | 'socket'>;
  /** Gives a signal that aborts when the client has closed the connection. */
  signal: () => AbortSignal;
  /** The id in the path, of a thing that the caller may see. 0 if the path has no id. */
  id: number;
  query: Query;
  body: Body;
  /** The body of a request that sends bytes instead of JSON. Otherwise empty. */
  bytes: Uint8Array;
  /** Calls `work` after the change was committed. Mails are sent in `work`, so no mail is sent if the change fails. */
  afterCommit(work: () => void): void;
  /**
   * Adds the entry of a long change to the audit log. A handler may call it in its own transaction. `answered` has the
   * name of what was changed. `last` is the number of the latest change of the journal before.
   */
  record(answered: unknown, last: number): void;
};

export type SiteCall<Body = undefined, Query = undefined> = Call<Body, Query> & { site: Site };

type CallFor<Right, Body, Query> = Right extends SiteRight ? SiteCall<Body, Query> : Call<Body, Query>;

type Spec<Right extends RightName, Body, Query> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below /api/v1. {site} is an id or a domain. Any other name in braces is an id. */
  path: string;
  right: Right;
  summary: string;
  /**
   * Whether a share link of the site allows the request. A share link shows the statistics without signing in. `whole`
   * is for what the filters of a view cannot limit: a link with a view does not allow it.
   */
  shared?: true | 'whole';
  /** Whether a user must have typed the password again in the last 10 minutes. Requests with a token need not. */
  reauthenticates?: true;
  /**
   * Fields of the body that only the owner of the site may send. Other callers get 403 before the values are checked.
   */
  ownerFields?: readonly string[];
  /**
   * Fields of the body for which a user must have typed the password again, as `reauthenticates` says. Other fields
   * need no password.
   */
  reauthenticatedFields?: readonly string[];
  query?: Query;
  body?: Body;
  /** Whether filters are checked but not used. So a client may send one query to all reports. */
  unfiltered?: true;
  /** The schema of `data` in the answer. Missing if the answer has no body. */
  answer?: Schema;
  /** Whether the answer is a file. The handler gives a `Download`. */
  isFile?: true;
  /** The name of the events, if the report can also be read as a stream of events (event-streams.ts). */
  events?: string;
  /** Whether a POST or DELETE changes no setting and is answered like a GET. */
  asks?: true;
  /** The most bytes that a body may have, if it is no JSON but a piece of a file. */
  mostBytes?: number;
  /** Whether a change takes longer than a transaction. Its entry in the audit log is added after the change. */
  isLong?: true;
  /** Does work that takes time, before the transaction of a change. The handler gets the result as `prepared`. */
  prepare?: (call: CallFor<Right, Output<Body>, Output<Query>>) => Promise<unknown>;
  /**
   * Throws a 402 before the body is read if nothing more may be added. Example: the site has as many funnels as
   * allowed.
   */
  room?: (call: CallFor<Right, undefined, undefined>) => void;
  handle: (call: CallFor<Right, Output<Body>, Output<Query>> & { prepared: never }) => unknown;
};

/**
 * A row of the table of routes. The types of its query and body are left out. Code that treats all rows alike, such as
 * `mount.ts`, uses this type.
 */
export type Route = Omit<Spec<RightName, Schema, Schema>, 'room' | 'prepare' | 'handle'> & {
  room?: (call: AnyCall) => void;
  prepare?: (call: AnyCall) => Promise<unknown>;
  handle: (call: AnyCall) => unknown;
};
/** `thing` is what the id in the path stands for. */
export type AnyCall = Call<unknown, unknown> & { site: Site | undefined; prepared: unknown; thing: unknown };

/** Lets the compiler check one row of the table. The handler must fit the right and the schemas of the row. */
export const route = <
  Right extends RightName,
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
>(
  row: Spec<Right, Body, Query>,
): Route => row as unknown as Route;

/** Lists the names in braces of a path: `site` and `goal` for /sites/{site}/goals/{goal}. */
export const listNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
