// The import of a file in the browser. First, the user chooses a file in a form. Then the file is uploaded, and the
// page shows what is in it. After a confirmation, the file is imported.
//
// The server stores the state of the upload. So a page that is opened again shows how far the upload is. upload.ts
// sends the file, and data.tsx shows `ImportData`.

import { useEffect, useState } from 'preact/hooks';
import type { Upload } from '../../api/uploads.ts';
import { type Loaded, send, useData } from '../core/api.ts';
import { day, number, size } from '../core/format.ts';
import { said } from '../core/server-text.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { plural, t } from '../core/texts.ts';
import { Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Actions, Field, Form, FormError, useSubmit } from '../ui/form.tsx';
import { Answer } from '../ui/loaded.tsx';
import { sendFile } from './upload.ts';

const POLL_SECONDS = 1;
const isMoving = ({ state }: Upload): boolean => ['receiving', 'reading', 'writing'].includes(state);

type Props = Pick<PartProps, 'site'> & { onImported(): void };

export function ImportData({ site, onImported }: Props) {
  const [poll, setPoll] = useState(0);
  const [sending, setSending] = useState<Upload>();
  const path = apiPath(site, '/uploads');
  const uploads = useData<Upload[]>(path, {}, poll);
  const upload = sending ?? uploads.data?.[0];
  const wanted = upload && isMoving(upload) && !sending ? POLL_SECONDS : 0;
  useEffect(() => setPoll(wanted), [wanted]);
  useEffect(() => {
    // The server has finished this import. So the page loads its list of imports again, to show the new import.
    if (upload?.state === 'done') onImported();
  }, [upload?.state]);
  const submit = async (data: FormData) => {
    const file = data.get('file') as File;
    const from = String(data.get('from') ?? '').trim();
    const fields = { ...(from && { from }), skip_unreadable: data.get('skip') === 'on' };
    await sendFile({ path, file, fields, onPiece: setSending }).finally(() => {
      setSending(undefined);
      uploads.reload();
    });
  };
  return (
    <Block
      title={t('Import')}
      about={t('Bring in the history of another product. You see what is in the file before anything is imported.')}
    >
      <Answer of={{ ...uploads, data: uploads.data && { upload } }}>
        {() =>
          upload ? (
            <div class="data-step">
              <UploadState
                site={site}
                upload={upload}
                isSending={sending !== undefined}
                uploads={uploads}
                onImported={onImported}
              />
            </div>
          ) : (
            <FileForm submit={submit} />
          )
        }
      </Answer>
    </Block>
  );
}

function FileForm({ submit }: { submit(data: FormData): Promise<void> }) {
  const [hasFile, setFile] = useState(false);
  return (
    <Form label={t('Import')} submit={submit}>
      <Field
        label={t('File')}
        name="bytes"
        help={t(
          'From Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics or Google’s Search Console. Access logs and the JSON Lines of daybook work too.',
        )}
      >
        <input name="file" type="file" onChange={(event) => setFile(event.currentTarget.value !== '')} />
      </Field>
      <details>
        <summary>{t('More options')}</summary>
        <div class="form">
          <Input
            name="from"
            label={t('Domain in the file')}
            help={t('Only if the site had another domain at that time.')}
          />
          <Field label={t('Skip lines that cannot be read')}>
            <input name="skip" type="checkbox" />
          </Field>
        </div>
      </details>
      <Actions verb={t('Upload')} isDisabled={!hasFile} />
    </Form>
  );
}

type StateProps = Props & { upload: Upload; isSending: boolean; uploads: Loaded<Upload[]> };

function UploadState(props: StateProps) {
  const { site, upload, uploads } = props;
  const { state, name, file } = upload;
  const path = apiPath(site, `/uploads/${upload.id}`);
  const remove = () => send('DELETE', path).then(uploads.reload);
  if (state === 'done') return <Done {...props} forget={remove} />;
  if (state === 'failed') {
    return (
      <>
        <p class="form-error" role="alert">
          {t('{name} was not imported.', { name })} {said(upload.error_code ?? undefined, upload.error ?? '')}
        </p>
        <SimpleButton verb={t('Choose another file')} action={remove} />
      </>
    );
  }
  if (state === 'ready' && file) return <Ready {...props} file={file} path={path} cancel={remove} />;
  return (
    <>
      <Progress {...props} />
      {state !== 'writing' && <SimpleButton verb={t('Cancel')} action={remove} />}
    </>
  );
}

