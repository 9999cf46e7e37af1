/** A cell of a table. `tone` colours good and bad news. */
export type LetterCell = { words: string; tone?: 'good' | 'bad' };

export type Block =
  | { kind: 'words'; words: string }
  /** The first cell of a row is its name; `columns` name the other cells. */
  | { kind: 'table'; heading: string; columns: readonly string[]; rows: readonly (readonly LetterCell[])[] }
  | { kind: 'bars'; heading: string; rows: readonly { name: string; value: number }[] };

/** A letter: a mail about a site, before it becomes HTML and text. */
export type Letter = { subject: string; title: string; blocks: Block[]; link: { words: string; url: string } };

/** The end of a mail: the reason why a reader gets it, and the URL that ends these mails. */
export type Footer = { because: string; unsubscribe: string };

/** Makes the URL of the dashboard to which a letter links. */
export const dashboardUrl = (baseUrl: string, domain: string, range: string): string =>
  `${baseUrl}/sites/${encodeURIComponent(domain)}?range=${range}`;

/** A mail as it goes out, but without its recipient. */
export type Written = { subject: string; text: string; html: string };
