/** What release/product.json has, and the version of package.json. */
type Product = {
  title: string;
  summary: string;
  description: string;
  repository: string;
  version: string;
  /** The live demo, and the daybook server that counts visits to the website. Empty texts mean that there is none. */
  site: { demo: string; stats: { server: string; domain: string } };
};

export const PRODUCT: Product;
