import type { HttpServerResponse } from "@effect/platform"
import { createHash } from "node:crypto"
import { htmlDocument } from "./HtmlDocument.ts"

/** The parts of a page. Style and script are text for their elements; nothing in them comes from a caller. */
export interface HtmlPage {
  readonly title: string
  readonly body: string
  readonly style: string
  readonly script?: string
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** A page that contains everything it uses: the browser runs only the script and style with these hashes. */
export const htmlPage = ({ body, script, style, title }: HtmlPage): HttpServerResponse.HttpServerResponse =>
  htmlDocument({
    title,
    head: `<style>${style}</style>`,
    body: `<body>\n${body}\n${script === undefined ? "" : `<script>${script}</script>`}</body>`,
    sources: {
      ...(script === undefined ? {} : { "script-src": hashOf(script), "connect-src": "'self'" }),
      "style-src": hashOf(style)
    }
  })
