/** Uploads of files to a site, for the tests of uploads. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { visitors } from '../cli/importing.ts';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import type { startApp } from '../support/helpers.ts';
import { type Answer, type Asking, dataOf } from '../support/requests.ts';

export type App = Awaited<ReturnType<typeof startApp>>;

export const BYTES = { 'content-type': 'application/octet-stream' };
export const FILE = visitors({ 3: 2, 2: 5 });

/** Requests about the uploads of a site. Each answer must have the shape that the table of routes promises. */
export function uploading(app: App, domain: string, person: Asking = { token: app.owner.token }) {
  const base = `/api/v1/sites/${domain}/uploads`;
  const ask = (method: string, path: string, more: Asking = {}) => app.ask(method, base + path, { ...person, ...more });
  const self = {
    ask,
    begin: (body: object) => ask('POST', '', { body }),
    piece: (id: number, offset: number, body: string) =>
      ask('POST', `/${id}/bytes?offset=${offset}`, { body, headers: BYTES }),
    confirm: (id: number, body: object = {}) => ask('POST', `/${id}/confirmation`, { body }),
    async read(id: number) {
      const all = dataOf(await ask('GET', ''), 'GET', '/sites/x/uploads');
      return all.find((one: { id: number }) => one.id === id);
    },
    /** Reads an upload until it has this state. A state that nothing follows ends the wait too. */
    async wait(id: number, ...states: string[]) {
      for (;;) {
        const upload = await self.read(id);
        if ([...states, 'done', 'failed'].includes(upload.state)) return upload;
        await pause(20);
      }
    },
    /** Uploads a whole file, and waits until it was read. */
    async send(text: string, more: object = {}) {
      const bytes = Buffer.byteLength(text);
      const { body } = await self.begin({ name: 'hits.ndjson', bytes, ...more });
      const { id } = body.data;
      assert.equal((await self.piece(id, 0, text)).status, 200);
      return await self.wait(id, 'ready');
    },
  };
  return self;
}

/** The files beside the database file that belong to uploads. */
export const listFiles = ({ config }: App): string[] =>
  readdirSync(dirname(config.db)).filter((name) => /upload|import/.test(name));

export const codeOf = ({ body }: Answer): string => body.error.message_code?.code ?? body.error.code;

export async function countVisitors(app: App, domain: string): Promise<number> {
  const range = `${date(TODAY - 9)}~${date(TODAY)}`;
  const { body } = await app.owner.ask('GET', `/sites/${domain}/stats/overview?range=${range}`);
  return body.data.visitors;
}
