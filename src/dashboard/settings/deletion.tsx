import { useState } from 'preact/hooks';
import { navigate, sitePath } from '../core/address.ts';
import { send } from '../core/api.ts';
import { apiPath, type PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { Actions, Form } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { isDomainTyped, TypedDomain } from './typed-domain.tsx';

/** Deletes a site. The owner must type the domain of the site first. So nobody deletes a site by mistake. */
export function DeletionPart({ site }: PartProps) {
  const [typed, setTyped] = useState('');
  if (site.role !== 'owner') {
    return (
      <Block title={t('Delete this site')}>
        <p>{t('Only the owner of the site can delete it.')}</p>
      </Block>
    );
  }
  const isConfirmed = isDomainTyped(site, typed);
  const remove = async () => {
    if (!isConfirmed) return;
    await send('DELETE', apiPath(site));
    navigate('/');
  };
  return (
    <Block
      title={t('Delete this site')}
      about={t(
        'This permanently deletes all visits, goals, funnels and notes of the site. The pages can keep the snippet, but their visits are no longer counted.',
      )}
    >
      <Form submit={remove}>
        <p>
          <Link href={sitePath(site.domain, '/settings/data')}>{t('Export the visits first')}</Link>
        </p>
        <TypedDomain site={site} typed={typed} type={setTyped} />
        <Actions verb={t('Delete {domain}', { domain: site.domain })} kind="danger" isDisabled={!isConfirmed} />
      </Form>
    </Block>
  );
}
