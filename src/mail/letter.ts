/** `tone` chooses the colour: a good change, such as more visitors, has another colour than a bad one. */
export type LetterCell = { words: string; tone?: 'good' | 'bad' };

type LetterLink = { words: string; url: string };

export type Block =
  | { kind: 'words'; words: string; link?: LetterLink }
  /** The first cell of each row is the name of the row. `columns` has the names of the other cells. */
  | { kind: 'table'; heading: string; columns: readonly string[]; rows: readonly (readonly LetterCell[])[] }
  | { kind: 'bars'; heading: string; rows: readonly { name: string; value: number }[] };

/** The content of a mail about a site. html.ts writes it as HTML, and text.ts as plain text. */
export type Letter = { subject: string; title: string; blocks: Block[]; link: LetterLink };

/** A mail ends with the reason why its recipient gets it, and with the URL that stops these mails. */
export type Footer = { because: string; unsubscribe: string };

export const dashboardUrl = (baseUrl: string, domain: string, range: string): string =>
  `${baseUrl}/sites/${encodeURIComponent(domain)}?range=${range}`;

/** A complete mail without its recipient. */
export type Written = { subject: string; text: string; html: string };
