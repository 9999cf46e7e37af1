// Lists the container images that a release and the examples in deploy/ use. Each image is named by its digest, because
// a tag may mean another image tomorrow. To find a new digest: docker buildx imagetools inspect NAME:TAG
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT, ROOT } from './product.mjs';

const DIGEST = /@sha256:[0-9a-f]{64}$/;

/** Finds the names of images in compose files, Dockerfiles and commands of the workflow. */
export const imagesIn = (text) =>
  [
    ...text.matchAll(
      /(?:^\s*image: |^FROM (?!scratch)|^ARG BASE=|image=|generator=|--rm (?=\w))([\w./-]+(?::[\w.-]+)?(?:@\S+)?)/gm,
    ),
  ].map(([, name]) => name);

/** Tells an image that this project builds, which has no digest before it is published. */
const isOwn = (name) => name === 'daybook' || name.startsWith(`${PRODUCT.image}:`);

/** Lists the images that are not named by a digest, each with its file. */
export function unpinnedImages(texts = readTexts()) {
  return Object.entries(texts).flatMap(([file, text]) =>
    imagesIn(text)
      .filter((name) => !isOwn(name) && !DIGEST.test(name))
      .map((name) => `${file}: ${name}`),
  );
}

function readTexts() {
  const folders = ['deploy', '.github/workflows', '.forgejo/workflows'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /Dockerfile(?:\.release)?$|\.ya?ml$/.test(name))
      .map((name) => join(folder, name)),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}
