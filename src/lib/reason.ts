/**
 * Finds the first line of the innermost message of an error. For example, "fetch failed" has a cause inside, which
 * names the server that refused.
 */
export function findReason(error: unknown): string {
  let reason = '';
  for (let one = error; one instanceof Error; one = one.cause) reason = one.message.split('\n')[0] || reason;
  return reason;
}
