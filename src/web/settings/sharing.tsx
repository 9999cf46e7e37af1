import { Copy } from '../parts/copy.tsx';
import { Block } from './block.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Embeds } from './embeds.tsx';
import { changeSite, type PartProps, scriptOf } from './part.ts';
import { Switch } from './switch.tsx';

/** Who else may see the figures, without an account here. */
export function SharingPart(props: PartProps) {
  return (
    <>
      <Share {...props} />
      {props.site.share_url !== null && <Embeds {...props} />}
      <Live {...props} />
    </>
  );
}

function Share({ site, reload, mayChange }: PartProps) {
  const share = (shared: boolean) => changeSite(site, { shared });
  return (
    <Block title="Share link">
      <Switch
        label="Whoever has the link may look"
        help="It shows every report of this site, with its ranges and filters, goals, funnels and notes. It shows no settings and none of your other sites, and nothing can be changed with it."
        on={site.shared}
        isLocked={!mayChange}
        save={(on) => share(on).then(reload)}
      />
      {site.share_url !== null && (
        <>
          <Copy text={site.share_url} label="the share link" />
          {mayChange && (
            <ConfirmButton
              verb="Make a new link"
              name="for sharing"
              warning="The link that you gave to others stops working, also where it is embedded."
              act={() => share(false).then(() => share(true).finally(reload))}
            />
          )}
        </>
      )}
    </Block>
  );
}

const LIVE = [
  { end: '', name: 'Page' },
  { end: '.json', name: 'JSON' },
  { end: '.svg', name: 'Badge' },
];

function Live({ site, reload, mayChange }: PartProps) {
  const path = `/live/${site.domain}`;
  const url = scriptOf(site).origin + path;
  const badge = `<a href="${url}"><img src="${url}.svg" alt="Visitors on ${site.domain} now" height="24"></a>`;
  return (
    <Block title="Public live counter">
      <Switch
        label="Everybody may see how many visitors are here now"
        help="Only the number of the last five minutes, and nothing else."
        on={site.public_live}
        isLocked={!mayChange}
        save={(on) => changeSite(site, { public_live: on }).then(reload)}
      />
      {site.public_live && (
        <>
          <ul class="actions">
            {LIVE.map(({ end, name }) => (
              <li key={end}>
                <a class="button" href={path + end}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
          <p>The badge, for a page of yours or a README:</p>
          <Copy text={badge} label="the badge" />
        </>
      )}
    </Block>
  );
}
