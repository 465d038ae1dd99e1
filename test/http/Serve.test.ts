import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  HttpClientRequest
} from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { Api } from "../../src/api/Api.ts"
import { Checked } from "../../src/api/Checked.ts"
import { parameter, parameters, type Refusal } from "../../src/api/Parameter.ts"
import { bodyFailures, everyRouteFailures } from "../../src/api/RouteFailures.ts"
import { SessionAuth } from "../../src/api/Security.ts"
import { BadRequest } from "../../src/domain/failure/Input.ts"
import { PlanBlocked } from "../../src/domain/failure/Planning.ts"
import { Unauthorized } from "../../src/domain/failure/Request.ts"
import { optional } from "../../src/domain/OptionalField.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import { withBody } from "../../src/http/request/Body.ts"
import { serve } from "../../src/http/Serve.ts"
import { get, keys, postJson, send, settings } from "../support/TestHttp.ts"

const refused: Refusal = ({ name, text }) => new BadRequest({ reason: `${name} is wrong: ${text ?? "several"}` })

/** A schema of a text that counts its decodes and encodes. */
const counting = () => {
  const passed = { decoded: 0, encoded: 0 }
  const schema = Schema.transform(Schema.String, Schema.String, {
    strict: true,
    decode: (text) => `${text} decoded ${++passed.decoded}`,
    encode: (text) => `${text} encoded ${++passed.encoded}`
  })
  return { passed, schema }
}

/** The layers that a served API needs besides its handlers. */
const around = Layer.mergeAll(RateLimitStore.layerMemory, keys, settings({}), NodeHttpServer.layerTest)

describe("a request", () => {
  it.effect("has its path, query and body decoded once, and its answer encoded once", () => {
    const [path, query, body, answer] = [counting(), counting(), counting(), counting()]
    const Text = Schema.Struct({ text: body.schema })
    const endpoint = HttpApiEndpoint.post("echo", "/echo/:name")
      .setPath(parameters({ name: parameter(path.schema, refused) }))
      .setUrlParams(parameters({ times: optional(parameter(query.schema, refused)) }))
      .setPayload(Text)
      .addSuccess(Schema.Struct({ all: Schema.Array(answer.schema) }), { status: 201 })
      .addError(bodyFailures)
      .addError(everyRouteFailures)
    const api = HttpApi.make("counted").add(HttpApiGroup.make("one").add(endpoint).middleware(Checked))
    const served = serve(
      api,
      HttpApiBuilder.group(api, "one", (handlers) =>
        handlers.handleRaw(
          "echo",
          withBody(Text, ({ path, payload, urlParams }) => Effect.succeed({ all: [path.name, urlParams.times ?? "", payload.text] }))
        ))
    )
    return Effect.gen(function*() {
      const { json, status } = yield* send(postJson("/echo/p?times=q", { text: "b" }))
      assert.strictEqual(status, 201)
      assert.deepStrictEqual(json, { all: ["p decoded 1 encoded 1", "q decoded 1 encoded 2", "b decoded 1 encoded 3"] })
      assert.deepStrictEqual([path, query, body].map(({ passed }) => passed), Array.from({ length: 3 }, () => ({ decoded: 1, encoded: 0 })))
    }).pipe(Effect.provide(Layer.fresh(served.pipe(Layer.provideMerge(around)))))
  })

  it.effect("with a wrong parameter gets the failure that its schema is annotated with, the path first", () => {
    const word = parameter(Schema.String.pipe(Schema.pattern(/^[a-z]+$/)), refused)
    const endpoint = HttpApiEndpoint.get("find", "/find/:name")
      .setPath(parameters({ name: word }))
      .setUrlParams(parameters({ also: optional(word) }))
      .addSuccess(HttpApiSchema.Text({ contentType: "text/plain" }))
    const api = HttpApi.make("words").add(HttpApiGroup.make("one").add(endpoint).middleware(Checked))
    const served = serve(
      api,
      HttpApiBuilder.group(api, "one", (handlers) => handlers.handle("find", ({ path }) => Effect.succeed(path.name)))
    )
    const answer = (path: string) =>
      Effect.map(send(get(path)), ({ json, text }) => (json === undefined ? text : JSON.parse(text).error.message))
    return Effect.gen(function*() {
      assert.strictEqual(yield* answer("/find/abc?also=d"), "abc")
      assert.strictEqual(yield* answer("/find/1?also=2"), "name is wrong: 1")
      assert.strictEqual(yield* answer("/find/abc?also=2"), "also is wrong: 2")
      assert.strictEqual(yield* answer("/find/abc?also=d&also=e"), "also is wrong: several")
    }).pipe(Effect.provide(Layer.fresh(served.pipe(Layer.provideMerge(around)))))
  })

  it.effect("reaches no handler past what guards its group", () => {
    let reached = 0
    const endpoint = HttpApiEndpoint.get("read", "/read").addSuccess(Schema.Struct({}))
    const api = HttpApi.make("guarded").add(HttpApiGroup.make("one").add(endpoint).middleware(Checked).middleware(SessionAuth))
    const served = serve(
      api,
      HttpApiBuilder.group(api, "one", (handlers) => handlers.handle("read", () => Effect.sync(() => ({ reached: ++reached }))))
    )
    const only = Layer.succeed(SessionAuth, {
      session: (token) => (Redacted.value(token) === "right" ? Effect.void : Effect.fail(new Unauthorized()))
    })
    return Effect.gen(function*() {
      for (const request of [get("/read"), HttpClientRequest.bearerToken(get("/read"), "wrong")]) {
        assert.strictEqual((yield* send(request)).status, 401)
      }
      assert.strictEqual(reached, 0)
      assert.strictEqual((yield* send(HttpClientRequest.bearerToken(get("/read"), "right"))).status, 200)
      assert.strictEqual(reached, 1)
    }).pipe(Effect.provide(Layer.fresh(served.pipe(Layer.provide(only), Layer.provideMerge(around)))))
  })
})

