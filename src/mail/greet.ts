const PATIENCE_MS = 5_000;

/** What nodemailer's error codes mean. The server's own answer is not shown, because it may hold secrets. */
const REASONS: Record<string, string> = {
  EDNS: 'its name is not known',
  ECONNECTION: 'it cannot be reached',
  ESOCKET: 'it cannot be reached',
  ETIMEDOUT: `it did not answer within ${PATIENCE_MS / 1000} s`,
  ETLS: 'its certificate is not valid, or it speaks no TLS',
  EAUTH: 'it does not take this user and password',
};

/** Connects to a mail server, and signs in if the URL has a user. Gives what went wrong, undefined where nothing did. */
export async function greet(url: string): Promise<string | undefined> {
  const timeouts = { connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, dnsTimeout: PATIENCE_MS, ...timeouts });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return REASONS[code] ?? `it gave an answer that was not understood (${code})`;
  } finally {
    transport.close();
  }
}
