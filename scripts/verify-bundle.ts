/** Bundles the verifier (`./verify`) as a browser would load it, and prints its size. */
import { build } from "esbuild"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { root } from "./sources.ts"

/** One module of JavaScript for browsers, minified. */
export const bundleVerifier = async (globalName?: string): Promise<string> => {
  const { outputFiles: [file] } = await build({
    entryPoints: [join(root, "src", "verify", "Verifier.ts")],
    bundle: true,
    minify: true,
    platform: "browser",
    target: "es2023",
    write: false,
    ...(globalName === undefined ? { format: "esm" } : { format: "iife", globalName })
  })
  if (file === undefined) throw new Error("nothing was bundled")
  return file.text
}

/** Bytes after gzip. */
export const weightOf = (text: string): number => gzipSync(text, { level: 9 }).length

if (import.meta.main) {
  const text = await bundleVerifier()
  console.log(`${(text.length / 1000).toFixed(1)} kB, ${(weightOf(text) / 1000).toFixed(1)} kB gzipped`)
}
