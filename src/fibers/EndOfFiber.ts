import { Effect, Fiber } from "effect"

/**
 * What a fiber ends with. It is awaited, never joined: a join would hand the work's fiber refs to whoever waits, and with them log annotations,
 * spans and context, which costs time besides.
 */
export const endOfFiber = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> => Effect.flatten(Fiber.await(fiber))
