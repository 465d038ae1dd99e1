import { Option, Schema, SchemaAST } from "effect"
import type * as Input from "../domain/failure/Input.ts"

type InputFailures = typeof Input

/** What a request with a wrong value may be answered with. */
export type ParameterFailure = InstanceType<InputFailures[keyof InputFailures]>

/** A parameter that its schema does not accept. */
export interface WrongParameter {
  readonly name: string
  /** As it was sent, decoded; null where it was given more than once. */
  readonly text: string | null
  /** What its schema says of it. */
  readonly problem: string
}

/** Makes the failure of a parameter that its schema does not accept. */
export type Refusal = (wrong: WrongParameter) => ParameterFailure

const refusal = Symbol.for("closeout/api/Refusal")

/** The failure that a schema is annotated with; none where it is no parameter's. */
export const refusalOf: (annotated: SchemaAST.Annotated) => Option.Option<Refusal> = SchemaAST.getAnnotation<Refusal>(refusal)

/** The schema of a parameter of a path or query, with the failure of who gives a wrong one. */
export type Parameter<A, I extends string> = Schema.Schema<A, I> & { readonly refusal: Refusal }

/** The name of a schema as an annotation: others would take it away. */
export const nameOf = ({ ast }: Schema.Schema.All) =>
  Option.match(SchemaAST.getIdentifierAnnotation(ast), { onNone: () => ({}), onSome: (identifier) => ({ identifier }) })

/** Makes a schema that of a parameter, by saying which failure a wrong one is. */
export const parameter = <A, I extends string>(schema: Schema.Schema<A, I>, refused: Refusal): Parameter<A, I> =>
  Object.assign(schema.annotations({ ...nameOf(schema), [refusal]: refused }), { refusal: refused })

declare const refused: unique symbol

/** The mark of a path or query whose every parameter has its failure. Nothing bears it at run time: it is for the compiler. */
export interface Refused {
  readonly [refused]?: never
}

/** Whether a path or query was declared with anything but `parameters`. */
export type IsBare<Values> = [Values] extends [never] ? false : typeof refused extends keyof Values ? false : true

type AnyParameter = Schema.Schema.All & { readonly refusal: Refusal }

type Fields = Readonly<Record<string, AnyParameter | Schema.optionalWith<AnyParameter, { exact: true }>>>

/** A path or query of these parameters. One without its failure does not compile. */
export const parameters = <const F extends Fields>(fields: F) =>
  Schema.make<Schema.Struct.Type<F> & Refused, Schema.Struct.Encoded<F>>(Schema.Struct(fields).ast)
