import type { Mutation } from "./Case.ts"
import { ofAddedOperations } from "./mutations/OfAddedOperations.ts"
import { ofCalls } from "./mutations/OfCalls.ts"
import { ofEnvelope } from "./mutations/OfEnvelope.ts"
import { ofLumens } from "./mutations/OfLumens.ts"
import { ofSales } from "./mutations/OfSales.ts"

/** Every mutation of a transaction, by the part that it changes. */
export const areas: Readonly<Record<string, ReadonlyArray<Mutation>>> = {
  "what surrounds the operations": ofEnvelope,
  "operations that nobody asked for": ofAddedOperations,
  "where lumens and assets go": ofLumens,
  "what assets are sold and bought for": ofSales,
  "what contracts are called for": ofCalls
}

export const mutations: ReadonlyArray<Mutation> = Object.values(areas).flat()
