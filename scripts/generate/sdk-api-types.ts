import { ERROR_TYPES } from '@salus/kernel/errors.registry'
import { formatTypeScript } from './format.ts'
import { joinParts } from './markdown.ts'
import {
  isOfSeries,
  listSdkOperations,
  type OpenApiDocument,
  type SdkOperation,
  toTitleCase,
} from './sdk-operations.ts'
import {
  codeNotice,
  docComment,
  type JsonSchema,
  remarksOf,
  type SchemaPosition,
  typeOf,
} from './sdk-types.ts'

/** Generates packages/sdk/src/api/types.generated.ts: bodies and responses of the API. */
export function describeSdkApiTypes(document: OpenApiDocument): string {
  const operations = listSdkOperations(document)
  const { schemas } = document.components
  const position = positionIn(document)
  const declared = [...reachableFrom(operations, schemas)].sort()
  const queries = operations.filter((operation) => hasOwnQueryType(operation))
  const taken = queries.map(({ id }) => queryTypeName(id)).find((name) => declared.includes(name))
  if (taken !== undefined) throw new Error(`${taken} is the name of a schema already.`)
  return formatTypeScript(
    joinParts(
      codeNotice('docs/openapi.json'),
      ...declared.map((name) => declareComponent(name, schemas[name] ?? {}, position)),
      ...queries.map((operation) => declareQuery(operation, position)),
      declareSeries(operations),
      `/** Codes of refusals (docs/errors.md). */\nexport type ErrorType = ${Object.keys(
        ERROR_TYPES,
      )
        .map((name) => `'${name}'`)
        .join(' | ')}`,
    ),
  )
}

/** Returns the position for types of the document; `namespace` precedes the names of schemas. */
export function positionIn(document: OpenApiDocument, namespace = ''): SchemaPosition {
  const components = new Set(Object.keys(document.components.schemas))
  return { path: 'openapi', depth: 1, declarations: new Map(), components, namespace }
}

/**
 * Returns only schemas that methods of the SDK need: deprecated endpoints have schemas of their
 * own.
 */
function reachableFrom(
  operations: readonly SdkOperation[],
  schemas: Record<string, JsonSchema>,
): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      const name = key === '$ref' ? String(member).replace('#/components/schemas/', '') : undefined
      if (name === undefined) visit(member)
      else if (!found.has(name)) {
        found.add(name)
        visit(schemas[name])
      }
    }
  }
  for (const { body, answer, query } of operations) visit([body?.schema, answer, query])
  return found
}

function declareComponent(name: string, schema: JsonSchema, position: SchemaPosition): string {
  const type = typeOf(schema, { ...position, path: name })
  const isInterface = type.startsWith('{') && type.indexOf('\n}') === type.length - 2
  const start = isInterface ? `export interface ${name}` : `export type ${name} =`
  return `${docComment(remarksOf(schema), '')}${start} ${type}`
}

export const queryTypeName = (id: string): string => `${toTitleCase(id)}Query`

/** Series share the types of their queries. */
const hasOwnQueryType = (operation: SdkOperation): boolean =>
  operation.query.length > 0 && (!isOfSeries(operation) || operation.path.includes('/steps/'))

function declareQuery({ id, query }: SdkOperation, position: SchemaPosition): string {
  const members = query
    .filter(({ schema }) => !isDeprecated(schema))
    .map(({ name, required, description, schema }) => {
      const remarks = remarksOf({ description, ...schema, ...(description && { description }) })
      const type = typeOf(schema, { ...position, path: `${id}.${name}` })
      const byDefault = 'default' in schema && schema.default !== '' ? [defaultOf(schema)] : []
      const comment = docComment([...remarks, ...byDefault], '  ')
      return `${comment}  ${name}${required === true ? '' : '?'}: ${type}\n`
    })
  return `export interface ${queryTypeName(id)} {\n${members.join('')}}`
}

const isDeprecated = ({ deprecated }: JsonSchema): boolean => deprecated === true

const defaultOf = (schema: JsonSchema & { default?: unknown }): string =>
  `@default ${JSON.stringify(schema.default)}`

/** Declares the upload and response types of each series. */
function declareSeries(operations: readonly SdkOperation[]): string {
  const ofForm = (form: string) =>
    operations
      .filter((operation) => isOfSeries(operation) && isOfForm(operation, form))
      .map(({ path, body, answer }) => {
        const name = path.split('/')[4]
        const schema = form === 'upload' ? body?.schema : answer
        return `  ${name}: ${schema?.$ref?.replace('#/components/schemas/', '') ?? 'unknown'}\n`
      })
      .join('')
  const charts = operations.filter((operation) => isOfForm(operation, 'chart'))
  return joinParts(
    `/** Uploads by series. */\nexport interface SeriesUploads {\n${ofForm('upload')}}`,
    `/** Samples by source, by series. */\nexport interface SeriesGroups {\n${ofForm('grouped')}}`,
    `/** Slots merged from all sources, by series. */\nexport interface SeriesMerged {\n${ofForm('merged')}}`,
    `/** Series that have a chart. */\nexport type ChartedSeries = ${charts
      .map(({ path }) => `'${path.split('/')[4]}'`)
      .join(' | ')}`,
  )
}

const isOfForm = ({ verb, path }: SdkOperation, form: string): boolean =>
  form === 'upload' ? verb === 'POST' : verb === 'GET' && path.endsWith(`/${form}`)
