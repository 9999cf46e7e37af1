import { fetchAnswer, notJson, type Query, readAnswer, urlOf } from './api.ts';

/**
 * Lets the browser save a file of the API. The browser would not show the reason of a failure. So a HEAD request asks
 * first whether the download would work. If not, the reason is thrown as an `ApiError` (test/browser/data.test.ts).
 */
export async function startDownload(path: string, query: Query): Promise<void> {
  const url = urlOf(path, query);
  const { ok, status } = await fetchAnswer('HEAD', url);
  if (!ok) await throwReason(url, status);
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** An answer to HEAD has no body. So a GET request gets the reason. If that one works, the user can try again. */
async function throwReason(url: string, status: number): Promise<never> {
  const answer = await fetchAnswer('GET', url);
  if (!answer.ok) await readAnswer(answer);
  await answer.body?.cancel();
  throw notJson(status);
}
