import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores(["dist/", "out/"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "no-console": "error",
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      // Tests run functions in the page.
      globals: Object.fromEntries(["console", "process", "setTimeout", "URL", "Buffer", "document", "addEventListener", "performance", "innerWidth",
        "MutationObserver", "DataTransfer", "File", "Event"].map((name) => [name, "readonly"])),
    },
  },
);
