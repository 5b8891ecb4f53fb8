import { readFileSync } from "node:fs";

export interface Matcher {
  name: string;
  severity: string;
  fileLocation: string[];
  pattern: Record<string, number | string> & { regexp: string; kind?: string };
}

export interface Manifest {
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: Record<string, unknown> & {
    commands: { command: string; category: string; title: string }[];
    configuration: { properties: Record<string, { default: unknown; enum?: string[]; scope: string }> };
    problemMatchers: Matcher[];
    languages: { id: string; extensions?: string[]; filenames?: string[] }[];
    grammars: { language: string; scopeName: string }[];
    configurationDefaults: Record<string, unknown>;
  };
}

/** What package.json says. Tests run in the directory where it is. */
export const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
