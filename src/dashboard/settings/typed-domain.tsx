import { useEffect, useRef } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import { t } from '../core/texts.ts';
import { Field } from '../ui/form.tsx';

type Props = {
  site: Pick<Site, 'domain'>;
  typed: string;
  type(text: string): void;
  /**
   * Whether the field appears after a click. Then the clicked button may be disabled and lose the focus. So the field
   * takes the focus.
   */
  takesFocus?: boolean;
};

/** Tells whether the owner has typed the domain of a site. */
export const isDomainTyped = ({ domain }: Props['site'], typed: string): boolean =>
  typed.trim().toLowerCase() === domain;

/** A field in which the owner types the domain of a site, before an important change such as a deletion. */
export function TypedDomain({ site: { domain }, typed, type, takesFocus = false }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, []);
  return (
    <Field label={t('Type {domain} to confirm', { domain })}>
      <input
        ref={input}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
    </Field>
  );
}
