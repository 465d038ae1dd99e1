import { HttpServerResponse } from "@effect/platform"

/** A page as one document. Texts in it that others wrote are escaped by its maker. */
export interface HtmlDocument {
  readonly title: string
  /** What stands in the head beside the title. */
  readonly head: string
  readonly body: string
  /** Where script, style, images and connections may come from, by directive; everything else is refused. */
  readonly sources: Readonly<Record<string, string>>
}

/** A document with its headers: the browser loads only what `sources` names, sends no form, shows it in no frame, and passes no address on. */
export const htmlDocument = ({ body, head, sources, title }: HtmlDocument): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(
    [
      "<!doctype html>",
      "<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      `<title>${title} - Account Close-out</title>`,
      `${head}</head>`,
      `${body}</html>`
    ].join("\n")
  ).pipe(
    HttpServerResponse.setHeader(
      "content-security-policy",
      [
        "default-src 'none'",
        ...Object.entries(sources).map(([directive, source]) => `${directive} ${source}`),
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'"
      ].join("; ")
    ),
    HttpServerResponse.setHeader("referrer-policy", "no-referrer")
  )
