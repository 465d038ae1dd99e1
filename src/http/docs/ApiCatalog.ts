import { HttpServerResponse } from "@effect/platform"
import { apiCatalogPath } from "../../api/Index.ts"

/** The media type of a link set that is an API catalog (RFC 9727, section 4.2). */
const linkset = "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\""

/** `/.well-known/api-catalog`: where the description, documentation and status of the API are (RFC 9727, RFC 9264, RFC 8631). */
export const apiCatalog = (origin: string): HttpServerResponse.HttpServerResponse => {
  const link = (path: string, type: string) => ({ href: `${origin}${path}`, type })
  const links = {
    linkset: [
      {
        anchor: `${origin}/`,
        "service-desc": [link("/openapi.json", "application/json")],
        "service-doc": [link("/docs", "text/html"), link("/docs/errors.md", "text/html"), link("/llms.txt", "text/plain")],
        status: [link("/health", "application/json")]
      }
    ]
  }
  return HttpServerResponse.text(JSON.stringify(links), { contentType: linkset }).pipe(
    HttpServerResponse.setHeader("link", `<${apiCatalogPath}>; rel="api-catalog"`)
  )
}
