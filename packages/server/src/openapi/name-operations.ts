import { SERIES_BY_UPLOAD_NAME, toTitle } from '@salus/contracts/series'
import type { Operation } from './document-parts.ts'

/** Name of an operation for clients, and its description. */
interface Naming {
  id?: string
  description?: string
}

/**
 * Gives an operation its id and description: those of the route, or else of the rule for series. A
 * test names operations without them. Ids are part of the contract: a generated client breaks when
 * one changes.
 */
export function nameOperation({ method, path, content }: Operation): void {
  const { id, description } = namingOfSeries(method, path)
  const operationId = content.operationId ?? id
  if (operationId !== undefined) content.operationId = operationId
  const words = [content.description ?? description, describeAlias(method, path)]
  const text = words.filter((part) => part !== undefined && part !== '').join(' ')
  if (text !== '') content.description = text
}

const SERIES_PATH = /^\/v2\/timeseries\/\{user_id\}\/(\w+)(?:\/(\w+))?$/

function namingOfSeries(method: string, path: string): Naming {
  const [, name, form] = SERIES_PATH.exec(path) ?? []
  if (name === undefined) return {}
  const title = toTitle(name)
  if (method === 'POST') return { id: `upload${title}` }
  if (form === 'grouped' || form === 'merged' || form === 'chart')
    return { id: `get${title}${toTitle(form)}` }
  // Cholesterol has a flat read for each of its types.
  const id = `get${title}${form === undefined ? '' : toTitle(form)}Flat`
  const description = `Returns the samples of all sources in one list. New code should use \`get${title}Grouped\`.`
  return { id, description }
}

/** Describes another name of an upload path by the path that it stands for. */
function describeAlias(method: string, path: string): string | undefined {
  const name = method === 'POST' ? SERIES_PATH.exec(path)?.[1] : undefined
  const series = name === undefined ? undefined : SERIES_BY_UPLOAD_NAME.get(name)
  if (series === undefined || series.name === name) return undefined
  return `This path is another name of \`upload${toTitle(series.name)}\`, which clients also use.`
}
