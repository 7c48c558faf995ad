import { Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { AppError } from '../errors.ts'

/** Outcome of one row of a request about several. */
const RowResult = Type.Object(
  {
    id: Type.String({ description: 'Id that the request named.' }),
    status: Type.Integer({ description: 'Status with which the request for this row alone ends.' }),
    error_type: Nullable(Type.String({ description: 'Code of the refusal; null for a success.' })),
    error_message: Nullable(Type.String()),
  },
  { title: 'RowResult' },
)
export type RowResult = Type.Static<typeof RowResult>

export const RowResults = Type.Object(
  {
    results: Type.Array(RowResult, {
      description: 'One for each id, in the order of the request.',
    }),
    succeeded: Type.Integer({ description: 'Number of rows that were changed.' }),
    refused: Type.Integer({ description: 'Number of rows that were not.' }),
  },
  { title: 'RowResults' },
)
export type RowResults = Type.Static<typeof RowResults>

/** Most rows of one request. */
export const MOST_ROWS = 100

export const toRowResults = (results: RowResult[]): RowResults => {
  const succeeded = results.filter(({ status }) => status < 400).length
  return { results, succeeded, refused: results.length - succeeded }
}

/**
 * Does the same for each id, one after the other: a refusal of one does not stop the others.
 * @param work Throws an AppError for a refusal; any other error ends the request.
 */
export async function forEachRow(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<RowResults> {
  const results: RowResult[] = []
  for (const id of ids) {
    try {
      await work(id)
      results.push({ id, status: 200, error_type: null, error_message: null })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      const { status, errorType, message } = error
      results.push({ id, status, error_type: errorType, error_message: message })
    }
  }
  return toRowResults(results)
}
