import { Prompt } from "@effect/cli"
import { Effect } from "effect"
import { brief } from "../client/BriefAmount.ts"
import { choiceName } from "../client/ChoiceName.ts"
import { type Decided, neededOf, type Question } from "../client/Question.ts"
import { displayed } from "./Foreign.ts"
import { questionText } from "./QuestionText.ts"
import { print } from "./Screen.ts"

type Option = Question["options"][number]

/** A choice that is none of the options. */
const noAnswer = "none"

/** Prompts for the params that a choice needs. The service may need others, which are called by their name. */
const wanted: Readonly<Record<string, string>> = {
  destination: "Which address gets it (G... or M...)",
  newSponsor: "Which account pays the reserve from now on (G...)",
  minReceive: "The least lumens that the sale must bring",
  spendAsset: "What is spent (native or CODE:ISSUER)",
  maxSpend: "The most that is spent"
}

const numbers: ReadonlySet<string> = new Set(["maxCount", "maxSlippageBps"])

const messageFor = (name: string, { params }: Option): string => {
  const message = wanted[name] ?? name
  return displayed(name === "minReceive" && params?.amount !== undefined ? `${message}, for ${brief(params.amount)} of it` : message)
}

/** The option as a decision, with what it still needs. */
const filledIn = (id: string, option: Option) =>
  Effect.map(
    Effect.forEach(neededOf(option), (name) =>
      Effect.map(
        Prompt.run(Prompt.text({ message: messageFor(name, option) })),
        (text) => [name, numbers.has(name) ? Number(text) : text.trim()] as const
      )),
    (added) => ({ id, choice: option.id, params: { ...option.params, ...Object.fromEntries(added) } })
  )

/** Shows a question and asks for its answer; null: it stays open. */
export const askQuestion = (question: Question, number: number): Effect.Effect<Decided, unknown, Prompt.Prompt.Environment> =>
  Effect.gen(function*() {
    yield* print(...questionText(question, number))
    const chosen = yield* Prompt.run(Prompt.select({
      message: "Your choice",
      choices: [
        ...question.options.map(({ id }) => ({ title: displayed(choiceName(id)), value: id })),
        { title: "None of these: stop here", value: noAnswer }
      ]
    }))
    const option = question.options.find(({ id }) => id === chosen)
    if (option === undefined) return null
    return option.needs.length === 0 ? option.id : yield* filledIn(question.id, option)
  })
