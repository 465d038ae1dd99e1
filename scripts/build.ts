/**
 * Bundles the service into one file, `dist/service.mjs`, which needs no installed modules. `dist/server.mjs` starts it with Node's compile
 * cache in `dist/cache`. The build starts it once, so that the first start is quick too. `dist/service.mjs.map` is for debugging (`node
 * --enable-source-maps`). Modules that the sources load only under some settings are in the file.
 */
import { build, type Plugin } from "esbuild"
import { spawnSync } from "node:child_process"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { forNode, pageScript } from "./bundling.ts"
import { root } from "./sources.ts"

/** `import { A, B } from "effect"` bundles the whole library, `import * as A from "effect/A"` only the used parts. */
const oneByOne = (names: string, library: string): string =>
  names.split(",").map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type ")).map((name) => {
    const [module = "", alias = module] = name.split(" as ")
    return /^[A-Z]/.test(module) ? `import * as ${alias} from "${library}/${module}"` : `import { ${name} } from "${library}"`
  }).join("; ")

/** In one file a dynamic import has no advantage; the bundler would keep its whole target in a separate part. */
const atOnce = (text: string): string => {
  const ahead: Array<string> = []
  const rest = text.replace(/\bimport\(["']([^"']+)["']\)/g, (waiting: string, from: string) => {
    if (from === "ioredis") return waiting
    ahead.push(`import * as ahead${ahead.length} from "${from}"`)
    return `Promise.resolve(ahead${ahead.length - 1})`
  })
  return [...ahead, rest].join(";")
}

const lean: Plugin = {
  name: "lean",
  setup: (bundler) => {
    bundler.onLoad({ filter: /[/\\]src[/\\].*\.ts$|stellar-sdk[/\\]lib[/\\]esm[/\\].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      const own = text.replace(
        /^import \{([^}]+)\} from "(effect|@effect\/[a-z]+)"/gm,
        (_, names: string, library: string) => oneByOne(names, library)
      )
      return { contents: atOnce(own), loader: path.endsWith(".ts") ? "ts" : "js" }
    })
    // Imported unchanged, Node evaluates the whole module, which loads an HTTP client only for that.
    bundler.onResolve({ filter: /^(node:)?http$/ }, () => ({ path: "http", namespace: "as-needed" }))
    bundler.onLoad(
      { filter: /^http$/, namespace: "as-needed" },
      () => ({ contents: "module.exports = process.getBuiltinModule('node:http')" })
    )
    // The same applies to parts of this client that the service does not use: its own fetch, web sockets and cookies.
    bundler.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({ path: "undici", namespace: "as-needed", pluginData: resolveDir }))
    bundler.onLoad({ filter: /^undici$/, namespace: "as-needed" }, ({ pluginData }) => ({
      contents: "module.exports = { Agent: require('undici/lib/dispatcher/agent.js') }",
      resolveDir: pluginData as string
    }))
  }
}

/** The output folder: `dist`, or the named one. */
const folder = resolve(process.argv[2] ?? join(root, "dist"))

/** Starts the service. The cache is valid wherever the folder moves, for one version of Node and one user; others make their own. */
const starter = `import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"
enableCompileCache({ directory: fileURLToPath(new URL("cache", import.meta.url)), portable: true })
await import("./service.mjs")
`

await build({
  ...forNode,
  absWorkingDir: root,
  entryPoints: { service: "src/main.ts" },
  outdir: folder,
  target: "node24",
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "none",
  plugins: [pageScript, lean]
})

const file = join(folder, "server.mjs")
await writeFile(file, starter)
await rm(join(folder, "cache"), { recursive: true, force: true })
// A start that stops at its settings has already loaded everything.
const tried = spawnSync(process.execPath, [file], { env: { PORT: "none" }, encoding: "utf8" })
if (tried.status !== 1 || !tried.stderr.includes("PORT")) throw new Error(`the bundle does not start: ${tried.stderr}`)
