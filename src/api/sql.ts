import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Domain } from '../lib/http/fields.ts';
import { LONGEST_STATEMENT } from '../sql/statement.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { RangeName } from './query.ts';
import type { Call } from './route.ts';

const SqlStatement = v.pipe(
  v.string(fault('no_text')),
  v.minLength(1, fault('no_text')),
  v.maxLength(LONGEST_STATEMENT, fault('too_long', { most: LONGEST_STATEMENT })),
  v.description('A statement in the dialect of SQLite that reads: visits, hits, properties, crawls, drops, days'),
);

/** A statement and what it may read. Without `site` or `range`, it may read all sites or all days. */
export const SqlQuery = v.strictObject({
  sql: SqlStatement,
  site: v.optional(Domain),
  range: v.optional(RangeName),
});
type SqlQuery = v.InferOutput<typeof SqlQuery>;

/** The answer to a statement. If `complete` is false, the answer has only some of the rows. */
export const SqlRows = v.strictObject({
  columns: v.array(v.string()),
  rows: v.array(v.array(v.union([v.string(), v.number(), v.null_()]))),
  complete: v.boolean(),
});

/** Answers a statement about one site or all sites of the server, as JSON. Without --sql, the answer is 404. */
export async function answer({ api, db, body, signal }: Call<SqlQuery>): Promise<Uint8Array> {
  if (!api.sql) throw new Problem('not_found');
  const { site } = body;
  if (site !== undefined && !listSiteDomains(db).some(({ domain }) => domain === site)) {
    throw invalid({ site: coded('no_such_site') });
  }
  return await api.sql.ask(body, signal());
}
