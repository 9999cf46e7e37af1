/**
 * Finds the first line of the innermost message of an error. For example, the outer message is only "fetch failed", and
 * the inner one names the server that refused.
 */
export function findReason(error: unknown): string {
  let reason = '';
  for (let one = error; one instanceof Error; one = one.cause) reason = one.message.split('\n')[0] || reason;
  return reason;
}
