import { EventEmitter, on, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type Mail = { from: string; to: string[]; secure: boolean; source: string };

/** The headers of a mail, and its parts by their type. */
export function readMail({ source }: Pick<Mail, 'source'>): {
  headers: Record<string, string>;
  parts: Record<string, string>;
} {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: ?/, '')]),
  );
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1);
  const decoded = parts.map((part) => {
    const [head = '', ...body] = part.split('\r\n\r\n');
    const bytes = body
      .join('\r\n\r\n')
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    const isPrintable = head.includes('quoted-printable');
    const text = isPrintable ? Buffer.from(bytes, 'latin1').toString() : body.join('\r\n\r\n');
    return [/Content-Type: ([^;]+)/.exec(head)?.[1] ?? '', text.replaceAll('\r\n', '\n')];
  });
  return { headers, parts: Object.fromEntries(decoded) };
}

/** What the server says to a recipient in place of taking the mail. */
type Refuses = (address: string) => number | undefined;

/** A mail server of our own, which takes everything unless a test or its options say otherwise. */
export async function mailServer(t: TestContext, options: SMTPServerOptions = {}) {
  const mails: Mail[] = [];
  const state: { isDown: boolean; refusesSender: boolean; refuses: Refuses } = {
    isDown: false,
    refusesSender: false,
    refuses: () => undefined,
  };
  let connections = 0;
  const events = new EventEmitter();
  const arriving = on(events, 'mail', { signal: AbortSignal.timeout(10_000) });
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      connections++;
      done(state.isDown ? new Error('down') : undefined);
    },
    onMailFrom(_address, _session, done) {
      done(state.refusesSender ? Object.assign(new Error('not your sender'), { responseCode: 553 }) : undefined);
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = state.refuses(address);
      done(responseCode === undefined ? undefined : Object.assign(new Error('no'), { responseCode }));
    },
    onData(stream, { envelope, secure }, done) {
      let source = '';
      stream.on('data', (chunk) => {
        source += chunk;
      });
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = { from: envelope.mailFrom ? envelope.mailFrom.address : '', to, secure, source };
        mails.push(mail);
        events.emit('mail', mail);
        done();
      });
    },
    ...options,
  });
  // A client that does not like our certificate goes away; that is what some tests are about.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    port,
    /** What a test may change while it runs. */
    state,
    connections: () => connections,
    settings: { 'smtp-url': `smtp://127.0.0.1:${port}`, 'mail-from': 'daybook@example.com' },
    /** The next mail that has not been handed out yet. */
    async next(): Promise<Mail> {
      const { value } = await arriving.next();
      return (value as [Mail])[0];
    },
  };
}
