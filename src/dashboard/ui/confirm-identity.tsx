// For some changes, the user must type the password again. Otherwise another person could make these changes in a
// browser that is signed in. The API answers such a change with `reauthentication_required`. api.ts then calls the
// function that this file sets. It opens a dialog that asks for the password or a code. After that, api.ts sends the
// change again. If the user closes the dialog, the change fails. frame.tsx has the dialog on every page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { onReauthentication, reauthenticate } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { t } from '../core/texts.ts';
import { Dialog } from './dialog.tsx';
import { Actions, Field, Form } from './form.tsx';

export function ConfirmIdentity() {
  const [isOpen, setOpen] = useState(false);
  const settle = useRef((_isConfirmed: boolean) => {});
  useEffect(() => {
    onReauthentication(
      () =>
        new Promise((resolve) => {
          // If another request needs the password while the dialog is open, the first request fails. The dialog is then
          // for the other request.
          settle.current(false);
          settle.current = resolve;
          setOpen(true);
        }),
    );
  }, []);
  const end = (isConfirmed: boolean) => {
    settle.current(isConfirmed);
    setOpen(false);
  };
  return isOpen ? (
    <Dialog title={t('Confirm it’s you')} onClose={() => end(false)}>
      <IdentityForm onConfirmed={() => end(true)} />
    </Dialog>
  ) : null;
}

function IdentityForm({ onConfirmed }: { onConfirmed(): void }) {
  const submit = async (data: FormData) => {
    const [password, code] = [String(data.get('password')), String(data.get('code') ?? '')];
    await reauthenticate(code === '' ? { password } : { code });
    onConfirmed();
  };
  return (
    <Form label={t('Confirm it’s you')} submit={submit}>
      <p>
        {boot.factors
          ? t(
              'Enter your password or a code from your phone. This protects your account if you leave your browser open.',
            )
          : t('Enter your password again. This protects your account if you leave your browser open.')}
      </p>
      <input type="hidden" name="username" autocomplete="username" value={boot.email ?? ''} />
      <Field label={t('Password')} name="password">
        {/* biome-ignore lint/a11y/noAutofocus: the user must type the password in this dialog */}
        <input name="password" type="password" autocomplete="current-password" maxLength={1024} autoFocus />
      </Field>
      {boot.factors && (
        <Field label={t('Code')} name="code">
          <input name="code" autocomplete="one-time-code" maxLength={40} />
        </Field>
      )}
      <Actions verb={t('Continue')} />
    </Form>
  );
}
