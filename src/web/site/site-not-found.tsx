import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';

/** Whether it is not there or not theirs to see, nobody is told. */
export function Missing({ domain }: { domain: string }) {
  return (
    <main id="main">
      <h1 class="unseen">Site not found</h1>
      <Empty title={`There is no site ${domain} here`}>
        <p>It does not exist, or you may not see it.</p>
        <p>
          <Link href="/">All your sites</Link>
        </p>
      </Empty>
    </main>
  );
}
