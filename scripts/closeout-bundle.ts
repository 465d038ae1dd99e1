import { build } from "esbuild"
import { pageScript } from "./page-script.ts"
import { root } from "./sources.ts"

/**
 * Writes the command line to a folder, in a few files with all that they import. Most of a start from a thousand modules is looking for
 * files. What only some commands need, such as the embedded service, has files of its own. `closeout.mjs` runs on Node 20 and newer.
 */
export const bundleCloseout = (folder: string) =>
  build({
    absWorkingDir: root,
    entryPoints: { closeout: "src/cli/main.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    minifyWhitespace: true,
    minifySyntax: true,
    // `esbuild` is named by the file that `pageScript` replaces.
    external: ["pg-native"],
    // Libraries in CommonJS load Node's own modules by `require`.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
    plugins: [pageScript],
    logLevel: "warning"
  })
