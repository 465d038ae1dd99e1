import { riddles } from "./Riddles.ts"

/** Most words of a sentence on a page; tables and code do not count. */
export const mostWords = 25

/** Most sentences of a paragraph. */
export const mostSentences = 5

/** Consecutive lines that form one text: a paragraph, a list item or a table row. */
interface Block {
  readonly kind: "paragraph" | "item" | "row" | "heading"
  readonly line: number
  readonly lines: ReadonlyArray<string>
}

const kindOf = (line: string): Block["kind"] => {
  if (/^\s*(?:[*-]|\d+\.)\s/.test(line)) return "item"
  if (/^\s*\|/.test(line)) return "row"
  return line.startsWith("#") ? "heading" : "paragraph"
}

/** The blocks of a page, without code blocks and comments. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<{ kind: Block["kind"]; line: number; lines: Array<string> }> = []
  let fenced = false
  let open = false
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^\s*```/.test(line)
    if (fence) fenced = !fenced
    if (fenced || fence || line.trim() === "" || line.startsWith("<!--")) {
      open = false
      continue
    }
    const kind = kindOf(line)
    const last = blocks.at(-1)
    if (open && last !== undefined && kind === "paragraph" && (last.kind === "paragraph" || last.kind === "item")) last.lines.push(line)
    else blocks.push({ kind, line: index + 1, lines: [line] })
    open = true
  }
  return blocks
}

/** A block as one line, with each code span and link address replaced by as many other characters, so that positions stay. */
const proseOf = ({ lines }: Block): string =>
  lines.join("\n")
    .replaceAll(/`[^`]*`/g, (code) => `X${"x".repeat(code.length - 1)}`)
    .replaceAll(/\]\([^)\s]*\)/g, (link) => " ".repeat(link.length))
    .replaceAll(/https?:\S+/g, (link) => "x".repeat(link.length))
    .replaceAll(/[\n[*_]/g, " ")

const sentenceEnd = /(?<=[.!?]["')]?)\s+(?=["'(]?[A-Z0-9])/

/** Sentences with their position in the block. */
const sentencesOf = (prose: string): ReadonlyArray<{ readonly at: number; readonly words: ReadonlyArray<string> }> => {
  let at = 0
  return prose.split(sentenceEnd).map((sentence) => {
    const from = prose.indexOf(sentence, at)
    at = from + sentence.length
    return { at: from, words: sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word) && !/^\d+\.$/.test(word)) }
  })
}

/** Breaches of the rules for plain texts in a page, one line each, with file and line. */
export const proseBreaches = (path: string, text: string): ReadonlyArray<string> =>
  blocksOf(text).flatMap((block) => {
    const prose = proseOf(block)
    const lineAt = (position: number): number => block.line + block.lines.join("\n").slice(0, position).split("\n").length - 1
    const words = riddles.flatMap(({ instead, pattern }) =>
      [...prose.matchAll(new RegExp(pattern.source.replaceAll(" ", "\\s+"), "gi"))].map((match) =>
        `${path}:${lineAt(match.index)}: "${match[0].replaceAll(/\s+/g, " ")}"; write ${instead}`
      )
    )
    if (block.kind === "row" || block.kind === "heading") return words
    const sentences = sentencesOf(prose)
    const long = sentences.filter((sentence) => sentence.words.length > mostWords).map((sentence) =>
      `${path}:${lineAt(sentence.at)}: ${sentence.words.length} words in a sentence (at most ${mostWords}): "${
        block.lines.join(" ").slice(sentence.at).split(/\s+/).slice(0, 6).join(" ")
      } ..."`
    )
    const many = block.kind === "paragraph" && sentences.length > mostSentences
      ? [`${path}:${block.line}: ${sentences.length} sentences in a paragraph (at most ${mostSentences})`]
      : []
    return [...words, ...long, ...many]
  })
