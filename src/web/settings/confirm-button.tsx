import { useEffect, useRef, useState } from 'preact/hooks';
import { FormError, useSubmit } from '../parts/form.tsx';
import { t } from '../texts.ts';

type Props = {
  /** The text of the button. */
  verb: string;
  /** What it is done to, for those who hear the button without what stands around it. */
  name: string;
  /** What happens if it is confirmed. */
  warning: string;
  action(): Promise<unknown>;
};

/** A button for what cannot be undone: it asks for a confirmation, in its own place. */
export function ConfirmButton({ verb, name, warning, action }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, run } = useSubmit();
  const wasAsking = useRef(false);
  const harmlessButton = useRef<HTMLButtonElement>(null);
  // The focus goes to Keep, and later back to the first button, unless something else has it by then.
  useEffect(() => {
    if (isAsking || (wasAsking.current && document.activeElement === document.body)) harmlessButton.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const confirm = async () => {
    if (await run(action)) setAsking(false);
  };
  if (!isAsking) {
    return (
      <button
        ref={harmlessButton}
        type="button"
        class="plain danger confirm-button"
        aria-label={t('{verb} {name}', { verb, name })}
        onClick={() => setAsking(true)}
      >
        {verb}
      </button>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape does what the button Keep does
    <div
      class="confirm-button-question"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setAsking(false);
      }}
    >
      <p>{warning}</p>
      <div class="form-actions">
        <button ref={harmlessButton} type="button" onClick={() => setAsking(false)}>
          {t('Keep')}
        </button>
        <button
          type="button"
          class="danger"
          aria-disabled={isBusy}
          onClick={confirm}
          aria-label={t('{verb} {name}', { verb, name })}
        >
          {verb}
        </button>
      </div>
      <FormError error={error} />
    </div>
  );
}
