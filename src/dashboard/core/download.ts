import { fetchAnswer, notJson, type Query, readAnswer, urlOf } from './api.ts';

/**
 * Lets the browser save a file of the API. If the download failed, the browser would not show the reason. So a HEAD
 * request first asks whether the download would work. If not, the reason is thrown as an `ApiError`
 * (test/browser/data.test.ts).
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

/**
 * Throws the reason why a HEAD request failed. An answer to HEAD has no body, so a GET request asks for the reason. If
 * the GET request works, there is no reason to show. Then the error says only the status, and the user can try again.
 */
async function throwReason(url: string, status: number): Promise<never> {
  const answer = await fetchAnswer('GET', url);
  if (!answer.ok) await readAnswer(answer);
  await answer.body?.cancel();
  throw notJson(status);
}
