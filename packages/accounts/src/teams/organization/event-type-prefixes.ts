import { InputError, type InputProblem } from '@salus/kernel/errors'

/**
 * Refuses prefixes that no event type begins with: no event would be sent, and no one would know
 * why.
 * @throws InputError 422 `unknown_event_type` for each of them
 */
export function refuseUselessPrefixes(
  { eventTypes }: { eventTypes: readonly string[] },
  prefixes: readonly string[] | null | undefined,
  path: string[] = [],
): void {
  const isUseful = (prefix: string): boolean => eventTypes.some((type) => type.startsWith(prefix))
  const problems = (prefixes ?? []).flatMap((prefix, index): InputProblem[] => {
    if (isUseful(prefix)) return []
    const loc: InputProblem['loc'] = ['body', ...path, 'event_type_prefixes', index]
    return [{ loc, msg: 'No event type begins like this', type: 'unknown_event_type' }]
  })
  if (problems.length > 0) throw new InputError(problems)
}
