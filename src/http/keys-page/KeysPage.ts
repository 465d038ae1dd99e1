import type { HttpServerResponse } from "@effect/platform"
import type { Network } from "../../domain/Network.ts"
import { htmlPage } from "../page/HtmlPage.ts"
import { markup } from "./Markup.ts"
import { script } from "./Script.ts"
import { style } from "./Style.ts"

/** The self-service page. */
export const keysPage = (networks: ReadonlyArray<Network>): HttpServerResponse.HttpServerResponse =>
  htmlPage({ title: "API keys", body: markup(networks), style, script })
