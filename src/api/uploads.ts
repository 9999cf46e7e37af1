// The requests about uploads. An upload is a file of another product that a user imports in the browser.
//
// A client begins an upload and sends the file in pieces. Each piece is a part of the file of up to 1 MiB, sent in one
// request. The client reads the state of the upload again and again, until the state is `ready`. Then the client shows
// the sheet, which says what would be imported, and the user confirms. A lost connection loses no piece: `received`
// says where to continue.
//
// Only the owner may replace hits that the site already has. In a browser, the owner must type the password again
// first. Test: test/api/uploads.test.ts.

import * as v from 'valibot';
import { MOST_UPLOAD_BYTES, type Upload as Stored, UPLOAD_STATES } from '../exchange/uploads.ts';
import type { Coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Day, Domain, Id, Switch, Time } from '../lib/http/fields.ts';
import { writeInLine } from '../lib/printable.ts';
import { iso } from '../lib/time.ts';
import { findLastChange } from '../store/sites/changes.ts';
import { Count } from './answers.ts';
import { recordLater } from './audit.ts';
import { assertReauthenticated } from './endpoint.ts';
import { whole } from './input.ts';
import { TextCode, TextCodes } from './notices.ts';
import type { SiteCall } from './route.ts';

const LONGEST_NAME = 200;
const WRONG_SIZE = fault('out_of_bounds', { least: 1, most: MOST_UPLOAD_BYTES });

export const NewUpload = v.strictObject({
  name: v.pipe(
    v.string(fault('no_text')),
    v.minLength(1, fault('empty')),
    v.maxLength(LONGEST_NAME, fault('too_long', { most: LONGEST_NAME })),
    v.check((name) => name.isWellFormed(), fault('no_unicode')),
  ),
  bytes: v.pipe(
    v.number(fault('no_whole_number')),
    v.integer(fault('no_whole_number')),
    v.minValue(1, WRONG_SIZE),
    v.maxValue(MOST_UPLOAD_BYTES, WRONG_SIZE),
  ),
  from: v.optional(Domain),
  skip_unreadable: v.optional(Switch, false),
});

export const PieceQuery = v.strictObject({
  offset: whole(0, MOST_UPLOAD_BYTES, fault('out_of_bounds', { least: 0, most: MOST_UPLOAD_BYTES })),
});

export const Confirmation = v.strictObject({ replace: v.optional(Switch, false) });

/**
 * What daybook found in the file. `taken_days` is the number of days on which the site already has hits. `taken` lists
 * the first 100 of these days.
 */
export const UploadedFile = v.strictObject({
  format: v.nullable(v.string()),
  days: Count,
  from: Day,
  to: Day,
  taken_days: Count,
  taken: v.array(Day),
  sheet: v.array(v.string()),
  sheet_codes: TextCodes,
});

export const Upload = v.strictObject({
  id: Id,
  name: v.string(),
  state: v.picklist(UPLOAD_STATES),
  started_at: Time,
  bytes: Count,
  received: Count,
  read_bytes: Count,
  read_rows: Count,
  read_days: Count,
  written_days: Count,
  file: v.nullable(UploadedFile),
  error: v.nullable(v.string()),
  error_code: v.nullable(TextCode),
  import_id: v.nullable(Id),
});
export type Upload = v.InferOutput<typeof Upload>;

export const list = ({ api, site }: SiteCall): Upload[] => api.uploads.list(site.id).map(answer);

export function add({ api, site, body }: SiteCall<v.InferOutput<typeof NewUpload>>): Upload {
  const { name, bytes, from, skip_unreadable: skipUnreadable } = body;
  const { id: siteId, account_id: accountId, domain } = site;
  return answer(api.uploads.add({ siteId, accountId, domain, name: writeInLine(name), bytes, from, skipUnreadable }));
}

export const receive = async ({
  api,
  id,
  query,
  bytes,
}: SiteCall<undefined, v.InferOutput<typeof PieceQuery>>): Promise<Upload> =>
  answer(await api.uploads.receive(id, query.offset, bytes));

export function confirm(call: SiteCall<v.InferOutput<typeof Confirmation>>): Upload {
  const { api, db, id, body, site } = call;
  const { replace } = body;
  if (replace) {
    if (site.role !== 'owner') throw new Problem('role_forbidden');
    assertReauthenticated(call);
  }
  const last = findLastChange(db);
  const record = recordLater(call, { action: 'add', noun: 'imports', name: find(api.uploads.find(site.id, id)).name });
  return answer(api.uploads.confirm(id, replace, () => record(last)));
}

export const remove = ({ api, id }: SiteCall): Promise<void> => api.uploads.remove(id);

function find(upload: Stored | undefined): Stored {
  if (!upload) throw new Problem('not_found');
  return upload;
}

/** The most days in the list `taken`, which names days on which the site already has hits. Nobody would read more. */
const MOST_TAKEN = 100;

const answer = ({
  id,
  name,
  state,
  startedAt,
  bytes,
  received,
  read,
  written,
  error,
  importId,
  ...found
}: Stored): Upload => ({
  ...{ id, name, state, started_at: iso(startedAt), bytes, received },
  ...{ read_bytes: read.bytes, read_rows: read.rows, read_days: read.days, written_days: written },
  file: describeFile(found),
  error: error === undefined ? null : inEnglish(error),
  error_code: error ?? null,
  import_id: importId ?? null,
});

function describeFile({ format, checked }: Pick<Stored, 'format' | 'checked'>): Upload['file'] {
  if (!checked) return null;
  const { taken, sheet, ...days } = checked;
  return {
    format: format ?? null,
    ...days,
    ...{ taken_days: taken.length, taken: taken.slice(0, MOST_TAKEN) },
    ...{ sheet: sheet.map((line: Coded) => inEnglish(line)), sheet_codes: sheet },
  };
}
