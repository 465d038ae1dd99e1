import { HttpServerResponse } from "@effect/platform"
import { createHash } from "node:crypto"

/** The parts of a page. Style and script are text for their elements; nothing in them comes from a caller. */
export interface HtmlPage {
  readonly title: string
  readonly body: string
  readonly style: string
  readonly script?: string
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** The browser runs only the script and style of the page, connects to this service only, and shows the page in no frame. */
const contentSecurityPolicy = ({ script, style }: HtmlPage): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** A page of this service: one document that contains everything it uses. */
export const htmlPage = (page: HtmlPage): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(
    [
      "<!doctype html>",
      "<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      `<title>${page.title} - Account Close-out</title>`,
      `<style>${page.style}</style></head><body>`,
      page.body,
      `${page.script === undefined ? "" : `<script>${page.script}</script>`}</body></html>`
    ].join("\n")
  ).pipe(
    HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy(page)),
    HttpServerResponse.setHeader("referrer-policy", "no-referrer")
  )
