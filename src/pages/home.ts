import { hasUsers } from '../store/users.ts';
import { html, page } from './html.ts';
import type { Pages } from './link.ts';

/** What somebody sees who opens the bare address. */
export const home = ({ db }: Pages): Response =>
  page(
    200,
    'This is a daybook server',
    hasUsers(db)
      ? html`<p>It counts visits to web sites, without cookies and without personal data.</p>
<p class="soft">Its API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>`
      : html`<p>Nobody has set it up yet. The terminal in which it was started shows the link for that.</p>`,
  );
