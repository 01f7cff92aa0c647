// ESLint's recommended rules for the page's JavaScript, and a few more.

import js from "@eslint/js";
import globals from "globals";

const strict = {
  "array-callback-return": "error",
  "consistent-return": "off", // handlers return early with the result of a call
  curly: ["error", "multi-line"],
  eqeqeq: "error",
  "no-alert": "error",
  "no-console": "error",
  "no-else-return": "error",
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-param-reassign": "error",
  "no-promise-executor-return": ["error", { allowVoid: true }],
  "no-script-url": "error",
  "no-self-compare": "error",
  "no-shadow": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-unmodified-loop-condition": "error",
  "no-unreachable-loop": "error",
  "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-concat": "error",
  "no-useless-rename": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-object-spread": "error",
  "prefer-promise-reject-errors": "error",
  "prefer-rest-params": "error",
  "prefer-spread": "error",
  "prefer-template": "error",
  radix: "error",
  "require-atomic-updates": "error",
  "require-await": "error",
  // Data becomes text, never markup or code.
  "no-restricted-properties": [
    "error",
    ...["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe"].map((property) => ({ property })),
    { object: "document", property: "write" },
  ],
};

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules: strict },
  { files: ["bot/fronts/page/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["bot/fronts/page/theme.js"], languageOptions: { sourceType: "script" } },
  {
    files: ["tests/page/*.js"],
    languageOptions: { globals: { ...globals.nodeBuiltin, ...globals.browser } },
  },
];
