// The webhook of the server's settings: one URL that gets the reports, alerts and effects of notes of all sites, in
// English. The webhook works without a mail server. If the URL is on Slack's host, the webhook counts as a destination
// of the kind slack. Messages to Slack are not signed.

import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { Refusal, USAGE } from '../lib/errors.ts';
import type { Settings } from './settings.ts';

export type Webhook =
  | { kind: 'slack'; settings: Settings['slack'] }
  | { kind: 'webhook'; settings: Settings['webhook'] };

const LEAST_SECRET = 16;

export function makeWebhook(config: Config): Webhook | undefined {
  const { webhookUrl: url } = config;
  if (url === undefined) return undefined;
  if (new URL(url).hostname === 'hooks.slack.com') return { kind: 'slack', settings: { url } };
  return { kind: 'webhook', settings: { url, secret: readSecret(config) } };
}

function readSecret({ webhookSecret, webhookSecretFile: file }: Config): string {
  let secret = webhookSecret ?? '';
  try {
    if (file !== undefined) secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Refusal(`--webhook-secret-file: ${(error as NodeJS.ErrnoException).code}: ${file}`, USAGE);
  }
  if (secret.length >= LEAST_SECRET) return secret;
  const where = file === undefined ? 'DAYBOOK_WEBHOOK_SECRET' : '--webhook-secret-file';
  throw new Refusal(
    `${where} must have at least ${LEAST_SECRET} characters. To make one, run openssl rand -hex 32`,
    USAGE,
  );
}
