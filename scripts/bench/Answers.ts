import { Schema } from "effect"
import { Decision } from "../../src/domain/Decision.ts"
import type { Plan } from "../../src/domain/Plan.ts"

type Point = Plan["decisionPoints"][number]

/** The recommended option, or else the first without further needs. */
export const chosenOf = <Option extends { readonly recommended?: boolean; readonly needs: ReadonlyArray<unknown> }>(
  options: ReadonlyArray<Option>
): Option | undefined => options.find(({ recommended = false }) => recommended) ?? options.find(({ needs }) => needs.length === 0)

const encoded = Schema.encodeSync(Decision)

/** A client's answers to every required question, and to those that `also` names. */
export const answersTo = ({ decisionPoints }: Plan, also: (point: Point) => boolean = () => false) =>
  decisionPoints.filter((point) => point.required || also(point)).flatMap(({ id, options }) => {
    const chosen = chosenOf(options)
    return chosen === undefined
      ? []
      : [encoded({ id, choice: chosen.id, ...(chosen.params === undefined ? {} : { params: chosen.params }) })]
  })
