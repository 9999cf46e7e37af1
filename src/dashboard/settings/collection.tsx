// The settings that decide what a site stores of a visit, and whether it counts AI crawlers. Large sections have their
// own files. pages/settings.tsx shows `CollectionPart`.

import type { PartProps } from '../core/site.ts';
import { t } from '../core/texts.ts';
import { Block } from '../ui/block.tsx';
import { DimensionsOff } from './dimensions-off.tsx';
import { PageParameters } from './page-parameters.tsx';
import { PrivatePaths } from './private-paths.tsx';
import { type Setting, SiteSwitch } from './site-switch.tsx';

const CRAWLERS: Setting = {
  name: 'track_crawlers',
  label: 'Count AI crawlers',
  help: 'AI crawlers have their own report. They never count as visitors.',
};

const PLACES: Setting = {
  name: 'places',
  label: 'Store regions and cities',
  help: 'The server looks up regions and cities by IP address, and does not store the IP address. On a small site, a city may point to a single person. The person who runs this server must set --geoip to a city database.',
};

export function CollectionPart(props: PartProps) {
  return (
    <>
      <PageParameters {...props} />
      <PrivatePaths {...props} />
      <DimensionsOff {...props} />
      <Block title={t('Regions and cities')}>
        <SiteSwitch of={PLACES} {...props} />
      </Block>
      <Block title={t('AI crawlers')}>
        <SiteSwitch of={CRAWLERS} {...props} />
      </Block>
    </>
  );
}
