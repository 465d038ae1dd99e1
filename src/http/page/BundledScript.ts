import { fileURLToPath } from "node:url"

/**
 * The script of the pages in one file, for browsers. Made from the sources by the bundler while the service runs from them; `npm run build`
 * puts what it gives in place of this file.
 */
export const bundledScript = async (): Promise<string> => {
  const { build } = await import("esbuild")
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../page/Page.ts", import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    // Failures take their names from their classes.
    keepNames: false,
    logLevel: "silent"
  })
  return outputFiles[0]?.text ?? ""
}
