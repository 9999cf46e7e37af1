// Handles uploads: files that people import in the dashboard. A file arrives in pieces. Here, a piece is a part of the
// file of at most 1 MB, sent in one request. Then a process reads the file. After a confirmation, the file is imported.
//
// Invariant: a file is on disk only until its upload has ended. The file's name on disk contains nothing that a client
// sent. If the server is killed, the next start deletes such files. No report shows a part of an import
// (upload-process.ts).
//
// Example: a file of 3 MB arrives in three pieces. The state changes from `receiving` to `reading`, and then to `ready`
// with the sheet (the summary of the file). After `confirm`, the state is `writing` and then `done`. If no piece or
// confirmation comes for 30 minutes, the upload ends as `failed`.
//
// compose.ts calls `makeUploads`, and api/uploads.ts has the requests. Test: test/api/uploads.test.ts.

import { readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProgramPlace } from '../embedded/program.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { freeBytes, MIN_FREE_BYTES } from '../lib/disk.ts';
import { invalid, Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { makeRandomText, type Random } from '../lib/secrets.ts';
import { type Clock, DAY, MINUTE, seconds } from '../lib/time.ts';
import { type CheckedFile, type ImportLine, type ImportProcess, startImport } from './upload-process.ts';

export const UPLOAD_STATES = ['receiving', 'reading', 'ready', 'writing', 'done', 'failed'] as const;
type State = (typeof UPLOAD_STATES)[number];

/**
 * What a person uploads. `name` is the name of the file, which is only shown to people. `from` is the domain in the
 * file, if it differs from the site's present domain.
 */
export type NewUpload = {
  siteId: number;
  accountId: number;
  domain: string;
  name: string;
  bytes: number;
  from: string | undefined;
  skipUnreadable: boolean;
};

export type Upload = NewUpload & {
  id: number;
  state: State;
  startedAt: number;
  received: number;
  format: string | undefined;
  /** How much of the unpacked file was read. For a file without hits, such as daily totals, the numbers stay 0. */
  read: { bytes: number; rows: number; days: number };
  written: number;
  checked: CheckedFile | undefined;
  error: Coded | undefined;
  importId: number | undefined;
};

export type Uploads = ReturnType<typeof makeUploads>;

/** The size of a piece. A piece is in memory as a whole, and many proxies refuse requests with larger bodies. */
export const MOST_PIECE_BYTES = 1024 * 1024;
export const MOST_UPLOAD_BYTES = 1024 ** 4;
const MOST_AT_ONCE = 4;
const LONGEST_PAUSE = 30 * MINUTE;
/**
 * The longest time for an upload. Without this limit, a client that sends a byte every 29 minutes would take the place
 * of another upload forever.
 */
const LONGEST_UPLOAD = DAY;
const RETRY_SECONDS = 10;
const ENDED: readonly State[] = ['done', 'failed'];

type Options = {
  place: ProgramPlace & { settings: Record<string, string> };
  clock: Clock;
  random: Random;
  log: Log;
};

type Entry = {
  upload: Upload;
  path: string;
  file?: FileHandle;
  isBusy: boolean;
  process?: ImportProcess;
  timer?: NodeJS.Timeout;
  /** Ends the upload after `LONGEST_UPLOAD`, unless the import is being written. */
  end: NodeJS.Timeout;
  /** Called once, when reports begin to count the import. */
  imported?: () => void;
};

/**
 * What all functions of this file share. `latest` is a map from the id of an upload to its entry. A site has at most
 * one entry: its latest upload. The entry stays after the upload has ended, so that clients can read the result.
 */
type Context = Options & { latest: Map<number, Entry> };

export function makeUploads(options: Options) {
  const context: Context = { ...options, latest: new Map() };
  const { latest } = context;
  let ids = 0;
  removeLeftovers(options.place.path);
  const findEntry = (id: number): Entry => {
    const found = latest.get(id);
    if (!found) throw new Problem('not_found');
    return found;
  };
  return {
    /** Returns the latest upload of a site, as a list with one upload or none. */
    list: (siteId: number): Upload[] =>
      [...latest.values()].flatMap(({ upload }) => (upload.siteId === siteId ? [upload] : [])),
    find: (siteId: number, id: number): Upload | undefined => {
      const found = latest.get(id)?.upload;
      return found?.siteId === siteId ? found : undefined;
    },
    add: (asked: NewUpload): Upload => add(context, asked, ++ids),
    receive: (id: number, offset: number, piece: Uint8Array): Promise<Upload> =>
      receive(context, findEntry(id), offset, piece),
    /** Lets the import be written. `imported` is called when the import is shown. */
    confirm: (id: number, replace: boolean, imported: () => void): Upload => confirm(findEntry(id), replace, imported),
    /**
     * Cancels an upload, or forgets the result of an upload that has ended. Throws if reports began to count the import
     * before it could be cancelled.
     */
    async remove(id: number): Promise<void> {
      const one = findEntry(id);
      const wasWriting = one.upload.state === 'writing';
      if (!wasWriting) latest.delete(id);
      await release(one);
      if (wasWriting && one.upload.state === 'done')
        throw new Problem('invalid_request', { message: coded('upload_is_done') });
      latest.delete(id);
    },
    async close(): Promise<void> {
      const all = listUnfinished(context);
      latest.clear();
      await Promise.all(all.map(release));
    },
  };
}

const listUnfinished = ({ latest }: Context): Entry[] =>
  [...latest.values()].filter(({ upload }) => !ENDED.includes(upload.state));

function add(context: Context, asked: NewUpload, id: number): Upload {
  assertRoom(context, asked);
  const { latest, clock, place, random } = context;
  for (const { upload } of latest.values()) if (upload.siteId === asked.siteId) latest.delete(upload.id);
  const upload: Upload = {
    ...{ ...asked, id, state: 'receiving', startedAt: seconds(clock), received: 0, format: undefined },
    ...{ read: { bytes: 0, rows: 0, days: 0 }, written: 0 },
    ...{ checked: undefined, error: undefined, importId: undefined },
  };
  const end = setTimeout(
    () => upload.state === 'writing' || fail(one, coded('upload_given_up')),
    LONGEST_UPLOAD * 1_000,
  );
  const path = `${place.path}${MARK}${makeRandomText(random, 12)}`;
  const one: Entry = { upload, path, isBusy: false, end: end.unref() };
  latest.set(id, one);
  giveUpLater(one);
  return upload;
}

function assertRoom(context: Context, { accountId, bytes }: Pick<NewUpload, 'accountId' | 'bytes'>): void {
  const all = listUnfinished(context);
  const headers = { 'Retry-After': String(RETRY_SECONDS) };
  const own = all.find(({ upload }) => upload.accountId === accountId);
  if (own) throw new Problem('rate_limited', { message: coded('upload_runs'), headers });
  if (all.length >= MOST_AT_ONCE) throw new Problem('unavailable', { headers });
  const promised = all.reduce((sum, { upload }) => sum + upload.bytes - upload.received, 0);
  const free = freeBytes(dirname(context.place.path)) - MIN_FREE_BYTES - promised;
  // Accounts share the disk, so the answer hides how much space is free. An upload reserves space for its whole file,
  // at most half of the free space. Otherwise, one account could keep all others from uploading for a day.
  if (bytes > free / 2) throw invalid({ bytes: coded('no_disk_room') });
}

/** Stores a piece that begins at `offset`. After the last piece, a process reads the file. */
async function receive(context: Context, one: Entry, offset: number, piece: Uint8Array): Promise<Upload> {
  const { upload } = one;
  const { state, received, bytes } = upload;
  if (state !== 'receiving' || one.isBusy || offset !== received)
    throw invalid({ offset: coded('other_offset', { received }) });
  if (piece.length === 0 || received + piece.length > bytes)
    throw invalid({ body: coded('other_size', { size: bytes }) });
  one.isBusy = true;
  try {
    one.file ??= await open(one.path, 'wx', 0o600);
    await writeAll(one.file, piece, offset);
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    context.log('upload failed', { message: (error as Error).message });
    fail(one, coded(isFull ? 'disk_full' : 'import_failed'));
    return upload;
  } finally {
    one.isBusy = false;
  }
  // The upload may have been cancelled while the piece was written.
  if (context.latest.get(upload.id) !== one || upload.state !== 'receiving') {
    await release(one);
    throw new Problem('not_found');
  }
  upload.received += piece.length;
  giveUpLater(one);
  if (upload.received === bytes) await read(context, one);
  return upload;
}

async function read(context: Context, one: Entry): Promise<void> {
  const { latest, place, log } = context;
  clearTimeout(one.timer);
  const { upload, path } = one;
  upload.state = 'reading';
  await one.file?.close();
  delete one.file;
  // Closing the file takes time. Meanwhile, the upload may have been cancelled, or may have ended as `failed`.
  if (latest.get(upload.id) === one && upload.state === 'reading')
    one.process = startImport(place, { ...upload, file: path }, (line) => follow(context, one, line), log);
}

function follow({ log }: Context, one: Entry, line: ImportLine): void {
  const { format, reading, checked, writing, done, error } = line;
  const { upload } = one;
  if (format !== undefined) upload.format = format;
  if (reading) upload.read = reading;
  if (writing) upload.written = writing.days;
  if (checked) {
    Object.assign(upload, { checked, state: 'ready' });
    giveUpLater(one);
  }
  if (done) {
    Object.assign(upload, { importId: done.id ?? undefined, state: 'done' });
    // The process must not be stopped now. It ends on its own after it has closed the database file.
    delete one.process;
    void release(one);
    // This call adds an entry to the audit log, which may fail, for example on a full disk. Reports count the import
    // anyway.
    try {
      one.imported?.();
    } catch (error) {
      log('import not recorded', { import: done.id ?? 'searches', message: (error as Error).message });
    }
  }
  if (error) fail(one, error);
}

function confirm(one: Entry, replace: boolean, imported: () => void): Upload {
  const { upload } = one;
  if (upload.state !== 'ready') throw invalid({ body: coded('upload_not_ready') });
  if ((upload.checked?.taken.length ?? 0) > 0 && !replace) throw invalid({ replace: coded('days_taken') });
  clearTimeout(one.timer);
  one.imported = imported;
  upload.state = 'writing';
  one.process?.confirm(replace);
  return upload;
}

function fail(one: Entry, error: Coded): void {
  Object.assign(one.upload, { state: 'failed', error });
  void release(one);
}

/**
 * Ends the upload if the next piece, or the confirmation, does not come within `LONGEST_PAUSE`. The person may have
 * closed the browser.
 */
function giveUpLater(one: Entry): void {
  clearTimeout(one.timer);
  one.timer = setTimeout(() => fail(one, coded('upload_given_up')), LONGEST_PAUSE * 1_000).unref();
}

/**
 * Ends the process, and deletes the file. If the process has already printed the line `done`, this line is still read.
 */
async function release(one: Entry): Promise<void> {
  clearTimeout(one.timer);
  clearTimeout(one.end);
  one.process?.stop();
  await one.file?.close().catch(() => {});
  delete one.file;
  rmSync(one.path, { force: true });
  await one.process?.ended;
}

const MARK = '.upload-';

/** Deletes the files of uploads that a killed server has left behind. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder))
    if (name.startsWith(basename(path) + MARK)) rmSync(join(folder, name), { force: true });
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
