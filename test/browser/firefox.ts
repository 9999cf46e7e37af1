// A small client of WebDriver BiDi, which Debian's Firefox speaks by itself: playwright-core drives a build of its own only. One
// command is a message with a number, and its answer has the same number.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

const FIREFOX = '/usr/bin/firefox-esr';

type Answer = { id?: number; type: string; result?: unknown; error?: string; message?: string };
type Evaluated = { result: { value?: unknown }; exceptionDetails?: { text: string } };

/** Resolves with where Firefox listens, which it says once it does. */
function started(t: TestContext): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'daybook-firefox-'));
  const firefox = spawn(FIREFOX, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // With a group of its own, so that the processes of its pages end with it.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => firefox.once('exit', () => resolve()));
  t.after(async () => {
    process.kill(-(firefox.pid ?? 0), 'SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return new Promise((resolve, reject) => {
    createInterface(firefox.stderr).on('line', (line) => {
      const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (url) resolve(url);
    });
    firefox.once('exit', () => reject(new Error('Firefox has ended before it listened')));
  });
}

/** A page of Firefox: goes to addresses, and evaluates expressions there, whose promises it waits for. */
export async function firefoxPage(t: TestContext) {
  const socket = new WebSocket(`${await started(t)}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  t.after(() => socket.close());
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  async function command<Result>(method: string, params: object): Promise<Result> {
    const id = ++last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, result, error, message } = await answered;
    if (type === 'error') throw new Error(`${method}: ${error}: ${message}`);
    return result as Result;
  }
  await command('session.new', { capabilities: {} });
  const { context } = await command<{ context: string }>('browsingContext.create', { type: 'tab' });
  return {
    goto: (url: string) => command('browsingContext.navigate', { context, url, wait: 'complete' }),
    async evaluate(expression: string): Promise<unknown> {
      const params = { expression, target: { context }, awaitPromise: true };
      const { result, exceptionDetails } = await command<Evaluated>('script.evaluate', params);
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
  };
}
