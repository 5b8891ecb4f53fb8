import { defineCollection } from "astro:content";
import { docsSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";
import { readFileSync } from "node:fs";

const { pages } = JSON.parse(readFileSync(process.env.SITE_SETTINGS!, "utf8"));

export const collections = {
  docs: defineCollection({ loader: glob({ base: pages, pattern: "**/*.md" }), schema: docsSchema() }),
};
