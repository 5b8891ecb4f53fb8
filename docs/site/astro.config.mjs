import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { readFileSync } from "node:fs";
import { forge } from "./pages.mjs";

// build.mjs writes the settings of the version to be built.
const settings = JSON.parse(readFileSync(process.env.SITE_SETTINGS, "utf8"));

export default defineConfig({
  site: settings.site,
  base: settings.base,
  outDir: settings.out,
  publicDir: settings.public,
  cacheDir: `${settings.pages}/../cache`,
  redirects: settings.redirects,
  trailingSlash: "ignore",
  integrations: [
    starlight({
      title: "tofumerge",
      sidebar: settings.sidebar,
      social: [{ icon: "github", label: "Source", href: forge }],
      customCss: ["./src/styles/site.css"],
      components: {
        Head: "./src/components/Head.astro",
        SiteTitle: "./src/components/SiteTitle.astro",
      },
      credits: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      expressiveCode: {
        defaultProps: { overridesByLang: { "console,sh,text,yaml,json": { frame: "none" } } },
      },
    }),
  ],
});
