import assert from 'node:assert/strict';
import { readConfig } from '../../src/config.ts';
import { Refusal } from '../../src/lib/errors.ts';
import type { OptionName } from '../../src/options.ts';

export type Settings = Partial<Record<OptionName, string>>;

export function refused(flags: Settings, environment: Record<string, string> = {}): Refusal {
  try {
    readConfig(flags, environment);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.exitCode, 2);
    return error;
  }
  assert.fail(`taken: ${JSON.stringify({ flags, environment })}`);
}

/** Without these a setting cannot stand. */
export const COMPANIONS: Settings = {
  'mail-from': 'daybook@example.com',
  'trusted-proxies': '192.0.2.1',
  'oidc-issuer': 'https://auth.example.com',
  'oidc-client': 'daybook',
};
