import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"
import { quickImports } from "./serving/QuickImports.ts"

// What Node makes of the sources is kept, so that the next start does not read all of them anew. It has to be said before they are loaded.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)))
quickImports()

await import("./Run.ts")
