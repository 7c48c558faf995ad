import type { Config } from '../config.ts'

/** Returns the URL at which browsers reach the server, as its settings define it. */
export function serverUrlOf({
  baseUrl,
  host,
  port,
}: Pick<Config, 'baseUrl' | 'host' | 'port'>): string {
  if (baseUrl !== undefined) return baseUrl
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  const name = isEveryAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
