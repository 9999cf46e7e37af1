import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Props = { title: string; about?: ComponentChildren; children: ComponentChildren };

export function Block({ title, about, children }: Props) {
  const id = useId();
  return (
    <section class="card block" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p class="soft">{about}</p>}
      {children}
    </section>
  );
}
