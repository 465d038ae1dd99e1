import type { Prompt } from "@effect/cli"
import { Effect } from "effect"
import type { CloseOptions } from "../client/CloseOptions.ts"
import type { Question } from "../client/Question.ts"
import { type GivenDecisions, mostSpent } from "./DecisionOptions.ts"
import { askQuestion } from "./QuestionPrompt.ts"

/** The option that confirms the destination that was named, and nothing else. */
const ownDestination = ({ id, options }: Question, destination: string): string | null =>
  id === `destination:${destination}` ? options.find(({ effect, needs }) => effect === "consents" && needs.length === 0)?.id ?? null : null

interface Answering {
  readonly given: GivenDecisions
  readonly destination: string
  readonly mayAsk: boolean
}

/** Answers the questions of a close: by what was given beforehand, then by asking, and without a terminal only that the destination is meant. */
export const answersOf = ({ destination, given, mayAsk }: Answering) =>
  Effect.map(Effect.context<Prompt.Prompt.Environment>(), (prompts): NonNullable<CloseOptions["decide"]> => {
    let asked = 0
    return (question) => {
      const typed = question.reason === "unanswered" ? given.typed.find(({ id }) => id === question.id) : undefined
      const option = question.options.find(({ id }) => id === typed?.choice)
      if (typed !== undefined && (option === undefined || mostSpent(option) === null)) return typed.choice
      return mayAsk ? Effect.provide(askQuestion(question, ++asked), prompts) : ownDestination(question, destination)
    }
  })