/**
 * Shows the progress of an upload. While the server reads the uploaded file, the bar has no value. If the file is a zip
 * file, the server reads it from its end. So the number of bytes that were read would not show how much is left.
 */
function Progress({ upload, isSending }: StateProps) {
  const { state, name, bytes, received, read_rows: rows, read_days: days, written_days: written, file } = upload;
  const texts = {
    receiving: isSending
      ? t('Uploading {name}: {done} of {total}', { name, done: size(received), total: size(bytes) })
      : t('The upload of {name} was interrupted, or continues in another window.', { name }),
    reading: `${t('Reading {name}', { name })}${rows > 0 ? `: ${t('{rows} rows, {days} days', { rows: number(rows), days: number(days) })}` : ''}`,
    writing: t('Importing {name}: {done} of {total} days', {
      name,
      done: number(written),
      total: number(file?.days ?? 0),
    }),
  };
  const text = texts[state as keyof typeof texts];
  const bars = { receiving: [received, bytes], reading: [], writing: [written, file?.days ?? 1] };
  const [value, max] = bars[state as keyof typeof bars];
  return (
    <div class="data-progress">
      <p role="status">{text}</p>
      <progress aria-label={name} {...(max === undefined ? {} : { value: value ?? 0, max })} />
    </div>
  );
}

type ReadyProps = StateProps & { file: NonNullable<Upload['file']>; path: string; cancel(): Promise<unknown> };

function Ready({ site, upload, file, path, uploads, cancel }: ReadyProps) {
  const isTaken = file.taken_days > 0;
  const isOfSearches = file.format === 'search-console';
  const mayReplace = site.role === 'owner';
  const confirm = (replace: boolean) => send('POST', `${path}/confirmation`, { replace }).then(uploads.reload);
  return (
    <>
      <div>
        <h3>{t('In the file {name}', { name: upload.name })}</h3>
        <ul class="data-sheet">
          {file.sheet_codes.map((line, i) => (
            <li key={line.code}>{said(line, file.sheet[i] ?? '')}</li>
          ))}
        </ul>
      </div>
      {isTaken && (
        <p class="strong" role="alert">
          {isOfSearches
            ? plural(
                file.taken_days,
                'The site already has searches on {count} day of the file.',
                'The site already has searches on {count} days of the file.',
              )
            : plural(
                file.taken_days,
                'The site already has hits on {count} day of the file.',
                'The site already has hits on {count} days of the file.',
              )}{' '}
          {t('The first is {day}.', { day: day(file.taken[0] ?? '') })}{' '}
          {!mayReplace && t('Only the owner of the site can replace them.')}
        </p>
      )}
      <div class="form-actions">
        {isTaken && mayReplace && (
          <ConfirmButton
            verb={t('Replace these days and import')}
            warning={
              isOfSearches
                ? t('The present searches of these days will be deleted permanently.')
                : t('The present hits of these days will be deleted permanently.')
            }
            action={() => confirm(true)}
          />
        )}
        {!isTaken && <SimpleButton verb={t('Import')} kind="primary" action={() => confirm(false)} />}
        <SimpleButton verb={t('Cancel')} action={cancel} />
      </div>
    </>
  );
}

function Done({ site, upload, uploads, onImported, forget }: StateProps & { forget(): Promise<unknown> }) {
  const undo = async () => {
    await send('DELETE', apiPath(site, `/imports/${upload.import_id}`));
    onImported();
    await send('DELETE', apiPath(site, `/uploads/${upload.id}`));
    uploads.reload();
  };
  return (
    <>
      <p class="good" role="status">
        {t('{name} was imported. Reports show its days now.', { name: upload.name })}
      </p>
      <div class="form-actions">
        <SimpleButton verb={t('Import another file')} action={forget} />
        {/* Imported searches cannot be removed by themselves, so they have no button "Undo". */}
        {upload.import_id !== null && (
          <ConfirmButton
            verb={t('Undo')}
            warning={t('Remove all hits and totals of this import? Hits that it replaced do not come back.')}
            action={undo}
          />
        )}
      </div>
    </>
  );
}

function SimpleButton({ verb, kind = '', action }: { verb: string; kind?: string; action(): Promise<unknown> }) {
  const { isBusy, error, run } = useSubmit();
  return (
    <>
      <button type="button" class={kind} aria-disabled={isBusy} onClick={() => void run(action)}>
        {verb}
      </button>
      <FormError error={error} />
    </>
  );
}
