// Runs the linters of npm packages on a packed one. They are fetched when they run, because nothing else needs them.
import { spawnSync } from 'node:child_process';

/** Each linter with its version and what it is told. The client is for modules only, which the second one is told. */
export const LINTERS = {
  publint: (path) => ['publint@0.3.25', 'run', path, '--strict'],
  attw: (path) => ['@arethetypeswrong/cli@0.18.5', path, '--profile', 'esm-only', '--no-color', '--no-emoji'],
};

/** Says what a linter finds in a package. `isMissing` is true where the linter cannot be fetched. */
export function lintPackage(linter, path) {
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', ...LINTERS[linter](path)], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return { isMissing: false, fault: undefined };
  const isMissing = /npm (?:error|ERR!) code E/.test(stderr);
  return { isMissing, fault: isMissing ? undefined : `${linter}: ${stdout}${stderr}` };
}
