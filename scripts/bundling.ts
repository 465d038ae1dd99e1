import type { BuildOptions, Plugin } from "esbuild"
import { brotliCompressSync, constants } from "node:zlib"
import { lazily } from "../src/fibers/Lazily.ts"
import { bundledScript } from "../src/http/page/BundledScript.ts"

/** A module in place of `src/http/page/BundledScript.ts`, with the script of the pages in it, because no bundler runs beside what is built. */
export const pageScriptModule = lazily(async () => {
  // The best quality saves a tenth and takes three seconds more.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const packed = brotliCompressSync(await bundledScript(), { params }).toString("base64")
  return `import { brotliDecompressSync } from "node:zlib"
    export const bundledScript = async () => brotliDecompressSync(Buffer.from("${packed}", "base64")).toString()`
})

/** Puts that module into a bundle. */
export const pageScript: Plugin = {
  name: "page script",
  setup: (bundler) => {
    bundler.onLoad({ filter: /BundledScript\.ts$/ }, async () => ({ contents: await pageScriptModule(), loader: "js" }))
  }
}

/** What all bundles for Node have in common. */
export const forNode = {
  bundle: true,
  platform: "node",
  format: "esm",
  outExtension: { ".js": ".mjs" },
  // Names stay: people read traces in the log.
  minifyWhitespace: true,
  minifySyntax: true,
  // `pg` does without it.
  external: ["pg-native"],
  // Libraries in CommonJS load Node's own modules by `require`.
  banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
  logLevel: "warning"
} satisfies BuildOptions
