import type { HttpServerResponse, OpenApi } from "@effect/platform"
import type { Shape } from "../../api/DocumentSchemas.ts"
import type { Network } from "../../domain/Network.ts"
import { escaped, line } from "../page/Html.ts"
import { htmlPage } from "../page/HtmlPage.ts"
import { docsScript } from "./DocsScript.ts"
import { docsStyle } from "./DocsStyle.ts"
import { loopView } from "./LoopView.ts"
import { type Route, routeAnchor, routesOf, routeView, type SharedSchemas } from "./RouteView.ts"
import { schemaView } from "./SchemaView.ts"
import { tokenField } from "./TryIt.ts"

/** A group of routes, as the document's tags name them. */
interface Group {
  readonly name: string
  readonly description: string
  readonly anchor: string
  readonly routes: ReadonlyArray<Route>
}

const groupsOf = ({ tags }: OpenApi.OpenAPISpec, routes: ReadonlyArray<Route>): ReadonlyArray<Group> =>
  tags.map(({ description = "", name }) => ({
    name,
    description,
    anchor: `group-${name.toLowerCase().replaceAll(" ", "-")}`,
    routes: routes.filter(({ operation }) => operation.tags.includes(name))
  }))

const item = (href: string, text: string, inner = ""): string => `<li><a href="${href}">${escaped(text)}</a>${inner}</li>`

const contents = (groups: ReadonlyArray<Group>): string =>
  [
    "<nav aria-label=\"Contents\"><ul>",
    item("#loop", "Close an account in three steps"),
    item("#token-title", "Try it on this page"),
    ...groups.map(({ anchor, name, routes }) =>
      item(
        `#${anchor}`,
        name,
        `<ul>${routes.map((route) => item(`#${routeAnchor(route)}`, route.operation.summary ?? route.operation.operationId)).join("")}</ul>`
      )
    ),
    item("#objects", "Objects"),
    item("/docs/errors.md", "Errors, blockers, warnings"),
    item("/openapi.json", "OpenAPI document"),
    "</ul></nav>"
  ].join("\n")

const groupView = ({ anchor, description, name, routes }: Group, schemas: SharedSchemas, networks: ReadonlyArray<Network>): string =>
  `<section aria-labelledby="${anchor}"><h2 id="${anchor}">${escaped(name)}</h2><p>${line(description)}</p>` +
  `${routes.map((route) => routeView(route, schemas, networks)).join("\n")}</section>`

const isFailure = (name: string): boolean => /^(Failure|Error)[A-Z]|Error\d{3}$/.test(name)

const objects = (schemas: SharedSchemas): string =>
  "<section aria-labelledby=\"objects\"><h2 id=\"objects\">Objects</h2><p>The objects that requests and answers contain, by name.</p>" +
  `${
    Object.entries(schemas).filter(([name]) => !isFailure(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) =>
      schemaView(name, schema)
    ).join("\n")
  }</section>`

/** The documentation page: the close loop, every route with a form to call it, and every object. */
export const docsPage = (
  document: OpenApi.OpenAPISpec,
  networks: ReadonlyArray<Network>
): HttpServerResponse.HttpServerResponse => {
  const routes = routesOf(document)
  const groups = groupsOf(document, routes)
  const schemas: SharedSchemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]): readonly [string, Shape] => [name, { ...schema }])
  )
  const body = [
    "<div class=\"page\"><header><h1>Account Close-out API</h1>",
    "<p>Closes an account of the Stellar network: reads everything it holds, plans the close, and builds every unsigned transaction. You verify, sign and submit.</p>",
    "</header>",
    contents(groups),
    "<main>",
    loopView(routes, networks),
    tokenField,
    ...groups.map((group) => groupView(group, schemas, networks)),
    objects(schemas),
    "</main></div>"
  ].join("\n")
  return htmlPage({ title: "API documentation", body, style: docsStyle, script: docsScript })
}
