import { readFileSync } from "node:fs"

/** A file of the example of a team's package, which the tests run. */
export const exampleFile = (name: string): string =>
  `\`\`\`ts\n${readFileSync(new URL(`../../test/outside/package/${name}`, import.meta.url), "utf8").trim()}\n\`\`\``

/** A page with the text between two marks of this name replaced. */
export const filled = (text: string, name: string, content: string): string => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`there is no place for ${name}`)
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}
