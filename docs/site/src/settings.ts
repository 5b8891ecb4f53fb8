import { readFileSync } from "node:fs";

interface Settings {
  name: string;
  root: string;
  base: string;
  playground: string;
  light: string; // declarations of CSS
  versions: { name: string; base: string }[];
}

/** The settings of the version that is built. */
export const settings: Settings = JSON.parse(readFileSync(process.env.SITE_SETTINGS!, "utf8"));
