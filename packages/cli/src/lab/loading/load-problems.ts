import { CliError } from '../../terminal/cli-error.ts'
import { formatCount } from '../../terminal/number-format.ts'
import { formatTable } from '../../terminal/table.ts'

/** What is wrong with a document that an operator loads, and where. */
export interface LoadProblems {
  list: readonly { path: string; message: string }[]
  /** More than are listed. */
  count: number
}

/** More are not read by anybody. */
const MOST_SHOWN = 50

/**
 * All problems in one error.
 * @param headline What has the problems: `The catalog has`.
 * @param nameFile The file that a path leads to and the place there, where a document came from
 *   several.
 */
export function explainProblems(
  headline: string,
  { list, count }: LoadProblems,
  nameFile?: (path: string) => { file: string; location: string },
): CliError {
  const rows = list.slice(0, MOST_SHOWN).map(({ path, message }) => {
    const location = nameFile?.(path) ?? { file: '', location: path }
    return { ...location, message }
  })
  const table = formatTable(
    [
      ...(nameFile ? [{ title: 'File', text: ({ file }: { file: string }) => file }] : []),
      { title: 'Place', text: ({ location }) => location },
      { title: 'Problem', text: ({ message }) => message },
    ],
    rows,
  )
  const rest = count > rows.length ? `\n\n${formatCount(count - rows.length)} more.` : ''
  const problems = count === 1 ? '1 problem' : `${formatCount(count)} problems`
  return new CliError(`${headline} ${problems}; nothing was loaded.\n\n${table}${rest}`)
}
