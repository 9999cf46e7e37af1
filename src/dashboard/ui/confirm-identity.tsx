// For some changes, the user must type the password again. Otherwise another person could make these changes in a
// browser that is signed in. The API answers such a change with `reauthentication_required`. api.ts then calls the
// function that this file sets. It opens a dialog that asks for the password or a code. After that, api.ts sends the
// change again. If the user closes the dialog, the change fails. frame.tsx has the dialog on every page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { onReauthentication } from '../core/api.ts';
import { lazy } from './lazy.tsx';

const IdentityDialog = lazy(async () => (await import('./identity-dialog.tsx')).IdentityDialog, { waiting: null });

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
  return isOpen ? <IdentityDialog end={end} /> : null;
}
