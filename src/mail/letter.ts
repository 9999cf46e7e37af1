/**
 * A cell of a table. `tone` chooses its colour: a good change, such as more visitors, has another colour than a bad
 * change.
 */
export type LetterCell = { words: string; tone?: 'good' | 'bad' };

type LetterLink = { words: string; url: string };

export type Block =
  | { kind: 'words'; words: string; link?: LetterLink }
  /** A table. The first cell of each row is the name of the row. `columns` has the names of the other columns. */
  | { kind: 'table'; heading: string; columns: readonly string[]; rows: readonly (readonly LetterCell[])[] }
  | { kind: 'bars'; heading: string; rows: readonly { name: string; value: number }[] };

/** The content of a mail about a site. html.ts writes a letter as HTML, and text.ts as plain text. */
export type Letter = { subject: string; title: string; blocks: Block[]; link: LetterLink };

/** The end of a mail: the reason why the recipient gets the mail, and the URL of the page that ends these mails. */
export type Footer = { because: string; unsubscribe: string };

export const dashboardUrl = (baseUrl: string, domain: string, range: string): string =>
  `${baseUrl}/sites/${encodeURIComponent(domain)}?range=${range}`;

/** A complete mail without its recipient. */
export type Written = { subject: string; text: string; html: string };
