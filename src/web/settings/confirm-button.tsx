import { useEffect, useRef, useState } from 'preact/hooks';
import { FormError, useSubmit } from '../parts/form.tsx';

type Props = {
  /** What the button says. */
  verb: string;
  /** To what it is done, for those who hear the button alone. */
  name: string;
  /** What follows from it. */
  warning: string;
  act(): Promise<unknown>;
};

/** A button for what cannot be taken back, which asks once more, in its place. */
export function ConfirmButton({ verb, name, warning, act }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, run } = useSubmit();
  const wasAsking = useRef(false);
  const focused = useRef<HTMLButtonElement>(null);
  // To the button that does nothing yet, whichever of the two that is; back only if nothing else has the focus by then.
  useEffect(() => {
    if (isAsking || (wasAsking.current && document.activeElement === document.body)) focused.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const confirm = async () => {
    if (await run(act)) setAsking(false);
  };
  if (!isAsking) {
    return (
      <button
        ref={focused}
        type="button"
        class="plain danger"
        aria-label={`${verb} ${name}`}
        onClick={() => setAsking(true)}
      >
        {verb}
      </button>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is only a shorter way to the button Keep
    <div
      class="sure"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setAsking(false);
      }}
    >
      <p>{warning}</p>
      <div class="actions">
        <button ref={focused} type="button" onClick={() => setAsking(false)}>
          Keep
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={confirm} aria-label={`${verb} ${name}`}>
          {verb}
        </button>
      </div>
      <FormError error={error} />
    </div>
  );
}
