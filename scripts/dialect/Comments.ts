import { riddles } from "./Riddles.ts"

/** Docstrings, and runs of line comments; two slashes within a line of code or text do not count. */
const comment = /\/\*\*[^]*?\*\/|(?<=^|\n)[ \t]*\/\/ .*(?:\n[ \t]*\/\/ .*)*/g

/** A comment with each code span replaced by as many other characters, so that positions stay. */
const proseOf = (text: string): string => text.replaceAll(/`[^`\n]*`/g, (code) => "x".repeat(code.length))

/** A phrase may cross the end of a line, where an asterisk or slashes stand between its words. */
const acrossLines = ({ source }: RegExp): RegExp => new RegExp(source.replaceAll(" ", "[\\s*/]+"), "gi")

/** Words and phrases in a source file's comments that texts for readers avoid, one line each. */
export const commentBreaches = (path: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(comment)].flatMap(({ 0: text, index }) =>
    riddles.flatMap(({ instead, pattern }) =>
      [...proseOf(text).matchAll(acrossLines(pattern))].map((match) =>
        `${path}:${source.slice(0, index + match.index).split("\n").length}: "${match[0].replaceAll(/[\s*/]+/g, " ")}"; write ${instead}`
      )
    )
  )
