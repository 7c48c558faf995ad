import { InputError, type InputProblem } from '@salus/kernel/errors'

/** Hosts of the machine itself, whose pages no network can change. */
const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Refuses what no browser sends as the origin of a trustworthy page: the comparison is exact, so an
 * origin in another spelling would never match. `null`, the origin of files and of frames in a
 * sandbox, is no URL, and a page over plain HTTP can be changed on its way.
 * @throws InputError 422 `invalid_url` for each of them
 */
export function refuseBadOrigins(
  origins: readonly string[] | null | undefined,
  path: string[] = [],
): void {
  const problems = (origins ?? []).flatMap((origin, index): InputProblem[] => {
    const msg = problemOf(origin)
    if (msg === undefined) return []
    return [{ loc: ['body', ...path, 'link_origins', index], msg, type: 'invalid_url' }]
  })
  if (problems.length > 0) throw new InputError(problems)
}

function problemOf(origin: string): string | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (url === undefined || !isSecure || url.hostname.includes('*')) {
    return 'Not an origin such as https://app.example.com; http only for localhost'
  }
  return url.origin === origin ? undefined : `Not an origin as browsers send it: ${url.origin}`
}
