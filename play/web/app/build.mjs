// Builds the committed bundle: src/main.ts and src/app.css into ../static, next to copies of the page and its icon.
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../static");

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts", style: "src/app.css" },
  entryNames: "app",
  bundle: true,
  format: "iife",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  outdir: out,
});
for (const file of ["index.html", "icon.svg"]) {
  await copyFile(join(here, "src", file), join(out, file));
}
