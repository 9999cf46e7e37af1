import assert from 'node:assert/strict';
import type { TestApp } from '../support/helpers.ts';
import type { Person } from '../support/people.ts';
import type { Mail } from './server.ts';

export const FROM = 'daybook@example.com';
export const ANN = 'ann@example.com';
export const mailTo = (port: number, rest = '') => ({
  'smtp-url': `smtp://127.0.0.1:${port}${rest}`,
  'mail-from': FROM,
});

/** Takes a mail apart. It must have no parts, and each header once. */
export function read({ source }: Mail): { headers: Record<string, string>; text: string } {
  const cut = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, cut)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(': ')).toLowerCase(), line.slice(line.indexOf(': ') + 2)] as const);
  const headers = Object.fromEntries(lines);
  assert.equal(Object.keys(headers).length, lines.length);
  let text = source.slice(cut + 4);
  if (headers['content-transfer-encoding'] === 'quoted-printable') {
    const bytes = text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    text = Buffer.from(bytes, 'latin1').toString();
  }
  return { headers, text: text.replaceAll('\r\n', '\n') };
}

/** Invites and gives the link, which must be in the answer whatever becomes of the mail. */
export async function invite(by: Person, email: string, role = 'viewer'): Promise<string> {
  const { status, body } = await by.ask('POST', '/team', { email, role });
  assert.equal(status, 201);
  assert.match(body.data.invitation_url, /^https?:\/\/.+\/invite\/[0-9A-Za-z]{43}$/);
  return body.data.invitation_url;
}

/** The link in a mail, which stands alone on its line. */
export function linkIn(mail: Mail): string {
  const link = read(mail)
    .text.split('\n')
    .find((line) => /^https?:\/\/.+\/invite\/[0-9A-Za-z]{43}$/.test(line));
  assert.ok(link);
  return link;
}

/** The code in a mail, which stands alone on its line. */
export function codeIn(mail: Mail): string {
  const code = read(mail)
    .text.split('\n')
    .find((line) => /^\d{6}$/.test(line));
  assert.ok(code);
  return code;
}

export const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const logged = ({ log }: TestApp, event: string) =>
  log.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.event === event);
