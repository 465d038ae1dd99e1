/** A fenced block of a page. */
export interface Block {
  readonly page: string
  readonly line: number
  /** The heading above it. */
  readonly section: string
  readonly language: string
  /** The file name that the page states; null where it states none. */
  readonly file: string | null
  readonly text: string
  /** The block directly before; null where other text stands between. */
  readonly follows: Block | null
}

const fence = /^( *)```(\S*)(?: (\S+))?\n([^]*?)^\1```$/gm

const withoutIndent = (text: string, indent: string): string =>
  text.split("\n").map((one) => one.slice(one.startsWith(indent) ? indent.length : 0)).join("\n")

/** Where each block ends in its page. */
const ends = new WeakMap<Block, number>()

/** The fenced blocks of a page, in its order. */
export const blocksOf = (page: string, text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  for (const { 0: whole, 1: indent = "", 2: language = "", 3: file, 4: body = "", index } of text.matchAll(fence)) {
    const before = text.slice(0, index)
    const last = blocks.at(-1) ?? null
    const between = last === null ? "" : text.slice(ends.get(last), index)
    const block: Block = {
      page,
      line: before.split("\n").length,
      section: [...before.matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? "",
      language,
      file: file ?? null,
      text: withoutIndent(body, indent),
      follows: between.trim() === "" ? last : null
    }
    ends.set(block, index + whole.length)
    blocks.push(block)
  }
  return blocks
}

/** A command of a reader, and the answer that the page shows. */
export interface Command {
  readonly page: string
  readonly line: number
  readonly section: string
  readonly code: string
  readonly answer: string | null
}

/** The commands of a terminal block: each begins with `$`, and its answer follows. */
const dialogue = (block: Block): ReadonlyArray<Command> =>
  block.text.split(/^\$ /m).slice(1).map((part) => {
    const [code = "", ...answer] = part.trimEnd().split("\n")
    return { ...block, code, answer: answer.length === 0 ? null : answer.join("\n") }
  })

/** The commands of a page: `sh` with the `json` that directly follows it, and `console`. */
export const commandsOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<Command> =>
  blocks.flatMap((block) => {
    if (block.language === "console") return dialogue(block)
    if (block.language !== "sh" || block.file !== null) return []
    const answer = blocks.find(({ follows, language }) => follows === block && language === "json")
    return [{ ...block, code: block.text, answer: answer?.text ?? null }]
  })
