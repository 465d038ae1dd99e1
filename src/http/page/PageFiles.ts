import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { lazily } from "../../fibers/Lazily.ts"
import { cacheable } from "../wire/Cacheable.ts"
import { bundledScript } from "./BundledScript.ts"
import { pageStyle } from "./PageStyle.ts"

/** What the pages say where the bundler is missing, as after an install without development packages. */
const missing = `document.getElementById("status").textContent =
  "The script of this page cannot be made here: run npm run build, or install the development packages."`

/** Made once a process: it takes the bundler seconds. */
const bundled = lazily(() => bundledScript())

const script = Effect.map(
  Effect.catchAllCause(
    Effect.promise(bundled),
    (cause) => Effect.as(Effect.logError("the script of the pages cannot be made", cause), missing)
  ),
  (text) => cacheable(HttpServerResponse.text(text, { contentType: "text/javascript; charset=utf-8" }))
)

/** The files that the pages load, each made once, on the first request, which may be interrupted. */
export const pageFiles = Effect.map(Effect.cached(Effect.uninterruptible(script)), (made) => ({
  script: made,
  style: cacheable(HttpServerResponse.text(pageStyle, { contentType: "text/css; charset=utf-8" }))
}))
