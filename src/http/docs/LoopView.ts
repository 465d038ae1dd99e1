import { closeLoop } from "../../api/CloseLoop.ts"
import type { Network } from "../../domain/Network.ts"
import { escaped, line } from "../page/Html.ts"
import { type Route, routeAnchor } from "./RouteView.ts"
import { firstNetwork } from "./TryIt.ts"

const curl = ({ method, path }: Route, body: string, network: string): string =>
  `curl -s -X ${method} $URL${
    path.replace("{network}", network)
  } \\\n  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\\n  -d ${body}`

/** The close loop in three steps, each with its call in a shell. */
export const loopView = (routes: ReadonlyArray<Route>, networks: ReadonlyArray<Network>): string => {
  const network = firstNetwork(networks) ?? "testnet"
  const steps = closeLoop.map(({ body, operation, text, title }, index) => {
    const route = routes.find(({ operation: { operationId } }) => operationId === operation)
    if (route === undefined) throw new Error(`the document has no operation ${operation}`)
    return `<li><h3>${index + 1}. ${title}</h3><p>${line(text)}</p><pre>${escaped(curl(route, body, network))}</pre>` +
      `<p>Reference: <a href="#${routeAnchor(route)}">${escaped(route.operation.summary ?? operation)}</a></p></li>`
  })
  return [
    "<section aria-labelledby=\"loop\"><h2 id=\"loop\">Close an account in three steps</h2>",
    "<p>In these commands, <code>URL</code> is the address of this service and <code>KEY</code> your API key. Amounts are decimal strings with seven places.</p>",
    `<ol class="loop">${steps.join("\n")}</ol>`,
    "<p>Every error is <code>{\"error\":{\"code\",\"message\",\"details\"}}</code>. Branch on <code>code</code>, and let <code>details.retry</code> decide what your program does next: see <a href=\"/docs/errors.md\">errors, blockers, warnings</a>.</p>",
    "</section>"
  ].join("\n")
}
