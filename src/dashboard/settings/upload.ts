// Sends a file to the server, for an import. Each request sends a piece: some bytes of the file, at most 1 MB. If a
// request fails, the sending continues at the byte that the server names.
//
// Invariant: only one piece of the file is in memory. After a lost connection, at most one piece is sent again.
//
// Example: on a fast connection, the first pieces of a file have 256 KB, 512 KB and 1 MB. The server waits 15 s for a
// request. So if a piece takes longer than 5 s, the next piece has half its size. import-data.tsx calls `sendFile`.

import type { Upload } from '../../api/uploads.ts';
import { type ApiError, get, send, sendBytes } from '../core/api.ts';
import { chooseSize, LEAST_BYTES } from './piece-size.ts';

const FIRST_BYTES = 256 * 1024;
const MOST_TRIES = 8;
const LONGEST_WAIT_MS = 30_000;

type Sending = {
  path: string;
  file: File;
  fields: { from?: string; skip_unreadable: boolean };
  /** Called with the state of the upload after each piece. */
  onPiece(upload: Upload): void;
};

/** Begins an upload, and sends the file. Ends early if somebody cancels the upload. */
export async function sendFile({ path, file, fields, onPiece }: Sending): Promise<void> {
  const body = { name: file.name.slice(-200), bytes: file.size, ...fields };
  let upload = await send<Upload>('POST', path, body);
  onPiece(upload);
  let size = FIRST_BYTES;
  while (upload.state === 'receiving') {
    const began = performance.now();
    const sent = await sendPiece(path, upload, file, size);
    if (!sent) return;
    upload = sent;
    onPiece(upload);
    size = chooseSize(size, performance.now() - began);
  }
}

/** Sends a piece. Returns undefined if the upload does not exist any more. */
async function sendPiece(path: string, upload: Upload, file: File, size: number): Promise<Upload | undefined> {
  let { received } = upload;
  let bytes = size;
  for (let tries = 0; ; tries++) {
    try {
      const piece = file.slice(received, received + bytes);
      return await sendBytes<Upload>(`${path}/${upload.id}/bytes`, { offset: String(received) }, piece);
    } catch (error) {
      const { isPassing, fieldCodes, status } = error as ApiError;
      if (status === 404) return undefined;
      const isOther = fieldCodes?.offset?.code === 'other_offset';
      if ((!isPassing && !isOther) || tries === MOST_TRIES) throw error;
      if (!isOther) await wait(Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** tries));
      bytes = Math.max(LEAST_BYTES, bytes / 2);
      const [now] = await get<Upload[]>(path).catch(() => [upload]);
      if (now?.id !== upload.id) return undefined;
      if (now.state !== 'receiving') return now;
      received = now.received;
    }
  }
}

const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
