import { CliError } from '../terminal/cli-error.ts'
import { nameOfInput, readInput } from '../terminal/input.ts'

/** Body that the server accepts; it validates the queries itself. */
export interface QueryBody {
  timeframe: unknown
  queries: unknown[]
  config?: unknown
}

export interface Timeframe {
  type: 'relative'
  /** YYYY-MM-DD */
  anchor: string
  past: { value: number; unit: string }
}

/**
 * Reads a file with the body of a query request, with a list of queries, or with one query. A
 * timeframe beside the file takes precedence over one in it.
 * @throws CliError
 */
export async function readQueryFile(
  path: string,
  timeframe: Timeframe | undefined,
): Promise<QueryBody> {
  const name = nameOfInput(path)
  const content = parse((await readInput(path)).toString(), name)
  const body = bodyOf(content)
  if (body === undefined) {
    throw new CliError(
      `${name} contains neither a query, nor a list of queries, nor {"queries": …}.`,
    )
  }
  const known = timeframe ?? body.timeframe
  if (known === undefined) {
    throw new CliError(`${name} has no timeframe. Give one with --past, such as --past 30d.`)
  }
  return { ...body, timeframe: known }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliError(`${name} is not JSON: ${(error as Error).message}`)
  }
}

function bodyOf(content: unknown): (Partial<QueryBody> & { queries: unknown[] }) | undefined {
  if (Array.isArray(content)) return { queries: content }
  if (typeof content !== 'object' || content === null) return undefined
  if ('queries' in content && Array.isArray(content.queries)) {
    return content as { queries: unknown[] }
  }
  return 'select' in content ? { queries: [content] } : undefined
}
