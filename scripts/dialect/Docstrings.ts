import { riddles } from "./Riddles.ts"

const docstring = /\/\*\*[^]*?\*\//g

/** A docstring with each code span replaced by as many characters, so that positions stay. */
const proseOf = (text: string): string => text.replaceAll(/`[^`\n]*`/g, (code) => "x".repeat(code.length))

/** A phrase may go over the end of a line, where an asterisk stands between its words. */
const acrossLines = ({ source }: RegExp): RegExp => new RegExp(source.replaceAll(" ", "[\\s*]+"), "gi")

/** Words and phrases in the docstrings of a source file that texts for readers do not use, one line each. */
export const docstringBreaches = (path: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(docstring)].flatMap(({ 0: text, index }) =>
    riddles.flatMap(({ instead, pattern }) =>
      [...proseOf(text).matchAll(acrossLines(pattern))].map((match) =>
        `${path}:${source.slice(0, index + match.index).split("\n").length}: "${match[0].replaceAll(/[\s*]+/g, " ")}"; write ${instead}`
      )
    )
  )
