import { InputError } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'

const compile = createValidatorCompiler()

/** One problem of a request: its place without the part of the request, and its type. */
type ShownProblem = [place: string, type: string]

const showProblems = (error: unknown): ShownProblem[] => {
  if (!(error instanceof InputError)) throw error
  return error.problems.map(({ loc, type }) => [loc.slice(1).join('.'), type])
}

/**
 * Checks a body as a route does: against its schema, and where it fits by the functions that read
 * it.
 * @returns the problems with which it is refused; none when it is accepted
 */
export function findBodyProblems<Body>(
  schema: object,
  body: object,
  read: (body: Body) => unknown = () => undefined,
): ShownProblem[] {
  const validate = compile({ schema, httpPart: 'body', method: 'POST', url: '/' })
  const result = validate(structuredClone(body)) as { value?: Body; error?: Error }
  if (result.error !== undefined) return showProblems(result.error)
  try {
    read(result.value as Body)
    return []
  } catch (error) {
    return showProblems(error)
  }
}
