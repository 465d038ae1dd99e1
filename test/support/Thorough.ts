import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** True in `npm run test:deep`. */
    readonly thorough: boolean
  }
}

/** True in `npm run test:deep`, which runs every case; `npm test` runs representative ones. */
export const isThorough: boolean = inject("thorough")

/** The first cases in `npm test`, all of them in `npm run test:deep`. */
export const firstOf = <A>(count: number, cases: ReadonlyArray<A>): ReadonlyArray<A> => (isThorough ? cases : cases.slice(0, count))
