import { build } from "esbuild"
import { forNode, pageScript } from "./bundling.ts"
import { root } from "./sources.ts"

/**
 * Writes the command line to a folder, in a few files with all that they import. Most of a start from a thousand modules is looking for
 * files. What only some commands need, such as the embedded service, has files of its own. `closeout.mjs` runs on Node 20 and newer.
 */
export const bundleCloseout = (folder: string) =>
  build({
    ...forNode,
    absWorkingDir: root,
    entryPoints: { closeout: "src/cli/main.ts" },
    outdir: folder,
    splitting: true,
    target: "node20",
    plugins: [pageScript]
  })
