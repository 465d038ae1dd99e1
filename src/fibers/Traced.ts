import { Effect, FiberRef, type Tracer } from "effect"

/** What a span says besides its name: never an address, a query or a body. */
export interface Traits extends Pick<Tracer.SpanOptions, "kind" | "root"> {
  readonly attributes?: Readonly<Record<string, string>>
}

/** Whether traces are collected, where this is run. */
const isTracing = (refs: { readonly getFiberRef: <A>(ref: FiberRef.FiberRef<A>) => A }): boolean =>
  refs.getFiberRef(FiberRef.currentTracerEnabled)

/** What is to be done with work only where traces are collected. */
export const whereTraced =
  <A, E, R>(change: (work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => (work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime<A, E, R>((fiber) => (isTracing(fiber) ? change(work) : work))

/** A span around some work while traces are collected (`src/tracing`). Otherwise it is the work alone: no span is made, and no trait looked at. */
export const traced =
  (name: string, traits: () => Traits = () => ({})) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime<A, E, R>((fiber) =>
      isTracing(fiber)
        // Work that needs a span above it finds one, and needs nothing else than before.
        ? Effect.withSpan(work, name, { ...traits(), captureStackTrace: false }) as Effect.Effect<A, E, R>
        : work
    )

/** Says something more of the span that is open, where traces are collected. */
export const annotated = (name: string, value: string | number): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => (isTracing(fiber) ? Effect.annotateCurrentSpan(name, value) : Effect.void))
