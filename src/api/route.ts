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
  upkeep: Pick<Upkeep, 'remakeSums' | 'deleteDays' | 'examineServers' | 'listSenders' | 'listDayCopies'>;
  ask: Ask;
  limits: Quotas;
  passwords: Pick<Passwords, 'hash'>;
  streams: EventStreams;
  /** Only in the public demo: every visitor acts as this user. */
  guest: number | undefined;
  examine: () => Promise<Finding[]>;
  /** Answers SQL statements. The field is undefined without the option --sql. */
  sql: AskSql | undefined;
  exports: Exports;
  uploads: Uploads;
}>;

export type RightName = keyof typeof RIGHTS;
type SiteRight = { [Name in RightName]: (typeof RIGHTS)[Name]['of'] extends 'site' ? Name : never }[RightName];

/** A file for a client to download. `open` starts to make the file. For a HEAD request, `open` is not called. */
export type Download = { name: string; type: string; open(): Promise<ReadableStream<Uint8Array>> };

type Output<S> = S extends Schema ? v.InferOutput<S> : undefined;

export type Call<Body = undefined, Query = undefined> = {
  api: Api;
  db: Db;
  /** The time in seconds since 1970. The time is read once, so it stays the same during a request. */
  now: number;
  caller: Caller;
  incoming: Pick<IncomingMessage, 'headers' | 'socket'>;
  /** Returns a signal that aborts when the client has closed the connection. */
  signal: () => AbortSignal;
  /**
   * The id in the path that is not the site's, such as the id of a goal. The caller may see the row with this id. The
   * id is 0 if the path has none.
   */
  id: number;
  query: Query;
  body: Body;
  /** The body of a request that sends bytes instead of JSON. Otherwise empty. */
  bytes: Uint8Array;
  /** Calls `work` after the change was committed. Mails are sent in `work`, so no mail is sent if the change fails. */
  afterCommit(work: () => void): void;
  /**
   * Adds the entry of a long change (`isLong`) to the audit log. A handler may call this function in its own
   * transaction. If the path names what is changed, the audit entry has its name. Otherwise the name comes from
   * `answered`. `last` is the number of the last entry that the journal had before this change. Throws if the caller
   * has lost the right meanwhile.
   */
  record(answered: unknown, last: number): void;
};

export type SiteCall<Body = undefined, Query = undefined> = Call<Body, Query> & { site: Site };

type CallFor<Right, Body, Query> = Right extends SiteRight ? SiteCall<Body, Query> : Call<Body, Query>;

type Spec<Right extends RightName, Body, Query> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * The path below /api/v1. {site} stands for an id or a domain, and {breakdown} for a name. Any other name in braces
   * stands for an id.
   */
  path: string;
  right: Right;
  summary: string;
  /**
   * Whether a caller with a share link of the site may send this request. A share link shows the statistics without
   * signing in. `whole` means that the filters of a view cannot limit the answer. So a link with a view may not send
   * the request.
   */
  shared?: true | 'whole';
  /**
   * Whether a user must have typed the password again in the last 10 minutes. A request with a token needs no password.
   */
  reauthenticates?: true;
  /**
   * Fields of the body that only the owner of the site may send. Other callers get 403 before the values are checked.
   */
  ownerFields?: readonly string[];
  /**
   * Fields of the body that a user may send only after typing the password (see `reauthenticates`). All other fields
   * need no password.
   */
  reauthenticatedFields?: readonly string[];
  query?: Query;
  body?: Body;
  /** Whether filters are checked but not used. So a client may send one query to all reports. */
  unfiltered?: true;
  /** The schema of `data` in the answer. A route has no schema if its answer has no body or is a file. */
  answer?: Schema;
  /** Whether the answer is a file. Then the handler returns a `Download`. */
  isFile?: true;
  /** The name of the events, if the report can also be read as a stream of events (event-streams.ts). */
  events?: string;
  /**
   * Whether a POST or DELETE changes no setting. Such a request gets no transaction and no audit entry from `mount.ts`.
   */
  asks?: true;
  /** The largest size of the body in bytes, if the body is a part of a file instead of JSON. */
  mostBytes?: number;
  /**
   * Whether a change takes too long for one transaction. The handler may add the audit entry in a transaction of its
   * own, with `record`. If the handler does not call `record`, `mount.ts` adds the audit entry after the change.
   */
  isLong?: true;
  /** Does slow work before the transaction of a change. The handler gets the result as `prepared`. */
  prepare?: (call: CallFor<Right, Output<Body>, Output<Query>>) => Promise<unknown>;
  /**
   * Checks before the body is read whether something may be added. Throws a 402 if not, for example if the site has as
   * many funnels as allowed.
   */
  room?: (call: CallFor<Right, undefined, undefined>) => void;
  handle: (call: CallFor<Right, Output<Body>, Output<Query>> & { prepared: never }) => unknown;
};

/**
 * A row of the table of routes, without the types of its query and body. Code that treats all rows alike, such as
 * `mount.ts`, uses this type.
 */
export type Route = Omit<Spec<RightName, Schema, Schema>, 'room' | 'prepare' | 'handle'> & {
  room?: (call: AnyCall) => void;
  prepare?: (call: AnyCall) => Promise<unknown>;
  handle: (call: AnyCall) => unknown;
};
/** The call of any route. `thing` is the row that the id in the path names, such as a goal. */
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
