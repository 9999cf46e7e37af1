// The funnels of a site. A funnel has two to eight steps that visitors take in order, within one day. Its report shows
// at which step visitors leave. Funnels can be added, changed and removed here. Removing a funnel deletes no visits.
//
// Example: the steps of a purchase are the pages /prices, /order and /thanks.
//
// pages/settings.tsx shows `FunnelsPart`.

import type { Funnel } from '../../api/funnels.ts';
import { send, useData } from '../core/api.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { AddForm, Input } from '../ui/add-form.tsx';
import { Block } from '../ui/block.tsx';
import { ItemList } from '../ui/item-list.tsx';
import { StepFields, stepsIn } from './step-fields.tsx';
import { TargetLists, TargetText } from './target.tsx';

export function FunnelsPart({ site, mayChange }: PartProps) {
  const funnels = useData<Funnel[]>(apiPath(site, '/funnels'));
  const removal = ({ id, name }: Funnel) =>
    mayChange
      ? { path: apiPath(site, `/funnels/${id}`), name, warning: t('Remove this funnel? Your visits are kept.') }
      : undefined;
  const funnelIn = (data: FormData) => ({ name: data.get('name'), steps: stepsIn(data, site.page_parameters) });
  const add = (data: FormData) => send('POST', apiPath(site, '/funnels'), funnelIn(data)).then(funnels.reload);
  const changeForm = (funnel: Funnel, close: (done?: string) => void) => (
    <AddForm
      label={t('Save')}
      done={t('Saved.')}
      add={async (data) => {
        const changed = await send<Funnel>('PATCH', apiPath(site, `/funnels/${funnel.id}`), funnelIn(data));
        close(t('{name} was changed.', { name: changed.name }));
      }}
      cancel={close}
    >
      <Input name="name" label={t('Name')} maxLength={100} defaultValue={funnel.name} />
      <StepFields of={funnel.steps} />
    </AddForm>
  );
  return (
    <>
      <Block
        title={t('Funnels')}
        about={t(
          'A funnel has two to eight steps. Visitors must take them in order, within one day. The report shows where visitors drop out.',
        )}
      >
        <ItemList
          of={funnels}
          label={t('Funnels')}
          empty={{
            title: t('No funnels yet'),
            next: t('For example: price page, order form, thank-you page. See how many visitors complete all steps.'),
          }}
          removal={removal}
          change={mayChange ? changeForm : undefined}
        >
          {({ name, steps }) => (
            <>
              <h3>{name}</h3>
              <ol class="funnels-steps">
                {steps.map((step, i) => (
                  <li key={i}>
                    <TargetText {...step} />
                  </li>
                ))}
              </ol>
            </>
          )}
        </ItemList>
      </Block>
      {mayChange && (
        <Block title={t('New funnel')}>
          <AddForm label={t('Add funnel')} done={t('Added.')} add={add}>
            <Input name="name" label={t('Name')} placeholder={t('Order')} maxLength={100} />
            <StepFields />
            <TargetLists site={site} />
          </AddForm>
        </Block>
      )}
    </>
  );
}
