import type { HttpApiError } from "@effect/platform"
import type { ParameterFailure } from "../../api/Parameter.ts"
import { BadRequest, MissingParameters } from "../../domain/failure/Input.ts"
import type { Place } from "./Place.ts"
import type { Given } from "./Target.ts"

/** The parameters that a request came with. */
export interface Parameters {
  readonly path: Readonly<Record<string, string>>
  readonly query: Given
}

const isEmpty = (value: string | ReadonlyArray<string> | undefined): boolean => [value ?? ""].flat()[0] === ""

/** What the platform could not decode, as the failure that the contract has for it: of the first parameter that is wrong, by its annotation. */
export const decodeFailure = (
  { refusals, required }: Place,
  { path, query }: Parameters,
  { issues: [issue] }: HttpApiError.HttpApiDecodeError
): ParameterFailure => {
  const name = String(issue?.path[0] ?? "")
  const missing = Object.hasOwn(path, name) ? [] : required.filter((one) => isEmpty(query[one]))
  if (missing.length > 0) return new MissingParameters({ missing })
  const value = Object.hasOwn(path, name) ? path[name] : query[name]
  const wrong = { name, text: typeof value === "string" ? value : null, problem: issue?.message ?? "" }
  return refusals.get(name)?.(wrong) ?? new BadRequest({ reason: "The parameters are not valid. See /openapi.json for them." })
}
