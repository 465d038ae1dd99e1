import type { Mutation } from "./Case.ts"
import { ofAddedOperations } from "./mutations/OfAddedOperations.ts"
import { ofCalls } from "./mutations/OfCalls.ts"
import { ofEnvelope } from "./mutations/OfEnvelope.ts"
import { ofLumens } from "./mutations/OfLumens.ts"
import { ofSales } from "./mutations/OfSales.ts"

/** Every way to change a transaction that is tried. */
export const mutations: ReadonlyArray<Mutation> = [...ofEnvelope, ...ofAddedOperations, ...ofLumens, ...ofSales, ...ofCalls]
