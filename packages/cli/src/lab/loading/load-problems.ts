import { CliError } from '../../terminal/cli-error.ts'
import { formatCount } from '../../terminal/number-format.ts'
import { formatTable } from '../../terminal/table.ts'

/** Problems of a document that an operator loads. */
export interface LoadProblems {
  list: readonly { path: string; message: string }[]
  /** Number of all problems, of which only some are listed. */
  count: number
}

/** A longer list is not read. */
const MOST_SHOWN = 50

/**
 * Lists all problems in one error.
 * @param headline Names the document: `The catalog has`.
 * @param nameFile Returns the file and the place in it of a path, for a document of several files.
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
