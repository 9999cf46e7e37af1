// Some changes need the password again. Otherwise another person could make them in a browser that was left open. The API
// answers this kind of change with `proof_required`. api.ts then calls the function that this file sets. A dialog asks for the
// password or a code, and api.ts sends the change again. If the user closes the dialog, the change fails.
// frame.tsx has the dialog on every page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { prove, setProof } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { Dialog } from './dialog.tsx';
import { Field, FormError, useSubmit } from './form.tsx';

export function Proof() {
  const [isOpen, setOpen] = useState(false);
  const settle = useRef((_isProven: boolean) => {});
  useEffect(() => {
    setProof(
      () =>
        new Promise((resolve) => {
          // A second request may ask for the password while the dialog is open. Then the first request fails, and the
          // dialog serves the second one.
          settle.current(false);
          settle.current = resolve;
          setOpen(true);
        }),
    );
  }, []);
  const end = (isProven: boolean) => {
    settle.current(isProven);
    setOpen(false);
  };
  return isOpen ? (
    <Dialog title={t('Confirm it’s you')} onClose={() => end(false)}>
      <ProofForm onProven={() => end(true)} />
    </Dialog>
  ) : null;
}

function ProofForm({ onProven }: { onProven(): void }) {
  const { isBusy, error, run } = useSubmit();
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [password, code] = [String(data.get('password')), String(data.get('code') ?? '')];
    if (await run(() => prove(code === '' ? { password } : { code }))) onProven();
  };
  return (
    <form class="form" aria-label={t('Confirm it’s you')} onSubmit={onSubmit} noValidate>
      <p>
        {boot.factors
          ? t('Enter your password or a code from your phone, so that nobody else can do this in your open browser.')
          : t('Enter your password again, so that nobody else can do this in your open browser.')}
      </p>
      <input type="hidden" name="username" autocomplete="username" value={boot.email ?? ''} />
      <Field label={t('Password')} error={error?.fields.password}>
        {/* biome-ignore lint/a11y/noAutofocus: the user must type the password in this dialog */}
        <input name="password" type="password" autocomplete="current-password" maxLength={1024} autoFocus />
      </Field>
      {boot.factors && (
        <Field label={t('Code')} error={error?.fields.code}>
          <input name="code" autocomplete="one-time-code" maxLength={40} />
        </Field>
      )}
      <FormError error={error} fields={['password', 'code']} />
      <div class="form-actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {t('Continue')}
        </button>
      </div>
    </form>
  );
}
