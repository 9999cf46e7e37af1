// The two ways to share a site. First, share links show the reports of the site to anyone. One link has no name, and
// further links have names (shares.tsx). Allowed websites can show the shared reports in a frame. Second, the live
// counter shows everybody how many visitors the site has now.
//
// The link without a name and the counter are off at first. Managers and the owner can replace the link without a name
// by a new one. Then the replaced link no longer works. pages/settings.tsx shows `SharingPart`.

import type { DashboardMessage } from '../../lang/dashboard.ts';
import { changeSite, type PartProps, scriptOf } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Switch } from '../ui/switch.tsx';
import { Embeds } from './embeds.tsx';
import { Shares } from './shares.tsx';

export function SharingPart(props: PartProps) {
  return (
    <>
      <ShareLink {...props} />
      {props.site.share_url !== null && <Embeds {...props} />}
      <Shares {...props} />
      <LiveCounter {...props} />
    </>
  );
}

function ShareLink({ site, reload, mayChange }: PartProps) {
  const share = (shared: boolean) => changeSite(site, { shared });
  return (
    <Block title={t('Share link')}>
      <Switch
        label={t('Anyone with the link can see the reports')}
        help={t(
          'The link shows all reports of this site, with goals, funnels, notes and imported searches on Google. People with the link cannot see settings or your other sites, and cannot change anything.',
        )}
        isOn={site.shared}
        isDisabled={!mayChange}
        save={(isOn) => share(isOn).then(reload)}
      />
      {site.share_url !== null && (
        <>
          <Copy text={site.share_url} label={t('the share link')} />
          {mayChange && (
            <ConfirmButton
              verb={t('Create a new share link')}
              warning={t('The current link will stop working, including on pages that embed it.')}
              action={() => share(false).then(() => share(true).finally(reload))}
            />
          )}
        </>
      )}
    </Block>
  );
}

const FORMATS: { ending: string; name: DashboardMessage }[] = [
  { ending: '', name: 'Page' },
  { ending: '.json', name: 'JSON' },
  { ending: '.svg', name: 'Badge' },
];

function LiveCounter({ site, reload, mayChange }: PartProps) {
  const path = `/live/${site.domain}`;
  const url = scriptOf(site).origin + path;
  const badge = `<a href="${url}"><img src="${url}.svg" alt="${t('Visitors on {domain} now', { domain: site.domain })}" height="24"></a>`;
  return (
    <Block title={t('Public live counter')}>
      <Switch
        label={t('Everyone can see the number of current visitors')}
        help={t('Only the number of visitors in the last five minutes is public.')}
        isOn={site.public_live}
        isDisabled={!mayChange}
        save={(isOn) => changeSite(site, { public_live: isOn }).then(reload)}
      />
      {site.public_live && (
        <>
          <ul class="form-actions">
            {FORMATS.map(({ ending, name }) => (
              <li key={ending}>
                <a class="button" href={path + ending}>
                  {t(name)}
                </a>
              </li>
            ))}
          </ul>
          <p>{t('A badge for your page or README:')}</p>
          <Copy text={badge} label={t('the badge')} />
        </>
      )}
    </Block>
  );
}
