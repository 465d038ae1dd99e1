import { HttpServerResponse } from "@effect/platform"
import { escaped } from "./Html.ts"

/** The browser runs only what this service serves, connects to no other host, and shows the page in no frame. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const titles = { close: "Close an account", plan: "Plan viewer", allowances: "Allowances" } as const

/** A page for people. Its script fills it; the facts of the service stand in an attribute. */
export const pageHtml = (page: keyof typeof titles, facts: object): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(
    [
      "<!doctype html>",
      "<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      `<title>${titles[page]} - Account Close-out</title>`,
      "<link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/pages/style.css\">",
      `</head><body data-page="${page}" data-facts="${escaped(JSON.stringify(facts))}">`,
      `<main id="main"><h1>${titles[page]}</h1>`,
      "<noscript><p class=\"note\">This page needs JavaScript. The same can be done with any HTTP client: see <a href=\"/docs\">the documentation</a>.</p></noscript>",
      "<p id=\"status\" class=\"quiet\" role=\"status\" aria-live=\"polite\"></p></main>",
      "<script src=\"/pages/script.js\" defer></script></body></html>"
    ].join("\n")
  ).pipe(
    HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy),
    HttpServerResponse.setHeader("referrer-policy", "no-referrer")
  )
