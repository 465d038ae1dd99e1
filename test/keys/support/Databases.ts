import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import * as KeyDatabase from "../../../src/keys/database/KeyDatabase.ts"
import { loopback, orSkipped } from "../../support/Loopback.ts"

type Opened = Layer.Layer<SqlClient.SqlClient, unknown>

/** A kind of database for keys. */
export interface Database {
  readonly name: string
  readonly isThere: boolean
  /** An empty database, deleted with the scope. Each build of the layer is another instance that opens it. */
  readonly fresh: Effect.Effect<Opened, unknown, Scope.Scope>
}

const sqlite: Database = {
  name: "SQLite",
  isThere: true,
  fresh: Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped()).pipe(
    Effect.map((directory) => Layer.fresh(KeyDatabase.layerFile(directory)).pipe(Layer.provide(NodeFileSystem.layer))),
    Effect.provide(NodeFileSystem.layer)
  )
}

const server = new URL(loopback.postgres ?? "postgres://none")

/** An empty database of the tests' PostgreSQL, deleted with the scope. */
export const databaseUrl = Effect.gen(function*() {
  const name = `closeout_test_${randomBytes(6).toString("hex")}`
  const admin = yield* Layer.build(Layer.fresh(KeyDatabase.layerPostgres(server)))
  const run = (statement: string) => Effect.provide(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)), admin)
  yield* Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () => Effect.ignore(run(`DROP DATABASE ${name} WITH (FORCE)`)))
  return new URL(`/${name}`, server).href
})

const postgres: Database = {
  name: orSkipped("PostgreSQL", "postgres"),
  isThere: loopback.postgres !== null,
  fresh: Effect.map(databaseUrl, (url) => Layer.fresh(KeyDatabase.layerPostgres(new URL(url))))
}

/** Every kind. */
export const databases: ReadonlyArray<Database> = [sqlite, postgres]
