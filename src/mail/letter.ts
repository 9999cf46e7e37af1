/** The words of a table's cell; tone colours good and bad news. */
export type Cell = { words: string; tone?: 'good' | 'bad' };

export type Block =
  | { kind: 'words'; words: string }
  /** The first column is what a row is about, the others are to its right. */
  | { kind: 'table'; heading: string; columns: readonly string[]; rows: readonly (readonly Cell[])[] }
  | { kind: 'bars'; heading: string; rows: readonly { name: string; value: number }[] };

/** A mail about a site, before it is put into HTML or plain text. */
export type Letter = { subject: string; title: string; blocks: Block[]; link: { words: string; url: string } };

/** What stands at the end of a mail: why somebody gets it, and the address that ends these mails. */
export type Footer = { because: string; unsubscribe: string };

/** The page of the dashboard that a letter leads to. */
export const dashboardUrl = (baseUrl: string, domain: string, range: string): string =>
  `${baseUrl}/sites/${encodeURIComponent(domain)}?range=${range}`;

/** A mail as it goes out, but without its recipient. */
export type Written = { subject: string; text: string; html: string };
