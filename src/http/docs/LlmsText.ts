import { HttpServerResponse, type OpenApi } from "@effect/platform"
import { closeLoop } from "../../api/CloseLoop.ts"
import { type Route, routesOf } from "./RouteView.ts"

const named = ({ method, operation: { operationId, summary = operationId }, path }: Route): string => `\`${method} ${path}\`: ${summary}`

/** `/llms.txt`: what this service is, its close loop, its pages and its routes, for software that reads text (llmstxt.org). */
export const llmsText = (document: OpenApi.OpenAPISpec): HttpServerResponse.HttpServerResponse => {
  const routes = routesOf(document)
  const steps = closeLoop.map(({ operation, text, title }, index) => {
    const route = routes.find((one) => one.operation.operationId === operation)
    return `${index + 1}. **${title}** (${route === undefined ? operation : `\`${route.method} ${route.path}\``}). ${text}`
  })
  const groups = document.tags.flatMap(({ description = "", name }) => [
    "",
    `### ${name}`,
    "",
    description,
    "",
    ...routes.filter(({ operation }) => operation.tags.includes(name)).map((route) => `- ${named(route)}`)
  ])
  const lines = [
    "# Account Close-out",
    "",
    "> An HTTP/JSON service that closes accounts on the Stellar network. It reads everything an account holds, plans the close, and builds each unsigned transaction. The caller verifies, signs and submits. The service never needs a secret key.",
    "",
    "Send an API key as `Authorization: Bearer <key>`. Amounts are decimal strings with seven places. Every error is `{\"error\":{\"code\",\"message\",\"details\"}}`: branch on `code`, and let `details.retry` decide what to do next.",
    "",
    "## Close an account",
    "",
    ...steps,
    "",
    "## Agents",
    "",
    "`POST /mcp` is an MCP endpoint (streamable HTTP, no session) with the tools `read_account`, `preflight`, `plan_close`, `next_transaction`, `explain_transaction` and `submit`. It takes the same key. The tools sign nothing. A decision that gives something up needs the owner's agreement to its amount.",
    "",
    "## Pages",
    "",
    "- [OpenAPI document](/openapi.json): every route with its schemas and recorded examples",
    "- [API documentation](/docs): the same as a page",
    "- [Errors, blockers, warnings](/docs/errors.md): each code with its cause and remedy",
    "- [API keys](/keys): get a key by signing a challenge",
    "",
    "## Routes",
    ...groups,
    ""
  ]
  return HttpServerResponse.text(lines.join("\n"), { contentType: "text/plain; charset=utf-8" })
}
