import type { Plugin } from "esbuild"
import { brotliCompressSync, constants } from "node:zlib"
import { bundledScript } from "../src/http/page/BundledScript.ts"

/** Puts the script of the pages into a bundle, because no bundler runs beside it. */
export const pageScript: Plugin = {
  name: "page script",
  setup: (bundler) => {
    bundler.onLoad({ filter: /BundledScript\.[jt]s$/ }, async () => {
      // The best quality saves a tenth and takes three seconds more.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
      const packed = brotliCompressSync(await bundledScript(), { params }).toString("base64")
      const contents = `import { brotliDecompressSync } from "node:zlib"
        export const bundledScript = async () => brotliDecompressSync(Buffer.from("${packed}", "base64")).toString()`
      return { contents, loader: "js" }
    })
  }
}
