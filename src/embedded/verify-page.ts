import { packScript, type Script } from './script.ts';

/** The build puts verify.html here. If the program runs from source, esbuild makes the page at the first use. */
declare const VERIFY_PAGE: string | undefined;

let only: Promise<Script> | undefined;

/** Loads verify.html when a browser first requests it, because few people open it. */
export function loadVerifyPage(): Promise<Script> {
  only ??= makePage();
  return only;
}

async function makePage(): Promise<Script> {
  const text = typeof VERIFY_PAGE === 'string' ? VERIFY_PAGE : await (await import('./bundle.ts')).bundleVerify();
  return packScript(text, QUALITY);
}

/** The quality of brotli. A higher quality takes longer, and makes a file that is hardly smaller. */
const QUALITY = 9;
