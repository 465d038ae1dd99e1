import type { HttpServerResponse } from "@effect/platform"
import { escaped } from "./Html.ts"
import { htmlDocument } from "./HtmlDocument.ts"

const titles = { close: "Close an account", plan: "Plan viewer", allowances: "Allowances" } as const

const self = { "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'", "img-src": "'self' data:" }

/** A page for people. The one script of these pages, a file of its own, fills it; the facts of the service stand in an attribute. */
export const pageHtml = (page: keyof typeof titles, facts: object): HttpServerResponse.HttpServerResponse =>
  htmlDocument({
    title: titles[page],
    head: "<link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/pages/style.css\">",
    body: [
      `<body data-page="${page}" data-facts="${escaped(JSON.stringify(facts))}">`,
      `<main id="main"><h1>${titles[page]}</h1>`,
      "<noscript><p class=\"note\">This page needs JavaScript. The same can be done with any HTTP client: see <a href=\"/docs\">the documentation</a>.</p></noscript>",
      "<p id=\"status\" class=\"quiet\" role=\"status\" aria-live=\"polite\"></p></main>",
      "<script src=\"/pages/script.js\" defer></script></body>"
    ].join("\n"),
    sources: self
  })
