// Asks for the password again before some changes. Otherwise another person could make these changes in a browser that
// is still signed in. The API refuses such a change with `reauthentication_required`. Then api.ts calls a function that
// this file has set. This function opens a dialog that asks for the password or a code. After a right answer, api.ts
// sends the change again. If the user closes the dialog, the change fails. frame.tsx has the dialog on every page.

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
          // Another change may need the password while the dialog is open. Then the first change fails, and the dialog
          // is for the later change.
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