class Curfew extends HttpApiMiddleware.Tag<Curfew>()("test/Curfew") {}

class Cookie extends HttpApiMiddleware.Tag<Cookie>()("test/Cookie", {
  security: { cookie: HttpApiSecurity.apiKey({ in: "cookie", key: "k" }) }
}) {}

describe("what guards a group", () => {
  it.effect("keeps the service from starting where it would not be honoured", () =>
    Effect.gen(function*() {
      const group = HttpApiGroup.make("one").add(HttpApiEndpoint.get("read", "/read").addSuccess(Schema.Struct({}))).middleware(Checked)
      const [a, b] = [HttpApi.make("a").add(group.middleware(Curfew)), HttpApi.make("b").add(group.middleware(Cookie))]
      const curfew = serve(a, HttpApiBuilder.group(a, "one", (handlers) => handlers.handle("read", () => Effect.succeed({}))))
      const cookie = serve(b, HttpApiBuilder.group(b, "one", (handlers) => handlers.handle("read", () => Effect.succeed({}))))
      const open = [
        Layer.provide(curfew, Layer.succeed(Curfew, Effect.void)),
        Layer.provide(cookie, Layer.succeed(Cookie, { cookie: () => Effect.void }))
      ]
      for (const served of open) {
        const exit = yield* Effect.exit(Layer.build(Layer.fresh(Layer.provide(served, around))))
        const why = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it started"
        assert.match(why, /test\/(Curfew is no check of a|Cookie has no check of a bearer) token/)
      }
    }).pipe(Effect.scoped))
})

describe("the compiler", () => {
  const unrefused = HttpApiEndpoint.get("read", "/read/:name").setPath(Schema.Struct({ name: Schema.String }))
  const refusing = HttpApiEndpoint.get("read", "/read/:name").setPath(parameters({ name: parameter(Schema.String, refused) }))
  const bare = HttpApi.make("bare").add(HttpApiGroup.make("one").add(unrefused))
  const good = HttpApi.make("good").add(HttpApiGroup.make("one").add(refusing))

  it("refuses a parameter without its failure, where it is declared and where routes are collected", () => {
    // @ts-expect-error a schema is no parameter before it says its failure
    const declared = parameters({ name: Schema.String })
    // @ts-expect-error nor is one that may be left out
    const left = parameters({ name: optional(Schema.String) })
    // @ts-expect-error nor is a path that was made of plain schemas
    const served = serve(bare, HttpApiBuilder.group(bare, "one", (handlers) => handlers.handle("read", () => Effect.void)))
    // The same path with a parameter that declares its failure compiles, so nothing else is wrong with it.
    serve(good, HttpApiBuilder.group(good, "one", (handlers) => handlers.handle("read", () => Effect.void)))
    assert.isTrue([declared, left, served].every((made) => made !== undefined))
  })

  it("refuses an API whose guards nobody provides", () => {
    const read = HttpApiEndpoint.get("read", "/read").addSuccess(Schema.Struct({}))
    const api = HttpApi.make("guarded").add(HttpApiGroup.make("one").add(read).middleware(SessionAuth))
    const served = serve(api, HttpApiBuilder.group(api, "one", (handlers) => handlers.handle("read", () => Effect.succeed({}))))
    // @ts-expect-error no guard checks the token of a session
    const open: Layer.Layer<never, unknown, Layer.Layer.Success<typeof around>> = served
    assert.isDefined(open)
  })

  it("refuses a handler that fails with what its endpoint does not declare, and a group without handlers", () => {
    // @ts-expect-error a plan never fails on a blocker: the plan lists it
    const plan = HttpApiBuilder.handler(Api, "close", "plan", () => Effect.fail(new PlanBlocked({ blockers: [] })))
    // @ts-expect-error some groups have no handlers
    const all = serve(Api, HttpApiBuilder.group(Api, "config", (handlers) => handlers.handle("exchangeRegistry", () => Effect.never)))
    const group = HttpApiBuilder.group(
      Api,
      "myKeys",
      // @ts-expect-error a key cannot be listed without an answer
      (handlers) => handlers.handle("create", () => Effect.never).handle("revoke", () => Effect.never).handle("rotate", () => Effect.never)
    )
    assert.isTrue([plan, all, group].every((made) => made !== undefined))
  })
})
