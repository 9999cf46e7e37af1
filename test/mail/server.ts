import { EventEmitter, on, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';

export type Mail = { to: string[]; source: string };

/** A mail server of our own, which takes everything. */
export async function mailServer(t: TestContext) {
  const mails: Mail[] = [];
  const events = new EventEmitter();
  const arriving = on(events, 'mail', { signal: AbortSignal.timeout(10_000) });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, { envelope }, done) {
      let source = '';
      stream.on('data', (chunk) => {
        source += chunk;
      });
      stream.on('end', () => {
        const mail = { to: envelope.rcptTo.map(({ address }) => address), source };
        mails.push(mail);
        events.emit('mail', mail);
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    settings: { 'smtp-url': `smtp://127.0.0.1:${port}`, 'mail-from': 'daybook@example.com' },
    /** The next mail that has not been handed out yet. */
    async next(): Promise<Mail> {
      const { value } = await arriving.next();
      return (value as [Mail])[0];
    },
  };
}
