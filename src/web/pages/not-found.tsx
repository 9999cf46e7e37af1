import { useEffect } from 'preact/hooks';
import { Link } from '../parts/link.tsx';

export function NotFoundPage() {
  useEffect(() => {
    document.title = 'No such page · daybook';
  }, []);
  return (
    <main id="main">
      <div class="message">
        <h1>There is no such page</h1>
        <p>The address may be mistyped, or the page is gone.</p>
        <p>
          <Link href="/">All your sites</Link>
        </p>
      </div>
    </main>
  );
}
