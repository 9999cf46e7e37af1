/** What the server says with the page, before anything is asked. */
export type Boot = {
  /** The page is that of a share link, which shows one site and nothing else. */
  share: { slug: string; domain: string } | null;
  /** Who is signed in; null behind a share link. */
  email: string | null;
  /** Whether they may see what needs attention on the server. */
  server: boolean;
  /** Whether the server can send mails. */
  mails: boolean;
};

export const boot: Boot = JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
