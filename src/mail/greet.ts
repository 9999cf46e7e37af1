import { type Coded, coded } from '../lang/coded.ts';

const PATIENCE_MS = 5_000;

/**
 * The meaning of nodemailer's error codes. The error text of the mail server is not shown, because it may quote
 * secrets.
 */
const REASONS: Record<string, Coded> = {
  EDNS: coded('mail_no_name'),
  ECONNECTION: coded('mail_unreachable'),
  ESOCKET: coded('mail_unreachable'),
  ETIMEDOUT: coded('mail_late', { seconds: PATIENCE_MS / 1000 }),
  ETLS: coded('mail_no_tls'),
  EAUTH: coded('mail_no_login'),
};

/**
 * Connects to the mail server, and signs in if the URL has a user name. Returns the fault, or undefined if all is well.
 */
export async function greet(url: string): Promise<Coded | undefined> {
  const timeouts = { connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, dnsTimeout: PATIENCE_MS, ...timeouts });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return REASONS[code] ?? coded('mail_not_understood', { code });
  } finally {
    transport.close();
  }
}
