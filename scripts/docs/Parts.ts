import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { readFileSync } from "node:fs"
import { Api } from "../../src/api/Api.ts"
import { notYetRoutes } from "../../src/http/NotYet.ts"

/** The routes that are declared and not built yet, as a list. */
export const routesToCome = (): string => {
  const later = new Set<string>(notYetRoutes)
  const routes: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (Option.exists(Context.getOption(endpoint.annotations, OpenApi.Identifier), (id) => later.has(id))) {
        routes.push(`\`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}\``)
      }
    }
  })
  return `${routes.join(",\n")}.`
}

/** A file of the example of a team's package, which the tests run. */
export const exampleFile = (name: string): string =>
  `\`\`\`ts\n${readFileSync(new URL(`../../test/outside/package/${name}`, import.meta.url), "utf8").trim()}\n\`\`\``

/** A page with what stands between two marks of this name replaced. */
export const filled = (text: string, name: string, content: string): string => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`there is no place for ${name}`)
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}
