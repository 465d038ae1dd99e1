/** The parts of the API document's schemas that requests and checks use. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Shape | boolean
  readonly allOf?: ReadonlyArray<Shape>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly oneOf?: ReadonlyArray<Shape>
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

export type Shapes = Readonly<Record<string, Shape>>

/** The name in a reference to a shared schema. */
export const nameOf = (ref: string): string => ref.split("/").at(-1) ?? ""

/** An operation of the document. */
export interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Shape }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Shape }>> }>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Shapes }
}
