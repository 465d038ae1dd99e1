import { HttpServerResponse } from "@effect/platform"
import { createHash } from "node:crypto"
import type { Network } from "../../domain/Network.ts"
import { markup } from "./Markup.ts"
import { script } from "./Script.ts"
import { style } from "./Style.ts"

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** The browser runs this script and style only, asks nobody but this service, and shows the page in no frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The self-service page: one document with everything in it. */
export const keysPage = (networks: ReadonlyArray<Network>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(
    [
      "<!doctype html>",
      "<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      "<title>API keys - Account Close-out</title>",
      `<style>${style}</style></head><body>`,
      markup(networks),
      `<script>${script}</script></body></html>`
    ].join("\n")
  ).pipe(
    HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy),
    HttpServerResponse.setHeader("referrer-policy", "no-referrer")
  )
