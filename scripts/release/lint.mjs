// Runs the linters of npm packages on a packed one. They are fetched when they run, because nothing else needs them.
import { spawnSync } from 'node:child_process';

/** Each linter with its version and what it is told. The client is for modules only, which the second one is told. */
export const LINTERS = {
  publint: (path) => ['publint@0.3.25', 'run', path, '--strict'],
  attw: (path) => ['@arethetypeswrong/cli@0.18.5', path, '--profile', 'esm-only', '--no-color', '--no-emoji'],
};

/** What npm says where the registry cannot be reached. An unknown version or a wrong argument is a fault instead. */
export const UNREACHABLE =
  /npm (?:error|ERR!) code (?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b/;

/** Says what a linter finds in a package. `isMissing` is true where the registry cannot be reached. */
export function lintPackage(linter, path) {
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', ...LINTERS[linter](path)], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return { isMissing: false, fault: undefined };
  const isMissing = UNREACHABLE.test(stderr);
  return { isMissing, fault: isMissing ? undefined : `${linter}: ${stdout}${stderr}` };
}
