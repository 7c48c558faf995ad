/**
 * What an app may call for its own person, as docs/contract/01-conventions.md#credentials lists it.
 * Everything else is closed to apps; `body` has the person there instead of in the path.
 */
export const APP_ROUTES: readonly [method: string, path: RegExp, where?: 'body'][] = [
  ['GET', /^\/v2\/user\/\{user_id\}$/],
  ['GET', /^\/v2\/user\/providers\/\{user_id\}$/],
  ['DELETE', /^\/v2\/user\/\{user_id\}\/\{provider\}$/],
  ['POST', /^\/v2\/user\/refresh\/\{user_id\}$/],
  ['POST', /^\/v2\/link\/token$/, 'body'],
  ['POST', /^\/v2\/link\/provider\/manual\/\{provider\}$/, 'body'],
  ['GET', /^\/v2\/summary\/\w+\/\{user_id\}(\/(raw|merged))?$/],
  ['POST', /^\/v2\/summary\/\w+\/\{user_id\}$/],
  ['GET', /^\/v2\/timeseries\/\{user_id\}\/\w+(\/\w+)?$/],
  ['POST', /^\/v2\/timeseries\/\{user_id\}\/\w+$/],
  ['POST', /^\/v2\/user\/\{user_id\}\/sdk_\w+\/\{provider\}$/],
]

/** Whether an app may call an operation of the OpenAPI document. */
export function isForApps(method: string, path: string): boolean {
  return APP_ROUTES.some(([known, pattern]) => known === method && pattern.test(path))
}
