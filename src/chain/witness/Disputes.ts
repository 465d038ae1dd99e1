import type { SourcesDisagree } from "../../domain/failure/Upstream.ts"
import type { Contradiction } from "./Statement.ts"
import { partsOf, type Question } from "./Verdict.ts"

/** Parts of statements that are remembered. */
const most = 20_000

/** What was contradicted and no one agreed to since: the silence of all others does not settle it. */
export class Disputes {
  readonly #open = new Map<string, SourcesDisagree>()

  /** Remembers what someone contradicts. */
  add({ failure, part }: Contradiction): void {
    if (this.#open.size >= most) this.#open.clear()
    this.#open.set(part, failure)
  }

  /** Forgets what someone agrees to now. */
  settle(question: Question): void {
    if (this.#open.size === 0) return
    for (const part of partsOf(question)) this.#open.delete(part)
  }

  /** How a part of a question was contradicted at last; undefined: none was. */
  about(question: Question): SourcesDisagree | undefined {
    if (this.#open.size === 0) return undefined
    return partsOf(question).map((part) => this.#open.get(part)).find((failure) => failure !== undefined)
  }
}
