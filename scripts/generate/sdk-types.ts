import { generatedNotice } from './markdown.ts'

/**
 * The parts of a JSON Schema that are used. No keyword that changes the type may be ignored, see
 * KEYWORDS.
 */
export interface JsonSchema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  title?: string
  description?: string
  deprecated?: boolean
  format?: string
  /** Only where components are declared: `#/components/schemas/Name`. */
  $ref?: string
}

/** Keywords that the types show, and those that refine a value beyond its type. */
const KEYWORDS = new Set([
  ...'type const enum anyOf items properties required patternProperties'.split(' '),
  ...'additionalProperties title description deprecated format default examples'.split(' '),
  ...'pattern minLength maxLength minItems maxItems uniqueItems minProperties'.split(' '),
  ...'maxProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' '),
])

const SCALARS: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * Position of a schema, and the declarations of titled schemas, by title, for the whole document.
 */
export interface SchemaPosition {
  path: string
  depth: number
  declarations: Map<string, string>
  /** Names that must not be declared. */
  takenNames?: ReadonlySet<string>
  /** Schemas that are referred to by name and declared elsewhere. */
  components?: ReadonlySet<string>
  /** Prefix of the names of components. */
  namespace?: string
}

/** Returns the notice of generated documents as a comment of code. */
export function codeNotice(source: string): string {
  return generatedNotice(source).replace(/^<!-- (.*) -->$/, '// $1')
}

/** Returns the type of values that match a schema. */
export function typeOf(schema: JsonSchema, position: SchemaPosition): string {
  return unionOf(membersOf(schema, position))
}

function unionOf(types: readonly string[]): string {
  const members = new Set(types)
  // null reads best at the end.
  if (members.delete('null')) members.add('null')
  return [...members].join(' | ')
}

/** Returns the members of the union. A titled schema is declared once and named. */
function membersOf(schema: JsonSchema, position: SchemaPosition): string[] {
  if (position.components !== undefined && schema.$ref !== undefined) {
    return [nameOfComponent(schema.$ref, position)]
  }
  const isRead = (keyword: string): boolean => KEYWORDS.has(keyword) || keyword.startsWith('x-')
  const unread = Object.keys(schema).find((keyword) => !isRead(keyword))
  if (unread !== undefined) throw new Error(`${position.path}: no type is made of "${unread}".`)
  const solid = withoutNull(schema)
  const { title } = solid
  const members =
    title === undefined ? untitledMembersOf(solid, position) : [declareType(solid, title, position)]
  return solid === schema ? members : [...members, 'null']
}

function nameOfComponent(
  ref: string,
  { path, components, namespace = '' }: SchemaPosition,
): string {
  const name = ref.replace('#/components/schemas/', '')
  if (!components?.has(name)) throw new Error(`${path}: there is no component "${ref}".`)
  return `${namespace}${name}`
}

/** Returns a nullable schema without null; any other schema is unchanged. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema
  if (!Array.isArray(type) || !type.includes('null')) return schema
  const solid = { ...rest, type: type.filter((name) => name !== 'null') }
  return values === undefined ? solid : { ...solid, enum: values.filter((value) => value !== null) }
}

function untitledMembersOf(schema: JsonSchema, position: SchemaPosition): string[] {
  if ('const' in schema) return [JSON.stringify(schema.const)]
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value))
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((member) => membersOf(member, position))
  if (schema.type === undefined) return ['unknown']
  return [schema.type].flat().map((type) => {
    if (type === 'string' && schema.format === 'binary') return 'Blob'
    if (type === 'object') return objectType(schema, position)
    if (type === 'array')
      return `(${typeOf(schema.items ?? {}, positionInside(position, '[]', 0))})[]`
    const scalar = SCALARS[type]
    if (scalar === undefined) throw new Error(`${position.path}: there is no type "${type}".`)
    return scalar
  })
}

function positionInside(position: SchemaPosition, step: string, levels: number): SchemaPosition {
  return { ...position, path: `${position.path}${step}`, depth: position.depth + levels }
}

/** Declares the type of a titled schema once, and returns its name. */
function declareType(schema: JsonSchema, title: string, position: SchemaPosition): string {
  const { path, declarations, takenNames } = position
  if (!/^[A-Z][A-Za-z0-9]*$/.test(title) || takenNames?.has(title)) {
    throw new Error(`${path}: the title "${title}" cannot be the name of a type.`)
  }
  const members = untitledMembersOf(schema, { ...position, depth: 1 })
  const isInterface = members.length === 1 && members[0]?.startsWith('{')
  const start = isInterface ? `export interface ${title}` : `export type ${title} =`
  const declaration = `${docComment(remarksOf(schema), '')}${start} ${unionOf(members)}`
  const known = declarations.get(title)
  if (known !== undefined && known !== declaration) {
    throw new Error(`${path}: another schema has the title "${title}" too, and differs.`)
  }
  declarations.set(title, declaration)
  return title
}

function objectType(schema: JsonSchema, position: SchemaPosition): string {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
  const others = [additionalProperties, ...Object.values(patternProperties)].filter(
    (other) => typeof other === 'object',
  )
  const named = Object.entries(properties)
  if (named.length === 0) {
    const values = others.flatMap((other) => membersOf(other, positionInside(position, '.*', 0)))
    if (values.length === 0) values.push(additionalProperties === false ? 'never' : 'unknown')
    return `Record<string, ${unionOf(values)}>`
  }
  const indent = '  '.repeat(position.depth)
  const lines = named.map(([name, property]) => {
    const key = required.includes(name) ? JSON.stringify(name) : `${JSON.stringify(name)}?`
    const type = typeOf(property, positionInside(position, `.${name}`, 1))
    return `${docComment(remarksOf(property), indent)}${indent}${key}: ${type}\n`
  })
  // Not the type of the other properties, to which the named ones would have to conform.
  if (others.length > 0) lines.push(`${indent}[name: string]: unknown\n`)
  return `{\n${lines.join('')}}`
}

export function remarksOf({ description, format, deprecated }: JsonSchema): string[] {
  const remarks = description === undefined ? [] : [description]
  if (format !== undefined) remarks.push(`@format ${format}`)
  if (deprecated === true) remarks.push('@deprecated')
  return remarks
}

/**
 * Formats a JSDoc comment of these paragraphs with lines of at most 100 characters, or an empty
 * text.
 */
export function docComment(remarks: readonly string[], indent: string): string {
  if (remarks.length === 0) return ''
  const safe = remarks.map((remark) => remark.replaceAll('*/', '*\\/'))
  const width = 100 - indent.length - ' * '.length
  const lines = safe.flatMap((remark) => wrapText(remark, width))
  const short = `${indent}/** ${lines[0]} */`
  if (lines.length === 1 && short.length <= 100) return `${short}\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.trim().split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
